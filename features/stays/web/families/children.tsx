import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useUnsaved } from '#platform/web/ui/dialogs.tsx';
import {
  FormButtons,
  fieldsOf,
  NameFields,
  Options,
  SelectField,
  TextField,
  Tick,
} from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { RecordList } from '#platform/web/ui/RecordList.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import type { Child } from '../../calls.ts';
import { CONSENTS, type Consent, NO_ADDRESS } from '../../shared/terms.ts';
import { sendCodesAddress, writeAddress } from '../stays.ts';

/* The children of a stay: the form of one, and the list of all. */

interface ChildFormProps {
  stageId: number;
  /** The child to change; undefined for a new one. */
  child: Child | undefined;
  onSaved(saved: Child & { message: string }): void;
  onClose(): void;
  /** Called when somebody else has changed or deleted the child. */
  onOvertaken(): void;
}

export function ChildForm({ stageId, child, onSaved, onClose, onOvertaken }: ChildFormProps) {
  const [isDirty, setDirty] = useState(false);
  /** Whether a child of the same names is enrolled at another address. */
  const [hasNamesake, setNamesake] = useState(false);
  /** The child as somebody else saved it meanwhile. */
  const [other, setOther] = useState<Child>();
  useUnsaved(isDirty, 'Ce que vous avez saisi pour cet enfant sera perdu.');
  const { form, errors, isBusy } = useForm({
    send: (element) => save(textsOf(element), stageId, other ?? child),
    onDone: onSaved,
    takesFocus: true,
    failure: child ? 'Erreur lors de la mise à jour' : 'Erreur lors de la création',
    incomplete: child ? undefined : 'Tous les champs sont nécessaires pour ajouter un stagiaire.',
    onFailed: ({ status, answer, champs }) => {
      // Somebody else is meant, or the child is there: nobody has overtaken the form.
      if (champs.homonyme !== undefined) {
        setNamesake(true);
        return false;
      }
      setOther((answer as { actuel?: Child } | undefined)?.actuel);
      if (status === 404 || status === 409) onOvertaken();
      return false;
    },
  });
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
      {hasNamesake && <Tick name="homonyme">C’est un autre enfant, qui porte le même nom</Tick>}
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
  const homonyme = texts.homonyme !== undefined;
  const body = { nom, prenom, mailRL, email_2, consentement_image, homonyme };
  if (!child) return call('POST /add-stagiaire', { body: { ...body, stageId } });
  const { id, version } = child;
  return call('PUT /update/:id', { params: { id }, body: { ...body, version } });
}

function summaryOf(child: Child): string {
  return [nameOf(child), addressText(child), CONSENT_TEXTS[child.consentement_image].toLowerCase()].join(
    ', ',
  );
}

function addressText({ email, email_2 }: Child): string {
  return [email || NO_ADDRESS, email_2].filter(Boolean).join(', ');
}

function ChildFields({ child, errors }: { child: Child | undefined; errors: Record<string, string> }) {
  const { email: mailRL, email_2, consentement_image = 'inconnu' } = child ?? {};
  const field = fieldsOf(errors, { mailRL, email_2, consentement_image });
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameFields person={child} errors={errors} />
      <TextField
        {...field('mailRL')}
        label="E-mail"
        type="email"
        help="D’un parent, ou de la personne responsable de l’enfant. Sans e-mail, elle reçoit une étiquette."
      />
      <TextField
        {...field('email_2')}
        label="Second e-mail"
        type="email"
        help="De l’autre parent, par exemple."
      />
      <SelectField
        {...field('consentement_image')}
        label="Droit à l’image"
        isRequired
        help="La famille accepte-t-elle que l’enfant soit sur des photos ?"
      >
        <Options labels={CONSENTS} />
      </SelectField>
    </div>
  );
}

const CONSENT_TEXTS: Record<Consent, string> = {
  oui: 'Photos autorisées',
  non: 'Sans droit à l’image',
  inconnu: 'Accord inconnu',
};

/** « 24 enfants, dont 3 sans droit à l’image et 5 dont l’accord est inconnu ». */
export function countOf(children: readonly Child[]): string {
  const having = (consent: Consent) =>
    children.filter(({ consentement_image }) => consentement_image === consent).length;
  const all = childrenIn(children.length);
  const told = [
    { count: having('non'), text: 'sans droit à l’image' },
    { count: having('inconnu'), text: 'dont l’accord est inconnu' },
  ].filter(({ count }) => count > 0);
  if (told[0]?.count === children.length) return `${all}, ${told[0].text}`;
  return [all, told.map(({ count, text }) => `${count} ${text}`).join(' et ')]
    .filter(Boolean)
    .join(', dont ');
}

export function childrenIn(count: number): string {
  return `${count} enfant${count > 1 ? 's' : ''}`;
}

export function nameOf({ prenom, nom }: Child): string {
  return `${prenom} ${nom}`;
}

function described(child: Child): string {
  return [child.nom, child.prenom, addressText(child), CONSENT_TEXTS[child.consentement_image]].join(' ');
}

interface ChildListProps {
  stageId: number;
  items: readonly Child[];
  isBusy: boolean;
  onAdd(): void;
  onUpdate(child: Child): void;
  onDelete(children: readonly Child[]): void;
  onMove(children: readonly Child[]): void;
  onConsent(children: readonly Child[], consent: Consent): void;
  /** What is done with all of them. */
  beside: ReactNode;
}

