import { Search } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Child } from '#features/stays/calls.ts';
import { CONSENTS, type Consent } from '#features/stays/shared/terms.ts';
import { folded } from '#platform/shared/fold.ts';
import { call } from '#platform/web/api.ts';
import {
  FieldError,
  FormButtons,
  NameFields,
  Options,
  SelectField,
  TextField,
} from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';

/* The children of a stay: the form of one, and the list to choose one from. */

interface ChildFormProps {
  stageId: number;
  /** The child to change; undefined for a new one. */
  child: Child | undefined;
  onSaved(message: string): void;
  onClose(): void;
  /** Called when somebody else has changed or deleted the child. */
  onOvertaken(): void;
}

/** Form for a child and its family's e-mail addresses. */
export function ChildForm({ stageId, child, onSaved, onClose, onOvertaken }: ChildFormProps) {
  const [isDirty, setDirty] = useState(false);
  /** The child as somebody else saved it meanwhile. */
  const [other, setOther] = useState<Child>();
  useUnsaved(isDirty, 'Ce que vous avez saisi pour cet enfant sera perdu.');
  const { form, errors, isBusy } = useForm({
    send: (element) => save(textsOf(element), stageId, other ?? child),
    onDone: ({ message }) => onSaved(message),
    failure: child ? 'Erreur lors de la mise à jour' : 'Erreur lors de la création',
    ...(!child && { incomplete: 'Tous les champs sont nécessaires pour ajouter un stagiaire.' }),
    onFailed: ({ status, answer }) => {
      setOther((answer as { actuel?: Child } | undefined)?.actuel);
      if (status === 404 || status === 409) onOvertaken();
      return false;
    },
  });
  useEffect(() => {
    form.ref.current?.querySelector('input')?.focus();
  }, [form.ref]);
  const title = child ? `Modifier ${nameOf(child)}` : 'Ajouter un enfant';
  return (
    <form
      {...form}
      className="well flex flex-col gap-5"
      autoComplete="off"
      aria-label={title}
      onInput={() => setDirty(true)}
    >
      <h3 className="text-xl wrap-anywhere">{title}</h3>
      {other && (
        <p className="border-l-4 border-coral pl-3 wrap-anywhere">
          {`Enregistré entre-temps par quelqu’un d’autre\u202f: ${summaryOf(other)}. Enregistrez de nouveau pour le remplacer par votre saisie, ou annulez pour le garder.`}
        </p>
      )}
      <ChildFields child={child} errors={errors} />
      <FormButtons
        yes={child ? 'Enregistrer' : 'Ajouter'}
        busy="Enregistrement…"
        isBusy={isBusy}
        onCancel={onClose}
      />
    </form>
  );
}

function save(texts: Record<string, string>, stageId: number, child: Child | undefined) {
  const { nom = '', prenom = '', mailRL = '', email_2 = '' } = texts;
  const consentement_image = texts.consentement_image as Consent;
  const body = { nom, prenom, mailRL, email_2, consentement_image };
  if (!child) return call('POST /add-stagiaire', { body: { ...body, stageId } });
  const { id, version } = child;
  return call('PUT /update/:id', { params: { id }, body: { ...body, version } });
}

function summaryOf(child: Child): string {
  const consent = CONSENT_TEXTS[child.consentement_image].toLowerCase();
  return [nameOf(child), child.email, child.email_2, consent].filter(Boolean).join(', ');
}

function ChildFields({ child, errors }: { child: Child | undefined; errors: Record<string, string> }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameFields person={child} errors={errors} />
      <TextField
        label="E-mail"
        name="mailRL"
        type="email"
        isRequired
        maxLength={254}
        help="D’un parent, ou de la personne responsable de l’enfant."
        defaultValue={child?.email}
        error={errors.mailRL}
      />
      <TextField
        label="Second e-mail"
        name="email_2"
        type="email"
        maxLength={254}
        help="De l’autre parent, par exemple."
        defaultValue={child?.email_2}
        error={errors.email_2}
      />
      <SelectField
        label="Droit à l’image"
        name="consentement_image"
        isRequired
        help="La famille accepte-t-elle que l’enfant soit sur des photos ?"
        error={errors.consentement_image}
        defaultValue={child?.consentement_image ?? 'inconnu'}
      >
        <Options labels={CONSENTS} />
      </SelectField>
    </div>
  );
}

/** Short texts for a child's photo consent, shown beside the name. */
const CONSENT_TEXTS: Record<Consent, string> = {
  oui: 'Photos autorisées',
  non: 'Sans droit à l’image',
  inconnu: 'Accord inconnu',
};

/** « 24 enfants, dont 3 sans droit à l’image et 5 dont l’accord est inconnu ». */
export function countOf(children: readonly Child[]): string {
  const having = (consent: Consent) =>
    children.filter(({ consentement_image }) => consentement_image === consent).length;
  const [without, unknown] = [having('non'), having('inconnu')];
  const parts = [
    ...(without > 0 ? [`${without} sans droit à l’image`] : []),
    ...(unknown > 0 ? [`${unknown} dont l’accord est inconnu`] : []),
  ];
  return [childrenIn(children.length), parts.join(' et ')].filter(Boolean).join(', dont ');
}

export function childrenIn(count: number): string {
  return `${count} enfant${count > 1 ? 's' : ''}`;
}

export function nameOf({ prenom, nom }: Child): string {
  return `${prenom} ${nom}`;
}

interface ChooseChildProps {
  items: readonly Child[];
  isBusy: boolean;
  onAdd(): void;
  onUpdate(child: Child): void;
  onDelete(child: Child): void;
}

