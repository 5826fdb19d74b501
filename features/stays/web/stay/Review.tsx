import { ChevronDown } from 'lucide-react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { draftKey } from '#platform/web/drafts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { SubmitButton, TextArea } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useForm } from '#platform/web/ui/useForm.ts';
import { REVIEW_SECTIONS, type ReviewSection } from '../../shared/terms.ts';
import type { StaySession } from '../sessions.ts';
import { reviewQuestion } from '../stays.ts';
import { MarkField, useKeptValues, wordsOfMark } from './fields.tsx';
import { Part, useEndOfVisit } from './StayFrame.tsx';

/** « Bilan du séjour », fetched anew rather than from the cache, to include what a co-director wrote meanwhile. */
export function Review({ session }: { session: StaySession }) {
  const query = useQuestion(reviewQuestion(session.stageId), { isFresh: true });
  return (
    <Part id="bilan" title="Bilan du séjour">
      <LoadState query={query} failed="Le bilan n’a pas pu être chargé.">
        {(review) => <ReviewForm session={session} review={review} />}
      </LoadState>
    </Part>
  );
}

const SECTIONS = Object.entries(REVIEW_SECTIONS) as [ReviewSection, string][];

interface ReviewFormProps {
  session: StaySession;
  review: ReplyOf<'GET /stages/:id/bilan'>;
}

/** Form with a mark and a comment per section. Sends only changed sections, so that several people can write. */
function ReviewForm({ session, review }: ReviewFormProps) {
  const { stageId } = session;
  const { say, clear } = useNotices();
  const endVisit = useEndOfVisit(session);
  const kept = useKeptValues(draftKey('directeur', 'bilan', stageId), valuesOf(review));
  const { values, changes } = kept;
  const isDirty = Object.keys(changes).length > 0;
  const { form, errors, isBusy } = useForm({
    send: async () => {
      const sections = SECTIONS.map(([code]) => sectionOf(values, code)).filter(
        ({ code }) => noteName(code) in changes || commentName(code) in changes,
      );
      if (sections.length === 0) return { message: 'Rien n’a changé depuis le dernier enregistrement.' };
      return call('PUT /stages/:id/bilan', { as: 'stay', params: { id: stageId }, body: { sections } });
    },
    onDone: ({ message }) => {
      kept.confirm(values);
      say(message);
    },
    failure: 'Erreur lors de l’enregistrement du bilan',
    onFailed: (error) => endVisit(error),
  });
  const done = SECTIONS.filter(([code]) => isDone(values, code)).length;
  const change = (name: string, value: string) => {
    // Clears the notice of the last save, which would otherwise stay on screen over the button of the next.
    clear();
    kept.change(name, value);
  };
  return (
    <form {...form} className="flex flex-col gap-4">
      <div>
        <p className="font-semibold">
          {done} section{done > 1 ? 's' : ''} sur {SECTIONS.length}
        </p>
        <div aria-hidden="true" className="my-2 h-2 overflow-hidden rounded-full bg-mist">
          <div className="h-full bg-moss" style={{ width: `${(100 * done) / SECTIONS.length}%` }} />
        </div>
        {kept.foundAt && isDirty && (
          <p className="text-sm text-quiet">
            Votre brouillon du <Instant value={kept.foundAt} /> a été repris sur cet appareil.
          </p>
        )}
      </div>
      <div className="divide-y divide-mist border-y border-mist">
        {SECTIONS.map(([code, title]) => (
          <Section key={code} code={code} title={title} values={values} change={change} />
        ))}
      </div>
      <FieldError error={errors.sections} />
      <div
        className={`${isDirty ? 'sticky bottom-0 z-10' : ''} -mx-5 -mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-mist bg-card px-5 py-3 sm:-mx-6 sm:-mb-6 sm:px-6`}
      >
        <SubmitButton yes="Enregistrer le bilan" busy="Enregistrement…" isBusy={isBusy} />
        <p className="text-sm text-quiet">{isDirty ? 'Modifications à enregistrer' : ''}</p>
      </div>
    </form>
  );
}

interface SectionProps {
  code: ReviewSection;
  title: string;
  values: Record<string, string>;
  change(name: string, value: string): void;
}

/** One section, collapsed at first, so that the next one is easy to reach on a phone. */
function Section({ code, title, values, change }: SectionProps) {
  const note = values[noteName(code)] ?? '';
  const state = note !== '' ? wordsOfMark(note) : isDone(values, code) ? 'commentée' : 'à remplir';
  return (
    <details className="group">
      <summary className="flex min-h-14 items-center gap-3 py-2">
        <span className="grow font-semibold">{title}</span>
        <span className="text-sm text-quiet">{state}</span>
        <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-3 pb-5">
        <MarkField
          label={
            <>
              Note<span className="sr-only">{`\u202f: ${title}`}</span>
            </>
          }
          value={note}
          onChange={(mark) => change(noteName(code), mark)}
        />
        <TextArea
          label="Commentaire"
          name={commentName(code)}
          maxLength={5_000}
          value={values[commentName(code)]}
          onType={(text) => change(commentName(code), text)}
        />
      </div>
    </details>
  );
}

const noteName = (code: ReviewSection) => `${code}_note`;
const commentName = (code: ReviewSection) => `${code}_commentaire`;

function valuesOf({ sections }: ReviewFormProps['review']): Record<string, string> {
  return Object.fromEntries(
    sections.flatMap(({ code, note, commentaire }) => [
      [noteName(code), note === null ? '' : String(note)],
      [commentName(code), commentaire],
    ]),
  );
}

function sectionOf(values: Record<string, string>, code: ReviewSection) {
  const note = values[noteName(code)] ?? '';
  return { code, note: note === '' ? null : Number(note), commentaire: values[commentName(code)] ?? '' };
}

function isDone(values: Record<string, string>, code: ReviewSection): boolean {
  const { note, commentaire } = sectionOf(values, code);
  return note !== null || commentaire.trim() !== '';
}
