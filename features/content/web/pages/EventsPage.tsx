import { MapPin } from 'lucide-react';
import { Link } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Moment } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { CalendarLeaf } from './CalendarLeaf.tsx';
import { Card, CardGrid, GRID_SIZES } from './Card.tsx';
import { EVENT_FOLDER, EVENTS_QUESTION, isUpcoming } from './questions.ts';

/** Upcoming events, nearest first, then past ones. */
export function EventsPage() {
  const { today } = useSite();
  const query = useQuestion(EVENTS_QUESTION, 'Erreur lors de la récupération des événements:');
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
  return (
    <CardGrid>
      {events.map((event, index) => (
        <li key={event.id}>
          <EventCard event={event} level="h2" isFirst={index === 0} />
        </li>
      ))}
    </CardGrid>
  );
}

/** Number of past events shown at first. */
const PAST_SHOWN = 12;

function Past({ events }: { events: ListedEvent[] }) {
  if (events.length === 0) return null;
  const rest = events.slice(PAST_SHOWN);
  return (
    <section aria-labelledby="passes" className="mt-12">
      <h2 id="passes" className="mb-6">
        Événements passés
      </h2>
      <PastGrid events={events.slice(0, PAST_SHOWN)} />
      {rest.length > 0 && (
        <details className="mt-6">
          <summary className="button quiet">
            {rest.length === 1 ? 'Voir un autre événement' : `Voir les ${rest.length} autres`}
          </summary>
          <div className="mt-6">
            <PastGrid events={rest} />
          </div>
        </details>
      )}
    </section>
  );
}

function PastGrid({ events }: { events: ListedEvent[] }) {
  return (
    <CardGrid>
      {events.map((event) => (
        <li key={event.id}>
          <EventCard event={event} level="h3" />
        </li>
      ))}
    </CardGrid>
  );
}

export type ListedEvent = ReplyOf<'GET /events'>[number];

interface EventCardProps {
  event: ListedEvent;
  /** Heading level of its title: below the page's heading, or below a section's. */
  level: 'h2' | 'h3';
  isFirst?: boolean;
}

export function EventCard({ event, level: Heading, isFirst = false }: EventCardProps) {
  const { id, title, date, fin, location, summary, image_url, illustrations } = event;
  const address = `/event-detail/${id}`;
  return (
    <Card
      id={id}
      title={title}
      illustration={illustrationOf(image_url, illustrations)}
      folder={EVENT_FOLDER}
      to={address}
      sizes={GRID_SIZES}
      isFirst={isFirst}
      corner={<CalendarLeaf date={date} className="absolute top-3 left-3" />}
    >
      <p className="text-sm font-semibold text-quiet">
        <Moment value={date} end={fin} />
      </p>
      <Heading className="card-title">
        <Link to={address}>{title}</Link>
      </Heading>
      <p className="line-clamp-3 wrap-anywhere">{excerpt(summary)}</p>
      <p className="mt-auto flex items-start gap-2 pt-1 text-quiet">
        <MapPin aria-hidden="true" className="mt-1 size-4 shrink-0" />
        <span className="line-clamp-2 wrap-anywhere">{location}</span>
      </p>
    </Card>
  );
}
