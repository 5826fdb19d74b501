import { useState } from 'react';
import { CallError, call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { useLeading } from '#platform/web/ui/arrival.ts';
import { useConfirmLeaving, useUnsaved } from '#platform/web/ui/dialogs.tsx';
import {
  fieldsOf,
  NameFields,
  Options,
  SelectField,
  SubmitButton,
  TextField,
  Tick,
} from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import type { Director } from '../../calls.ts';
import { CATEGORIES, type Category } from '../../shared/terms.ts';
import { StaySelect } from '../StaySelect.tsx';
import { useOnlyStay } from '../stayPage.tsx';
import { mailingAddress, type NamedStay, STAYS, stayLabel } from '../stays.ts';

/* The form of a director, and what the panels of directors share. */

export const DIRECTORS = { key: 'GET /formateurs' } as const;
export const INCOMPLETE = 'Veuillez remplir tous les champs avant de soumettre.';

export type DirectedStay = Director['sejours'][number];

export function useDirectorsAgain() {
  const stageId = useOnlyStay();
  return useAskAgain(
    DIRECTORS,
    STAYS,
    { key: 'GET /stages-suivi' },
    { key: 'GET /preparation' },
    ...(stageId ? [{ key: 'GET /preparation', query: { stageId } } as const] : []),
    { key: 'GET /tableau-de-bord' },
  );
}

export function nameOf({ nom, prenom }: Pick<Director, 'nom' | 'prenom'>): string {
  return `${nom} ${prenom}`;
}

interface DirectorFormProps {
  stays: readonly NamedStay[];
  directors: readonly Director[];
  /** Director that the form starts with; undefined for a new one. */
  first: Director | undefined;
  onSaved(): void;
}

export function DirectorForm({ stays, directors, first, onSaved }: DirectorFormProps) {
  const only = useOnlyStay();
  const begun = first?.sejours.find(({ stageId }) => only === undefined || stageId === only);
  const [stay, setStay] = useState(stays.find(({ id }) => id === (only ?? begun?.stageId)));
  const [cat, setCat] = useState<Category | ''>(begun?.cat ?? '');
  /** The chosen director, as loaded when chosen. */
  const [picked, setPicked] = useState(first);
  // A director deleted meanwhile counts as a new one, with the typed texts.
  const chosen = directors.some(({ id }) => id === picked?.id) ? picked : undefined;
  const [isDirty, setDirty] = useState(false);
  const confirmLeaving = useConfirmLeaving();
  useUnsaved(isDirty);
  const { form, errors, isBusy } = useDirectorForm(directors, chosen, onSaved);
  const field = fieldsOf(errors, { mail: chosen?.mail, telephone: chosen?.telephone });

  const choose = async (director: Director | undefined) => {
    if (!(await confirmLeaving())) return;
    setPicked(director);
    setDirty(false);
  };
  return (
    <form
      {...form}
      autoComplete="off"
      className="flex flex-col gap-5"
      // Only typed texts would be lost; the filter of the stays, which has no name, does not count.
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.name !== '') setDirty(true);
      }}
    >
      <StaySelect stays={stays} value={stay?.id} onChoose={setStay} error={errors.stageId} />
      <CategoryField label="Type" error={errors.cat} value={cat} onChoose={setCat} />
      <DirectorSelect directors={directors} stay={stay} chosen={chosen} onChoose={choose} />
      <div key={picked?.id} className="grid gap-5 sm:grid-cols-2">
        <NameFields person={chosen} errors={errors} />
        <TextField
          {...field('mail')}
          label="E-mail"
          type="email"
          isRequired
          help={
            chosen ? undefined : 'Une adresse déjà connue est la même personne, qui est alors mise à jour.'
          }
        />
        <TextField {...field('telephone')} label="Téléphone" type="tel" isRequired maxLength={50} />
      </div>
      <p>
        <SubmitButton yes={chosen ? 'Enregistrer' : 'Ajouter'} busy="Enregistrement…" isBusy={isBusy} />
      </p>
    </form>
  );
}

