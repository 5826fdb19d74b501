import { Copy, Eye } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { SiteMark, useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { Options, SelectField, SubmitButton, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { PICTURES } from '#platform/web/ui/files.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import {
  FACTOR_WANTED,
  HEADCOUNTS,
  IDENTITY_FIELDS,
  type IdentityName,
  PLACES_SHOWN,
  SETTING_LABELS,
  STAYS_SHOWN,
} from '../shared/identity.ts';

export function SettingsPanel() {
  // Asked anew at each visit, as the form begins with the answer.
  const query = useQuestion({ key: 'GET /reglages', query: { mot_de_passe: 'non' } }, { isFresh: true });
  return (
    <div>
      <h1 className="mb-2">Réglages</h1>
      <LoadState query={query} failed="Les réglages n’ont pas pu être chargés.">
        {(settings) => <SettingsForm settings={settings} />}
      </LoadState>
    </div>
  );
}

type Settings = ReplyOf<'GET /reglages'>;
type Texts = Record<string, string>;

const PASSWORD = 'comptes_rendus_mot_de_passe';

/** The tabs: what each is about. */
const TABS = {
  Identité: 'Ce que le site dit de votre organisation. Une ligne vide n’est pas affichée.',
  Hébergeur: 'L’entreprise chez qui le site est hébergé, pour les mentions légales.',
  Contacts: 'À qui s’adressent les visiteurs. Sans site d’offres d’emploi, le lien disparaît du menu.',
  'Nos Missions': 'La page publique qui dit ce que fait le CSE, et avec quels moyens.',
  'Comptes rendus': 'Le mot de passe que les salariés tapent pour les lire.',
  Séjours: 'Familles et directeurs ouvrent leur séjour par son numéro et son mot de passe.',
  Photos: 'Les familles voient les photos d’un séjour pendant un temps limité.',
  Portail: 'Ce que voient les personnes qui ont un compte d’administrateur.',
};
type Tab = keyof typeof TABS;

/** The tab of each setting that is no field of the identity. */
const TAB_OF: Record<keyof typeof SETTING_LABELS, Tab> = {
  effectif: 'Nos Missions',
  comptes_rendus_mot_de_passe: 'Comptes rendus',
  sejours_visiteurs: 'Séjours',
  sejours_lieu: 'Séjours',
  photos_conservation_jours: 'Photos',
  message_soir_heure: 'Photos',
  portail_inactivite_heures: 'Portail',
  second_facteur: 'Portail',
};

function tabOf(name: string): Tab | undefined {
  return IDENTITY_FIELDS[name as IdentityName]?.section ?? TAB_OF[name as keyof typeof TAB_OF];
}

/** The tab in sight: the one last asked for, by a press, by a field that the address names, or by a wrong field. */
function useTab(hash: string, errors: Texts, refusals: number) {
  const [tab, setTab] = useState<Tab>(tabOf(hash.slice(1)) ?? 'Identité');
  const [seen, setSeen] = useState({ hash, refusals });
  if (seen.hash !== hash || seen.refusals !== refusals) {
    setSeen({ hash, refusals });
    const [wrong = ''] = seen.refusals === refusals ? [hash.slice(1)] : Object.keys(errors);
    setTab(tabOf(wrong) ?? tab);
  }
  return [tab, setTab] as const;
}

/** Every setting in one form, one tab of it in sight, which sends only what was changed. */
function SettingsForm({ settings }: { settings: Settings }) {
  const { form, errors, refusals, isBusy, isDirty, onInput, markSaved } = useSettingsForm();
  const { hash } = useLocation();
  const [tab, setTab] = useTab(hash, errors, refusals);
  // The field that the search of the portal led to.
  useEffect(() => {
    const field = form.ref.current?.elements.namedItem(hash.slice(1));
    if (hash !== '' && field instanceof HTMLElement) field.focus();
  }, [form.ref, hash]);
  const field = (name: Exclude<keyof typeof SETTING_LABELS, typeof PASSWORD>) => ({
    name,
    label: SETTING_LABELS[name],
    isRequired: true,
    defaultValue: String(settings[name]),
    error: errors[name],
  });
  const about = (name: Tab) => ({ name, isShown: name === tab });
  return (
    // Scroll margins keep a focused field clear of the bar at the bottom, and its label clear of the one at the top.
    <form
      {...form}
      onInput={onInput}
      autoComplete="off"
      className="flex flex-col gap-6 [&_.input]:scroll-mt-10 [&_.input]:scroll-mb-[calc(var(--phone-bar)+9rem)]"
    >
      <nav aria-label="Réglages" className="overflow-x-auto border-b border-mist">
        <ul className="flex">
          {(Object.keys(TABS) as Tab[]).map((name) => (
            <li key={name} className="shrink-0">
              <button
                type="button"
                className="tab"
                aria-current={name === tab ? 'page' : undefined}
                onClick={() => setTab(name)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {(['Identité', 'Hébergeur', 'Contacts'] as const).map((section) => (
        <Section key={section} {...about(section)}>
          {section === 'Identité' && <Logo />}
          {NAMES.filter((name) => IDENTITY_FIELDS[name].section === section).map((name) => (
            <IdentityInput key={name} name={name} value={settings[name]} error={errors[name]} />
          ))}
        </Section>
      ))}
      <Section {...about('Nos Missions')}>
        <SelectField
          {...field('effectif')}
          help="La loi confie plus de missions au CSE à partir de 50 salariés : la page n’annonce que les vôtres."
        >
          <Options labels={HEADCOUNTS} />
        </SelectField>
      </Section>
      <Section {...about('Comptes rendus')}>
        <MeetingPassword form={form.ref} error={errors[PASSWORD]} onRead={markSaved} />
      </Section>
      <Section {...about('Séjours')}>
        <SelectField
          {...field('sejours_visiteurs')}
          help="Avec les numéros seulement, personne n’apprend sans mot de passe quels séjours ont lieu, ni quand."
        >
          <Options labels={STAYS_SHOWN} />
        </SelectField>
        <SelectField
          {...field('sejours_lieu')}
          help="Le mot de passe d’un séjour est commun à toutes ses familles ; un lien est à une seule."
        >
          <Options labels={PLACES_SHOWN} />
        </SelectField>
      </Section>
      <Section {...about('Photos')}>
        <TextField
          {...field('photos_conservation_jours')}
          inputMode="numeric"
          maxLength={3}
          help="De 1 à 365 jours après la fin du séjour. Les familles et les mots de passe d’un séjour sont effacés avec ses photos."
        />
        <TextField
          {...field('message_soir_heure')}
          isRequired={false}
          type="time"
          help="À cette heure, chaque adresse qui a reçu les codes apprend par un e-mail combien de photos sont nouvelles, s’il y en a. Vide : aucun message."
        />
      </Section>
      <Section {...about('Portail')}>
        <TextField
          {...field('portail_inactivite_heures')}
          inputMode="numeric"
          maxLength={2}
          help="De 1 à 12. Passé ce temps sans rien y faire, le portail redemande le mot de passe ; ce qui était en train d’être écrit est gardé."
        />
        <SelectField
          {...field('second_facteur')}
          help={
            'Obligatoire\u202f: chaque compte a sept jours pour mettre en place l’une des deux dans «\u00a0Mon compte\u00a0». ' +
            'Ensuite, il n’a plus aucun droit tant que ce n’est pas fait.'
          }
        >
          <Options labels={FACTOR_WANTED} />
        </SelectField>
      </Section>
      <div className="sticky bottom-(--phone-bar) z-10 -mx-2 flex flex-wrap items-center gap-x-4 border-t border-mist bg-paper px-2 py-3">
        <SubmitButton yes="Enregistrer" busy="Enregistrement…" isBusy={isBusy} />
        <p className="text-sm text-quiet">{isDirty ? 'Modifications à enregistrer' : ''}</p>
      </div>
    </form>
  );
}

/** The picture beside the name of the site, saved as soon as it is chosen. */
function Logo() {
  const { logo, update } = useSite();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const input = useRef<HTMLInputElement>(null);
  const keep = async (file: File) => {
    const body = new FormData();
    body.append('logo', file);
    const saved = await call('PUT /reglages/logo', { body });
    update({ logo: saved.logo });
    say(saved.message);
  };
  const remove = async () => {
    say((await call('DELETE /reglages/logo', {})).message);
    update({ logo: '' });
  };
  return (
    <div className="flex flex-col gap-1.5" id="logo">
      <p className="font-semibold">Logo</p>
      <p className="flex flex-wrap items-center gap-3">
        <SiteMark />
        <Button quiet aria-disabled={isBusy} onClick={() => input.current?.click()}>
          Choisir un logo
        </Button>
        {logo !== '' && (
          <Button quiet aria-disabled={isBusy} onClick={() => run(remove, 'Erreur lors du retrait du logo')}>
            Revenir au dessin
          </Button>
        )}
      </p>
      <p className="text-sm text-quiet">
        Une image PNG ou JPEG, montrée en haut et en bas des pages, sur fond clair quand l’écran est sombre.
      </p>
      <input
        ref={input}
        type="file"
        accept={PICTURES.accept}
        aria-label="Logo"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) run(() => keep(file), 'Erreur lors de l’enregistrement du logo');
          target.value = '';
        }}
      />
    </div>
  );
}

function useSettingsForm() {
  /** The texts of the form when last saved; read from the form itself, as fields normalise their values. */
  const saved = useRef<Texts>({});
  const [isDirty, setDirty] = useState(false);
  const { say, clear } = useNotices();
  const site = useSite();
  const { hash } = useLocation();
  const askAgain = useAskAgain(
    { key: 'GET /tableau-de-bord' },
    { key: 'GET /identite' },
    { key: 'GET /documents/acces' },
  );
  useUnsaved(isDirty);
  const { form, errors, refusals, isBusy } = useForm({
    send: async (element) => {
      const sent = textsOf(element);
      const body = changesOf(sent, saved.current);
      if (isEmpty(body)) return { message: 'Rien n’a changé depuis le dernier enregistrement.', sent };
      const { message } = await call('PUT /reglages', { body });
      return { message, sent };
    },
    onDone: ({ message, sent }, element) => {
      site.update({ organisation: sent.organisation_nom ?? '', jobOffersUrl: sent.offres_emploi_url ?? '' });
      askAgain();
      saved.current = sent;
      // Still dirty when somebody went on typing meanwhile.
      setDirty(!isEmpty(changesOf(textsOf(element), sent)));
      say(message);
    },
    failure: 'Erreur lors de l’enregistrement des réglages',
  });
  useEffect(() => {
    if (form.ref.current) saved.current = textsOf(form.ref.current);
  }, [form.ref]);
  useEffect(() => {
    // Whoever was led to a field to decide on it saves it as it stands as well.
    delete saved.current[hash.slice(1)];
  }, [hash]);
  return {
    form,
    errors,
    refusals,
    isBusy,
    isDirty,
    /** For a field that was added to the form after it was drawn. */
    markSaved: (name: string, text: string) => {
      saved.current = { ...saved.current, [name]: text };
      // Once read, a password that the site made up is one that somebody knows.
      askAgain();
    },
    onInput: ({ currentTarget }: React.FormEvent<HTMLFormElement>) => {
      // The notice of the last save would cover the button of the next.
      clear();
      setDirty(!isEmpty(changesOf(textsOf(currentTarget), saved.current)));
    },
  };
}

function changesOf(texts: Texts, saved: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== saved[name]));
}