const NONE_TO_UPDATE = 'Veuillez sélectionner un stagiaire pour mettre à jour.';
const NONE_TO_DELETE = 'Veuillez sélectionner une famille à supprimer.';

/** The list of children with its search, and buttons for the chosen child. */
export function ChooseChild({ items, isBusy, onAdd, onUpdate, onDelete }: ChooseChildProps) {
  const [wanted, setWanted] = useState(ANY);
  const [id, setId] = useState<number>();
  const [missed, setMissed] = useState<string>();
  const place = useRef<HTMLFieldSetElement>(null);
  const { warn, clear } = useNotices();
  const shown = matching(items, wanted);
  // A chosen child that the search hides does not count: no button acts on a child out of sight.
  const chosen = shown.find((child) => child.id === id);
  const withChosen = (work: (child: Child) => void, missing: string) => () => {
    if (chosen) return work(chosen);
    setMissed(missing);
    warn(missing);
    place.current?.querySelector('input')?.focus();
  };
  return (
    <>
      <ChildSearch wanted={wanted} onWanted={setWanted} />
      <div className="flex flex-col gap-1.5">
        {shown.length > 0 && (
          <ChildList
            place={place}
            items={shown}
            chosen={chosen}
            error={chosen ? undefined : missed}
            onChoose={(child) => {
              // The warning was about the missing choice.
              if (missed) clear();
              setMissed(undefined);
              setId(child.id);
            }}
          />
        )}
        <p role="status" className="text-sm text-quiet">
          {shown.length > 0
            ? `${childrenIn(shown.length)} dans la liste.`
            : 'Aucun enfant ne correspond à cette recherche.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button" onClick={withChosen(onUpdate, NONE_TO_UPDATE)}>
          Modifier
        </button>
        <button type="button" className="button quiet" onClick={onAdd}>
          Ajouter un enfant
        </button>
        <button
          type="button"
          className="button danger ml-auto"
          aria-disabled={isBusy}
          onClick={withChosen(onDelete, NONE_TO_DELETE)}
        >
          Supprimer
        </button>
      </div>
    </>
  );
}

interface ChildListProps {
  /** Ref around the list, used to move the focus to it. */
  place: RefObject<HTMLFieldSetElement | null>;
  items: readonly Child[];
  chosen: Child | undefined;
  onChoose(child: Child): void;
  error: string | undefined;
}

/** Radio list of the children, which scrolls in a frame of its own so that the buttons stay in reach. */
function ChildList({ place, items, chosen, onChoose, error }: ChildListProps) {
  const id = useId();
  return (
    <fieldset
      ref={place}
      className="flex flex-col gap-1.5"
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="sr-only">Enfants de ce séjour</legend>
      <div className="max-h-[28rem] overflow-y-auto rounded-[10px] border border-edge bg-card">
        {items.map((child) => (
          <label
            key={child.id}
            className="flex min-h-11 cursor-pointer items-center gap-3 border-b border-mist px-4 py-2.5 last:border-b-0 has-checked:bg-mist"
          >
            <input
              type="radio"
              name={id}
              className="size-5 shrink-0"
              checked={child.id === chosen?.id}
              onChange={() => onChoose(child)}
            />
            <span className="grid min-w-0 grow items-center gap-x-4 wrap-anywhere sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_10rem]">
              <span>
                <b className="font-semibold">{child.nom}</b> {child.prenom}
              </span>
              <span className="text-sm text-quiet">
                {[child.email, child.email_2].filter(Boolean).join(', ')}
              </span>
              <span className={`text-sm sm:text-right ${COLOURS[child.consentement_image]}`}>
                {CONSENT_TEXTS[child.consentement_image]}
              </span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

/** Colours of consents; the text says the same. */
const COLOURS: Record<Consent, string> = {
  oui: 'text-quiet',
  non: 'font-semibold text-coral',
  inconnu: 'font-semibold',
};

/** Search criteria: words of a name or an address, and one photo consent, or any. */
interface Wanted {
  text: string;
  consent: Consent | '';
}

const ANY: Wanted = { text: '', consent: '' };

/** The children matching all typed words, in any order, and the wanted consent. */
function matching(children: readonly Child[], { text, consent }: Wanted): Child[] {
  const words = folded(text).split(/\s+/);
  return children.filter(({ prenom, nom, email, email_2, consentement_image }) => {
    if (consent !== '' && consentement_image !== consent) return false;
    const own = folded([prenom, nom, email, email_2].join(' '));
    return words.every((word) => own.includes(word));
  });
}

function ChildSearch({ wanted, onWanted }: { wanted: Wanted; onWanted(wanted: Wanted): void }) {
  const id = useId();
  return (
    <search className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-text`} className="font-semibold">
          Rechercher un nom ou une adresse
        </label>
        <div className="relative">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-quiet"
          />
          <input
            id={`${id}-text`}
            type="search"
            className="input pl-10"
            autoComplete="off"
            maxLength={100}
            value={wanted.text}
            onChange={({ target }) => onWanted({ ...wanted, text: target.value })}
          />
        </div>
      </div>
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-consent`} className="font-semibold">
          Montrer
        </label>
        <select
          id={`${id}-consent`}
          className="input"
          value={wanted.consent}
          onChange={({ target }) => onWanted({ ...wanted, consent: target.value as Wanted['consent'] })}
        >
          <option value="">Tous les enfants</option>
          <Options labels={CONSENT_TEXTS} />
        </select>
      </div>
    </search>
  );
}
