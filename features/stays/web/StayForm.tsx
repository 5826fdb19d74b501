import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { CallError } from '#platform/web/api.ts';
import { conflictIn, lastChangeIn } from '#platform/web/conflicts.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { SubmitButton, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { ModifiedBy } from '#platform/web/ui/Time.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { erasedText, type ManagedStay, RETENTION_FIELD } from './stays.ts';

interface StayFormProps {
  /** The stay to change; absent for a new one. */
  stay?: ManagedStay;
  submitLabel: string;
  failure: string;
  save(body: StayTexts): Promise<ReplyOf<'POST /stages'>>;
  onSaved(saved: ReplyOf<'POST /stages'>): void;
  /** Called to replace the content of this form with the stored stay. */
  onReplaced?(stay: ManagedStay): void;
  /** Shown beside the submit button: the button that deletes the stay. */
  danger?: ReactNode;
}

/** What somebody else saved while the form was filled in. */
interface Meanwhile {
  error: CallError;
  stay: ManagedStay;
  /** Texts of the form when it was refused. */
  mine: Record<string, string>;
}

export function StayForm(props: StayFormProps) {
  const { stay, submitLabel, failure, save, onSaved, onReplaced, danger } = props;
  const [isDirty, setDirty] = useState(false);
  const [other, setOther] = useState<Meanwhile>();
  useUnsaved(isDirty);
  const { form, errors, isBusy, resubmit } = useForm({
    send: (element) => {
      const version = (other?.stay ?? stay)?.version;
      return save({
        ...(textsOf(element) as StayTexts),
        version: version ? String(version) : undefined,
      });
    },
    onDone: (saved) => {
      setDirty(false);
      onSaved(saved);
    },
    failure,
    onFailed: (error, element) => {
      const actual = conflictIn<ManagedStay>(error);
      if (actual) setOther({ error, stay: actual, mine: textsOf(element) });
      return actual !== undefined;
    },
  });
  return (
    <>
      {other && (
        <StaleStay
          key={other.stay.version}
          other={other}
          isBusy={isBusy}
          onKept={resubmit}
          onReplaced={() => {
            onReplaced?.(other.stay);
            // The button that had the focus is gone, so the focus moves to the content.
            document.getElementById('contenu')?.focus();
          }}
        />
      )}
      <form {...form} autoComplete="off" className="flex flex-col gap-8" onInput={() => setDirty(true)}>
        <StayFields texts={textsOfStay(stay)} errors={errors} stay={stay} />
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-mist pt-6">
          <SubmitButton yes={submitLabel} busy="Enregistrement…" isBusy={isBusy} />
          {danger}
        </div>
      </form>
    </>
  );
}

interface StaleStayProps {
  other: Meanwhile;
  isBusy: boolean;
  onKept(): void;
  onReplaced(): void;
}

