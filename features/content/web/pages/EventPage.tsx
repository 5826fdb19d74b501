import { CalendarPlus, MapPin } from 'lucide-react';
import { useParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { API_PREFIX } from '#platform/web/api.ts';
import { useThing } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Gallery } from '#platform/web/ui/Gallery.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Moment } from '#platform/web/ui/Time.tsx';
import { CalendarLeaf } from './CalendarLeaf.tsx';
import { EVENT_FOLDER, eventQuestion } from './questions.ts';
import { Details, Story, StoryPage, StoryPicture, Summary } from './Story.tsx';

type Event = ReplyOf<'GET /events/:id'>[number];

/** One event in full. */
export function EventPage() {
  const { id = '' } = useParams();
  const query = useThing(eventQuestion(id), 'Erreur lors de la récupération de l’événement:');
  useTitle(query.data?.[0]?.title);
  return (
    <StoryPage
      query={query}
      back={{ to: '/Evenements', label: 'Tous les événements' }}
      failed="L’événement n’a pas pu être chargé."
      absent="Cet événement n’existe pas ou n’existe plus."
    >
      {([event]) => event && <EventStory event={event} />}
    </StoryPage>
  );
}

function EventStory({ event }: { event: Event }) {
  const { id, title, summary, article, image_url, images, illustrations } = event;
  const presentation = illustrationOf(image_url, illustrations);
  const pictures = images.split(';').flatMap((name) => illustrationOf(name, illustrations) ?? []);
  return (
    <Story id={id} title={title} illustration={presentation} folder={EVENT_FOLDER} isBlurred>
      <Facts event={event} />
      <Summary>{summary}</Summary>
      <StoryPicture illustration={presentation} folder={EVENT_FOLDER} />
      <Details text={article} />
      {pictures.length > 0 && (
        <section aria-labelledby="images">
          <h2 id="images" className="mb-3">
            En images
          </h2>
          <Gallery illustrations={pictures} folder={EVENT_FOLDER} />
        </section>
      )}
    </Story>
  );
}

/** Date, place, and a link to add the event to a calendar. */
function Facts({ event: { id, date, location } }: { event: Event }) {
  return (
    <div className="card flex-row flex-wrap items-center gap-x-5 gap-y-3 p-4">
      <CalendarLeaf date={date} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">
          <Moment value={date} />
        </p>
        <p className="flex items-start gap-2 text-quiet">
          <MapPin aria-hidden="true" className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{location}</span>
        </p>
      </div>
      {!Number.isNaN(Date.parse(date)) && (
        <a href={`${API_PREFIX}/events/${id}/agenda`} download className="button quiet">
          <CalendarPlus aria-hidden="true" className="size-5" />
          Ajouter à mon agenda
        </a>
      )}
    </div>
  );
}
