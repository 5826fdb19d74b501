import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '#features/photos/web/checking/texts.ts';
import { Part } from '#features/stays/web/stay/Part.tsx';
import { dayWordsQuestion } from '#features/stays/web/stay/questions.ts';
import { useKeptValues } from '#features/stays/web/stay/useKeptValues.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { dayAfter, daysBetween } from '#platform/shared/time.ts';
import { draftKey } from '#platform/web/drafts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import type { StaySession } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { WordForm } from './WordForm.tsx';

type DayWord = ReplyOf<'GET /stages/:id/jours'>[number];

interface DayWordsProps {
  stay: NamedStay;
  session: StaySession;
}

/** « Le mot du jour »: what the directors of a stay tell its families of each day. */
export function DayWords({ stay, session }: DayWordsProps) {
  const { today } = useSite();
  const query = useQuestion(dayWordsQuestion(stay.id), 'Erreur lors de la récupération des mots du jour:');
  const days = daysUntil(stay, today);
  return (
    <Part id="mots" title="Le mot du jour">
      <p>Quelques lignes que les familles lisent au-dessus des photos de chaque jour.</p>
      {days.length === 0 ? (
        <p className="well">Le premier mot s’écrira le jour du départ.</p>
      ) : (
        <LoadState query={query} failed="Les mots du jour n’ont pas pu être chargés.">
          {(words) => (
            <div className="divide-y divide-mist border-y border-mist">
              {days.map((jour, place) => {
                const word = words.find((one) => one.jour === jour);
                return (
                  <Day
                    key={jour}
                    word={word ?? { jour, mot: '', photos: 0 }}
                    session={session}
                    isFirst={place === 0}
                  />
                );
              })}
            </div>
          )}
        </LoadState>
      )}
    </Part>
  );
}

/** The days of a stay that have begun, the latest first. */
function daysUntil({ date_debut, date_fin }: NamedStay, today: string): string[] {
  const last = today < date_fin ? today : date_fin;
  const count = daysBetween(date_debut, last) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, back) => dayAfter(last, -back));
}

interface DayProps {
  word: DayWord;
  session: StaySession;
  isFirst: boolean;
}

function Day({ word: { jour, mot, photos }, session, isFirst }: DayProps) {
  const { locale, today } = useSite();
  const kept = useKeptValues(draftKey('directeur', `mot-${jour}`, session.stageId), { mot });
  const isDirty = 'mot' in kept.changes;
  // Opened by hand from then on.
  const [isOpenFirst] = useState(isFirst || isDirty);
  const state = isDirty ? 'brouillon' : mot ? 'écrit' : 'à écrire';
  return (
    <details className="group" open={isOpenFirst}>
      <summary className="flex min-h-14 items-center gap-3 py-2">
        <span className="grow font-semibold first-letter:uppercase">
          {jour === today ? 'Aujourd’hui' : weekdayOf(jour, locale)}
        </span>
        <span className="shrink-0 text-sm text-quiet">
          {photos > 0 && `${countOf(photos)}, `}
          {state}
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 transition-transform group-open:rotate-180"
        />
      </summary>
      <WordForm word={{ jour, mot }} kept={kept} session={session} />
    </details>
  );
}