function isEmpty(texts: Texts): boolean {
  return Object.keys(texts).length === 0;
}

const NAMES = Object.keys(IDENTITY_FIELDS) as IdentityName[];

const INPUT_TYPES = { line: 'text', email: 'email', address: 'url', siren: 'text', rna: 'text' } as const;

interface IdentityInputProps {
  name: IdentityName;
  value: string;
  error: string | undefined;
}

function IdentityInput({ name, value, error }: IdentityInputProps) {
  const { label, type, max } = IDENTITY_FIELDS[name];
  const field = { label, name, error, maxLength: max, defaultValue: value };
  if (type === 'paragraphs') return <TextArea {...field} rows={3} />;
  return <TextField {...field} type={INPUT_TYPES[type]} />;
}

/** What is in a tab; the form keeps and sends what is out of sight. */
function Section({ name, isShown, children }: { name: Tab; isShown: boolean; children: ReactNode }) {
  return (
    <section aria-label={name} className={isShown ? 'flex max-w-2xl flex-col gap-5' : 'hidden'}>
      <p className="text-quiet">{TABS[name]}</p>
      {children}
    </section>
  );
}

interface MeetingPasswordProps {
  form: React.RefObject<HTMLFormElement | null>;
  error: string | undefined;
  onRead(name: string, password: string): void;
}