function useDirectorForm(directors: readonly Director[], chosen: Director | undefined, onSaved: () => void) {
  /** Id of the director reported as changed by somebody else: the next save then overwrites that change. */
  const [toldOf, setToldOf] = useState<number>();
  const { say } = useNotices();
  const askAgain = useDirectorsAgain();
  return useForm({
    send: (element) => {
      const { nom = '', prenom = '', mail = '', telephone = '', cat, stageId = '' } = textsOf(element);
      const body = { nom, prenom, mail, telephone, cat: cat as Category, stageId };
      if (!chosen) return call('POST /formateurs/add', { body });
      const latest = directors.find(({ id }) => id === chosen.id);
      const { version } = (toldOf === chosen.id && latest) || chosen;
      return call('PUT /formateurs/update/:id', { params: { id: chosen.id }, body: { ...body, version } });
    },
    onDone: ({ message }) => {
      say(message);
      askAgain();
      onSaved();
    },
    failure: 'Erreur lors de l’enregistrement du directeur',
    incomplete: INCOMPLETE,
    onFailed: ({ status, champs }) => {
      if (status === 409 && Object.keys(champs).length === 0) setToldOf(chosen?.id);
      // Somebody else may have made a change first: reload, so that the lists show it.
      askAgain();
      return false;
    },
  });
}

interface CategoryFieldProps {
  label: string;
  help?: string;
  isRequired?: boolean;
  error: string | undefined;
  value: Category | '';
  onChoose(cat: Category | ''): void;
}

const CATEGORY_HELP =
  'Centre\u202f: dirige le lieu qui accueille le séjour. Séjour\u202f: dirige le séjour lui-même.';

export function CategoryField(props: CategoryFieldProps) {
  const { label, help = CATEGORY_HELP, isRequired = true, error, value, onChoose } = props;
  return (
    <SelectField
      label={label}
      name="cat"
      isRequired={isRequired}
      help={help}
      error={error}
      value={value}
      onChoose={(value) => onChoose(value as Category | '')}
    >
      <option value="">Choisissez…</option>
      <Options labels={CATEGORIES} />
    </SelectField>
  );
}

interface NewPasswordsTickProps {
  count: number;
  /** State of the checkbox when it appears, or appears again. */
  isTicked: boolean;
  onTick(isTicked: boolean): void;
}

/** Checkbox to give the remaining directors a new password, as the leaving director knows the current one. */
export function NewPasswordsTick({ count, isTicked, onTick }: NewPasswordsTickProps) {
  return (
    <div className="well">
      <Tick
        className="font-semibold"
        defaultChecked={isTicked}
        onChange={({ target }) => onTick(target.checked)}
      >
        {`Donner un nouveau mot de passe aux directeurs de ${count > 1 ? `ces ${count} séjours` : 'ce séjour'}`}
      </Tick>
      <p className="text-sm text-quiet">
        Sinon, cette personne pourra encore ouvrir les photos avec l’ancien. Les autres directeurs se
        reconnecteront avec le nouveau, qui leur est envoyé par e-mail.
      </p>
    </div>
  );
}

interface DirectorSelectProps {
  directors: readonly Director[];
  stay: NamedStay | undefined;
  chosen: Director | undefined;
  onChoose(director: Director | undefined): void;
}