/** Shows the fields that somebody else changed while this form was filled in, and asks which version to keep. */
function StaleStay({ other, isBusy, onKept, onReplaced }: StaleStayProps) {
  const { error, mine } = other;
  const theirs = textsOfStay(other.stay);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { locale } = useSite();
  const shown = (name: string, text = '') => (name.startsWith('date_') ? dayOf(text, locale, 'UTC') : text);
  const differing = STAY_FIELDS.filter((name) => mine[name]?.trim() !== theirs[name]?.trim());
  return (
    <section aria-labelledby="entre-temps" className="mb-8 rounded-card border-2 border-coral p-5">
      <h2 id="entre-temps" ref={heading} tabIndex={-1} className="text-xl">
        {error.message}
      </h2>
      <ModifiedBy change={lastChangeIn(error)} />
      <p className="mt-2 mb-4">
        Rien n’a été écrasé. Voici ce qui est enregistré et diffère du formulaire{'\u202f'}:
      </p>
      <dl className="flex flex-col gap-3 wrap-anywhere">
        {differing.map((name) => (
          <div key={name}>
            <dt className="font-semibold">{STAY_LABELS[name]}</dt>
            <dd className="whitespace-pre-wrap">
              {shown(name, theirs[name]) || <em className="text-quiet">vide</em>}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button aria-disabled={isBusy} onClick={onKept}>
          Enregistrer mon formulaire
        </Button>
        <Button quiet onClick={onReplaced}>
          Reprendre ce qui est enregistré
        </Button>
      </div>
    </section>
  );
}

type StayName = keyof typeof STAY_LABELS;

interface StayFieldsProps {
  texts: ReturnType<typeof textsOfStay>;
  errors: Record<string, string>;
  stay: ManagedStay | undefined;
}

function StayFields({ texts, errors, stay }: StayFieldsProps) {
  const id = useId();
  const retention = useRef<HTMLElement>(null);
  const isAsked = useLocation().hash === `#${RETENTION_FIELD}`;
  useEffect(() => {
    if (isAsked) retention.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus();
  }, [isAsked]);
  const field = (name: StayName) => ({
    name,
    label: STAY_LABELS[name],
    defaultValue: texts[name],
    error: errors[name],
  });
  return (
    <>
      <div className="flex flex-col gap-5">
        <TextField {...field('nom_stage')} isRequired maxLength={150} />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <TextField {...field('date_debut')} isRequired type="date" />
          <TextField {...field('date_fin')} isRequired type="date" />
        </div>
      </div>
      <section aria-labelledby={`${id}-information`} className="flex flex-col gap-5">
        <div>
          <h2 id={`${id}-information`}>Informations pratiques</h2>
          <p className="mt-1 text-quiet">
            Les familles et les directeurs de ce séjour les lisent une fois connectés, et personne d’autre.
          </p>
        </div>
        <TextArea {...field('adresse')} rows={3} maxLength={500} />
        <TextArea {...field('horaires')} rows={3} maxLength={1_000} />
        <TextField {...field('telephone_urgence')} type="tel" maxLength={50} />
        <TextArea {...field('consignes')} rows={6} maxLength={5_000} />
      </section>
      <section ref={retention} aria-labelledby={`${id}-photos`} className="flex flex-col gap-5">
        <div>
          <h2 id={`${id}-photos`}>Photos</h2>
          {stay && <PhotosEnd stay={stay} />}
        </div>
        <TextField
          {...field(RETENTION_FIELD)}
          isFirstFocus={isAsked}
          inputMode="numeric"
          maxLength={3}
          help="De 1 à 365 jours après la fin du séjour. Les familles et les mots de passe sont effacés avec les photos. Vide, la durée est celle des réglages du site."
        />
      </section>
    </>
  );
}

function PhotosEnd({ stay: { photos_jusquau, efface_le } }: { stay: ManagedStay }) {
  const { locale, timeZone, today } = useSite();
  const end = dayOf(photos_jusquau, locale, 'UTC');
  return (
    <p className="mt-1 text-quiet">
      {efface_le
        ? `${erasedText(efface_le, locale, timeZone)} Une conservation plus longue lui donne de nouveaux mots de passe.`
        : photos_jusquau < today
          ? `Elles étaient visibles jusqu’au ${end} inclus.`
          : `Elles sont visibles jusqu’au ${end} inclus.`}
    </p>
  );
}

const STAY_LABELS = {
  nom_stage: 'Nom du séjour',
  date_debut: 'Date de début',
  date_fin: 'Date de fin',
  adresse: 'Adresse',
  horaires: 'Horaires',
  telephone_urgence: 'Téléphone d’urgence',
  consignes: 'Consignes aux familles',
  conservation_jours: 'Conservation des photos, en jours',
} as const;

type StayField = keyof typeof STAY_LABELS;
const STAY_FIELDS = Object.keys(STAY_LABELS) as StayField[];

/** Texts of the form, and the version that it was filled from. */
type StayTexts = Record<StayField, string> & { version?: string | undefined };

/** The texts of a stay as its form shows them; blank for a new stay. */
function textsOfStay(stay: ManagedStay | undefined): Record<StayField, string> {
  return Object.fromEntries(STAY_FIELDS.map((name) => [name, String(stay?.[name] ?? '')])) as Record<
    StayField,
    string
  >;
}
