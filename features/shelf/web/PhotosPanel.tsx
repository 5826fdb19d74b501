import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { countOf, removalsText } from '#features/checking/web/texts.ts';
import { StayListState, StaySelect, useStayChoice } from '#features/stays/web/StaySelect.tsx';
import { COUNTED_STAYS, type CountedStay, photosAddress, stayLabel } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';

/** First of two steps: chooses the stay whose photos to manage; its page is the second. */
export function PhotosPanel() {
  const query = useQuestion(COUNTED_STAYS);
  return (
    <div className="max-w-2xl">
      <h1 className="mb-6">Photos d’un séjour</h1>
      <StayListState query={query}>
        {(stays) => (
          <>
            <Waiting stays={stays} />
            <PhotosChoice stays={stays} />
          </>
        )}
      </StayListState>
    </div>
  );
}

/** The stays with pending photos, those with removal requests first. */
function Waiting({ stays }: { stays: readonly CountedStay[] }) {
  const { locale } = useSite();
  const waiting = stays
    .filter(({ photos_a_verifier, photos_demandees }) => photos_a_verifier + photos_demandees > 0)
    .sort((one, other) => other.photos_demandees - one.photos_demandees);
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="attente" className="mb-8">
      <h2 id="attente" className="mb-3 flex items-center gap-2 text-xl">
        <ListChecks className="size-6 shrink-0" />
        Des photos vous attendent
      </h2>
      <ul className="border-t border-mist">
        {waiting.map((stay) => (
          <li key={stay.id} className="border-b border-mist py-2">
            <Link className="inline-flex min-h-11 items-center wrap-anywhere" to={photosAddress(stay.id)}>
              {stayLabel(stay, locale)}
            </Link>
            <p className="text-sm text-quiet">{waitingIn(stay)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** « 2 demandes de retrait à décider, 12 photos à vérifier ». */
function waitingIn({ photos_a_verifier, photos_demandees }: CountedStay): string {
  return [
    ...(photos_demandees > 0 ? [removalsText(photos_demandees)] : []),
    ...(photos_a_verifier > 0 ? [`${countOf(photos_a_verifier)} à vérifier`] : []),
  ].join(', ');
}

function PhotosChoice({ stays }: { stays: CountedStay[] }) {
  const { chosen, place, error, choose, withChosen } = useStayChoice(stays, useState<number>());
  const navigate = useNavigate();
  return (
    <div ref={place} className="flex flex-col gap-6">
      <StaySelect stays={stays} value={chosen?.id} onChoose={choose} error={error} />
      <p>
        <Button onClick={() => withChosen(({ id }) => navigate(photosAddress(id)))}>Modifier</Button>
      </p>
    </div>
  );
}