/** The password of the meeting reports: read, which leaves a line in the journal, only when somebody asks for it. */
function MeetingPassword({ form, error, onRead }: MeetingPasswordProps) {
  const [shown, setShown] = useState<string>();
  const { isBusy, run } = useAction();
  const { say, warn } = useNotices();
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown !== undefined) field.current?.querySelector('input')?.focus();
  }, [shown]);
  const read = async () =>
    (await call('GET /reglages', { query: { mot_de_passe: 'oui' } })).comptes_rendus_mot_de_passe ?? '';
  const show = async () => {
    const password = await read();
    onRead(PASSWORD, password);
    setShown(password);
  };
  const copy = async () => {
    const typed = form.current ? textsOf(form.current)[PASSWORD] : undefined;
    const password = typed ?? (await read());
    try {
      await navigator.clipboard.writeText(password);
      say('Mot de passe copié.');
    } catch {
      // The connection is not secure, or the browser's owner refused access to the clipboard.
      warn('Le mot de passe n’a pas pu être copié.', 'Affichez-le pour le copier à la main.');
    }
  };
  return (
    <div ref={field} className="flex flex-col gap-5">
      {shown === undefined ? (
        <p>Pour le lire ou le changer, affichez-le. Chaque lecture est inscrite au journal.</p>
      ) : (
        <PasswordField
          label={SETTING_LABELS[PASSWORD]}
          name={PASSWORD}
          // Keeps the browser from filling in the password of the admin who is signed in.
          autoComplete="new-password"
          defaultValue={shown}
          isShownFirst
          help="8 caractères au moins. Le changer met fin aux lectures ouvertes avec l’ancien."
          error={error}
        />
      )}
      <p className="flex flex-wrap gap-3">
        {shown === undefined && (
          <Button quiet id={PASSWORD} aria-disabled={isBusy} onClick={() => run(show, READ_FAILED)}>
            <Eye className="size-5" />
            Afficher le mot de passe
          </Button>
        )}
        <Button quiet aria-disabled={isBusy} onClick={() => run(copy, READ_FAILED)}>
          <Copy className="size-5" />
          Copier le mot de passe
        </Button>
      </p>
    </div>
  );
}

const READ_FAILED = 'Erreur lors de la lecture du mot de passe des comptes rendus';