function DirectorSelect({ directors, stay, chosen, onChoose }: DirectorSelectProps) {
  const typeOf = ({ sejours }: Director) => sejours.find(({ stageId }) => stageId === stay?.id)?.cat;
  const own = directors.flatMap((director) => {
    const cat = typeOf(director);
    return cat ? [{ id: director.id, label: `${nameOf(director)} — ${CATEGORIES[cat]}` }] : [];
  });
  const others = directors.filter((director) => !typeOf(director));
  return (
    <SelectField
      label="Directeur"
      name="formateur"
      isRequired
      value={chosen?.id ?? 'add'}
      onChoose={(value) => onChoose(directors.find(({ id }) => String(id) === value))}
    >
      <option value="add">Ajouter un directeur</option>
      {own.length > 0 && (
        <optgroup label="Directeurs de ce séjour">
          {own.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </optgroup>
      )}
      {others.length > 0 && (
        <optgroup label={stay ? 'Autres directeurs' : 'Directeurs'}>
          {others.map((director) => (
            <option key={director.id} value={director.id}>
              {nameOf(director)}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
  );
}

const PASSWORDS = panelAddress('mots-de-passe');

/**
 * Returns a function that gives the directors of stays new passwords after a change, mails them to those who still
 * direct these stays, and reports what succeeded and what failed. `message`: the notice of the change.
 */
export function useNewPasswords(): (message: string, stays: readonly DirectedStay[]) => Promise<void> {
  const { say, warn } = useNotices();
  const { locale } = useSite();
  const leading = useLeading();
  const listed = (stays: readonly DirectedStay[]) =>
    stays.map((stay) => stayLabel(stay, locale)).join('\u202f; ');
  return async (message, stays) => {
    if (stays.length === 0) return say(message);
    const { done, failed, reason } = await renew(stays);
    const mailed = await mail(done);
    const addresses = mailed.sent.reduce((total, { nombre }) => total + nombre, 0);
    const told = [
      ...(done.length > 0 ? [`Nouveau mot de passe des directeurs\u202f: ${listed(done)}.`] : []),
      ...(addresses > 0
        ? [`Les autres directeurs le reçoivent par e-mail (${addresses} adresse${addresses > 1 ? 's' : ''}).`]
        : []),
    ].join(' ');
    if (failed.length > 0) {
      const text = `${message}, mais le mot de passe des directeurs est resté le même\u202f: ${listed(failed)}.`;
      return warn(text, `${reason} ${told}`);
    }
    if (mailed.reason) {
      return warn(
        `${message}, mais l’e-mail aux autres directeurs n’est pas parti.`,
        `${mailed.reason} ${told}`,
      );
    }
    const [first, ...others] = mailed.sent;
    if (!first) return say(`${message}. ${told}`, leading('Voir les mots de passe', PASSWORDS));
    const address = others.length === 0 ? mailingAddress(first.id) : panelAddress('envois');
    say(`${message}. ${told}`, leading('Voir l’envoi', address));
  };
}

/** Renews the passwords one by one, going on after a failure; `reason` is why the last failed one failed. */
async function renew(stays: readonly DirectedStay[]) {
  const [done, failed]: [DirectedStay[], DirectedStay[]] = [[], []];
  let reason = '';
  for (const stay of stays) {
    try {
      const input = { params: { id: stay.stageId }, body: { type: 'formateur' } } as const;
      await call('POST /stage-passwords/:id/regenerer', input);
      done.push(stay);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // 409: the photos of the stay are over, so its passwords are erased and nothing needs renewing.
      if (error.status === 409) continue;
      failed.push(stay);
      reason = error.message;
    }
  }
  return { done, failed, reason };
}

/**
 * Mails the new passwords of these stays, one mailing per stay, to those who still direct them. Skips stays without
 * directors, and those for which the server refuses (422), as the password no longer signs anybody in.
 */
async function mail(renewed: readonly DirectedStay[]) {
  const sent: { id: number; nombre: number }[] = [];
  try {
    const all = renewed.length > 0 ? await call('GET /stages-suivi', {}) : [];
    for (const { stageId } of renewed) {
      if (!all.some(({ id, directeurs }) => id === stageId && directeurs > 0)) continue;
      try {
        sent.push(
          await call('POST /stages/envoi-mots-de-passe', {
            body: { type: 'formateur', stageIds: [stageId], seulement: 'non_recus' },
          }),
        );
      } catch (error) {
        if (!(error instanceof CallError && error.status === 422)) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { sent, reason: error.message };
  }
  return { sent, reason: '' };
}