const NONE_TO_UPDATE = 'Veuillez sélectionner un stagiaire pour mettre à jour.';
const NONE_TO_DELETE = 'Veuillez sélectionner une famille à supprimer.';
const NONE_TO_MOVE = 'Veuillez sélectionner un enfant à déplacer.';

/** The list of children: a row opens the form of its child, buttons act on the ticked ones. */
export function ChildList(props: ChildListProps) {
  const { items, onUpdate, beside } = props;
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      <RecordList
        label="Enfants de ce séjour"
        items={items}
        nouns={['enfant', 'enfants']}
        searchLabel="Rechercher un nom ou une adresse"
        beside={beside}
        isPrivate
        textOf={({ prenom, nom, email, email_2 }) => [prenom, nom, email, email_2].join(' ')}
        nameOf={described}
        parts={[
          { key: '', label: 'Tous les enfants', has: () => true },
          { key: 'sans', label: NO_ADDRESS, has: ({ email }: Child) => email === '' },
          ...(Object.entries(CONSENT_TEXTS) as [Consent, string][]).map(([consent, label]) => ({
            key: consent,
            label,
            has: (child: Child) => child.consentement_image === consent,
          })),
        ]}
        row={(child) => (
          <span className="record-main grid items-center gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_10rem]">
            <button type="button" className="row-open" onClick={() => onUpdate(child)}>
              <b className="font-semibold">{child.nom}</b> {child.prenom}
            </button>
            <span className="text-sm text-quiet">{addressText(child)}</span>
            <span className={`text-sm sm:text-right ${COLOURS[child.consentement_image]}`}>
              {CONSENT_TEXTS[child.consentement_image]}
            </span>
          </span>
        )}
        onTicked={(ticked) => <ChildActions {...props} ticked={ticked} place={place} />}
      />
    </div>
  );
}

interface ChildActionsProps extends Omit<ChildListProps, 'items' | 'beside'> {
  ticked: readonly Child[];
  place: RefObject<HTMLElement | null>;
}

function ChildActions(props: ChildActionsProps) {
  const { stageId, ticked, place, isBusy, onAdd, onUpdate, onDelete, onMove, onConsent } = props;
  const [isMissed, setMissed] = useState(false);
  const { warn, clear } = useNotices();
  useEffect(() => {
    if (!isMissed || ticked.length === 0) return;
    // The warning was about the missing choice.
    clear();
    setMissed(false);
  }, [isMissed, ticked, clear]);
  const withTicked = (isEnough: boolean, work: () => void, missing: string) => () => {
    if (isEnough) return work();
    setMissed(ticked.length === 0);
    warn(missing);
    place.current?.querySelector<HTMLElement>('.record-tick')?.focus();
  };
  const hasTicked = ticked.length > 0;
  const [first] = ticked;
  const ids = ticked.map(({ id }) => id);
  return (
    <>
      {hasTicked && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: buttons that act are no fields of a form */}
          <div
            role="group"
            aria-label="Pour les enfants cochés, droit à l’image"
            className="flex w-full flex-wrap items-center gap-2"
          >
            <span aria-hidden="true" className="font-semibold">
              Droit à l’image
            </span>
            {(Object.entries(CONSENTS) as [Consent, string][]).map(([consent, label]) => (
              <Button key={consent} quiet aria-disabled={isBusy} onClick={() => onConsent(ticked, consent)}>
                {label}
              </Button>
            ))}
          </div>
          <Link className="button quiet" to={writeAddress(stageId, ids)}>
            Écrire
          </Link>
          <Link className="button quiet" to={sendCodesAddress({ stageIds: [stageId], children: ids })}>
            Envoyer les codes
          </Link>
        </>
      )}
      <Button onClick={withTicked(ticked.length === 1, () => first && onUpdate(first), NONE_TO_UPDATE)}>
        Modifier
      </Button>
      <Button
        quiet
        aria-disabled={isBusy}
        onClick={withTicked(hasTicked, () => onMove(ticked), NONE_TO_MOVE)}
      >
        Changer de séjour
      </Button>
      <Button quiet onClick={onAdd}>
        Ajouter un enfant
      </Button>
      <Button
        danger
        className="ml-auto"
        aria-disabled={isBusy}
        onClick={withTicked(hasTicked, () => onDelete(ticked), NONE_TO_DELETE)}
      >
        Supprimer
      </Button>
    </>
  );
}

/** Colours of consents; the text says the same. */
const COLOURS: Record<Consent, string> = {
  oui: 'text-quiet',
  non: 'font-semibold text-coral',
  inconnu: 'font-semibold',
};

/** The list on paper, where nothing else of the page is printed. */
export function PrintedChildren({ title, items }: { title: string; items: readonly Child[] }) {
  return (
    <div className="printed-alone hidden print:block">
      <p className="mb-4 font-title text-xl font-semibold">{title}</p>
      <table className="board">
        <thead>
          <tr>
            {['Nom', 'Prénom', 'E-mails', 'Photos'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((child) => (
            <tr key={child.id}>
              <td>{child.nom}</td>
              <td>{child.prenom}</td>
              <td>{addressText(child)}</td>
              <td className="whitespace-nowrap">{CONSENT_TEXTS[child.consentement_image]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
