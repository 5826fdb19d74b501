import { MapPin } from 'lucide-react';
import { Link } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { Card, GRID_SIZES } from '#platform/web/ui/Card.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Moment } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { CalendarLeaf } from './CalendarLeaf.tsx';
import { EVENT_FOLDER } from './questions.ts';

export type ListedEvent = ReplyOf<'GET /events'>[number];

interface EventCardProps {
  event: ListedEvent;
  /** Of its title: below the page's, or below its section's. */
  level: 'h2' | 'h3';
  isFirst?: boolean;
}

export function EventCard({ event, level: Heading, isFirst = false }: EventCardProps) {
  const { id, title, date, location, summary, image_url, illustrations } = event;
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
        <Moment value={date} />
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
