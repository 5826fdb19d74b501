import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Cards, EventCard } from './Card.tsx';
import { EVENTS_QUESTION, isUpcoming } from './questions.ts';

export function EventsPage() {
  const { today } = useSite();
  const query = useQuestion(EVENTS_QUESTION);
  const isAhead = (event: ListedEvent) => isUpcoming(event, today);
  return (
    <div className="page">
      <h1 className="mb-6">Nos événements</h1>
      <ListState
        query={query}
        failed="Les événements n’ont pas pu être chargés."
        empty="Pas d’événement pour le moment."
        drawing="campfire"
      >
        {(events) => (
          <>
            <Upcoming events={events.filter(isAhead)} />
            <Past events={events.filter((event) => !isAhead(event))} />
          </>
        )}
      </ListState>
    </div>
  );
}

function Upcoming({ events }: { events: ListedEvent[] }) {
  if (events.length === 0) return <p className="well">Pas d’événement à venir pour le moment.</p>;
  return <Cards items={events} Card={EventCard} />;
}

const PAST_SHOWN = 12;

function Past({ events }: { events: ListedEvent[] }) {
  if (events.length === 0) return null;
  const rest = events.slice(PAST_SHOWN);
  return (
    <Section id="passes" title="Événements passés" className="mt-12" look="mb-6">
      <Cards items={events.slice(0, PAST_SHOWN)} Card={EventCard} level="h3" />
      {rest.length > 0 && (
        <details className="mt-6">
          <summary className="button quiet">
            {rest.length === 1 ? 'Voir un autre événement' : `Voir les ${rest.length} autres`}
          </summary>
          <div className="mt-6">
            <Cards items={rest} Card={EventCard} level="h3" />
          </div>
        </details>
      )}
    </Section>
  );
}

export type ListedEvent = ReplyOf<'GET /events'>[number];
