import { CalendarPlus, MapPin } from 'lucide-react';
import { type ComponentType, type MouseEvent, useState } from 'react';
import { useParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { API_PREFIX } from '#platform/web/api.ts';
import { opensElsewhere } from '#platform/web/history.tsx';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import type { LightboxProps } from '#platform/web/ui/Lightbox.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Moment } from '#platform/web/ui/Time.tsx';
import { CalendarLeaf, EventCard, Instead } from './Card.tsx';
import { EVENT_FOLDER, eventQuestion, INSTEAD_QUESTIONS, isUpcoming } from './questions.ts';
import { Details, Story, StoryPage, StoryPicture, Summary, ToSite, useFromList } from './Story.tsx';

type Event = ReplyOf<'GET /events/:id'>[number];

export function EventPage() {
  const { id = '' } = useParams();
  const listed = useFromList('GET /events', id);
  const query = useThing(eventQuestion(id), {
    meanwhile: listed && [{ ...listed, article: '', lien_plan: '', lien_inscription: '' }],
  });
  return (
    <StoryPage
      query={query}
      title={query.data?.[0]?.title}
      back={{ to: '/Evenements', label: 'Tous les événements' }}
      list="events"
      id={id}
      at="/event-detail/"
      failed="L’événement n’a pas pu être chargé."
      absent="Cet événement n’existe pas ou n’existe plus."
      instead={<OtherEvents />}
    >
      {([event]) => event && <EventStory item={event} />}
    </StoryPage>
  );
}

/** The next events; where there is none, the latest. */
function OtherEvents() {
  const { today } = useSite();
  const { data = [] } = useQuestion(INSTEAD_QUESTIONS.events);
  const upcoming = data.filter((event) => isUpcoming(event, today));
  return (
    <Instead
      title={upcoming.length > 0 ? 'Les prochains événements' : 'Les derniers événements'}
      items={upcoming.length > 0 ? upcoming : data}
      Card={EventCard}
    />
  );
}

export function EventStory({ item }: { item: Event }) {
  const { id, title, summary, article, image_url, images, illustrations } = item;
  const presentation = illustrationOf(image_url, illustrations);
  const pictures = images.split(';').flatMap((name) => illustrationOf(name, illustrations) ?? []);
  return (
    <Story id={id} title={title} illustration={presentation} folder={EVENT_FOLDER} isBlurred>
      <Facts event={item} />
      <Summary>{summary}</Summary>
      <Details text={article} />
      <StoryPicture illustration={presentation} folder={EVENT_FOLDER} />
      {pictures.length > 0 && (
        <Section id="images" title="En images" look="mb-3">
          <Gallery illustrations={pictures} folder={EVENT_FOLDER} />
        </Section>
      )}
    </Story>
  );
}

function Facts({ event }: { event: Event }) {
  const { id, date, fin, location, lien_plan, lien_inscription } = event;
  const { today } = useSite();
  const isPast = !isUpcoming(event, today);
  const isDated = !Number.isNaN(Date.parse(date));
  return (
    <div className="card flex-row flex-wrap items-center gap-x-5 gap-y-3 p-4">
      <CalendarLeaf date={date} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3 font-semibold">
          <span className="inline-block first-letter:uppercase">
            <Moment value={date} end={fin} />
          </span>
          {isDated && isPast && <span className="state">Passé</span>}
        </p>
        <p className="flex items-start gap-2 text-quiet">
          <MapPin className="mt-1 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {location}
            {lien_plan && (
              <a
                href={lien_plan}
                target="_blank"
                rel="noopener noreferrer"
                className="flex w-fit flex-wrap items-center gap-x-1"
              >
                Voir le plan
                <ToSite address={lien_plan} />
              </a>
            )}
          </span>
        </p>
      </div>
      {isDated && !isPast && (
        <div className="flex min-w-0 flex-wrap gap-2">
          {lien_inscription && (
            <a
              href={lien_inscription}
              target="_blank"
              rel="noopener noreferrer"
              className="button max-w-full flex-wrap"
            >
              S’inscrire
              <ToSite address={lien_inscription} />
            </a>
          )}
          <a
            href={`${API_PREFIX}/events/${id}/agenda`}
            download
            className="button quiet max-w-full flex-wrap"
          >
            <CalendarPlus className="size-5" />
            Ajouter à mon agenda
          </a>
        </div>
      )}
    </div>
  );
}

/**
 * Pictures in two columns. Each links to its file; a click opens it in the lightbox instead, once the lightbox's
 * chunk has been fetched.
 */
function Gallery({ illustrations, folder }: { illustrations: readonly Illustration[]; folder: string }) {
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const [shown, setShown] = useState<number>();

  async function open(event: MouseEvent<HTMLAnchorElement>, index: number): Promise<void> {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      const loaded = await import('#platform/web/ui/Lightbox.tsx');
      setLightbox(() => loaded.Lightbox);
      setShown(index);
    } catch {
      // The chunk could not be fetched (no connection, or the site was updated): follow the link.
      window.location.assign(href);
    }
  }

  return (
    <>
      <ul className="grid grid-cols-2 gap-3">
        {illustrations.map((illustration, index) => (
          <li key={illustration.nom}>
            <a
              href={folder + illustration.nom}
              onClick={(event) => open(event, index)}
              aria-label={nameOf(illustration, index, illustrations.length)}
              className="block overflow-hidden rounded-card"
            >
              <Picture
                illustration={illustration}
                folder={folder}
                sizes="(min-width: 896px) 394px, 48vw"
                className="aspect-3/2 w-full"
              />
            </a>
          </li>
        ))}
      </ul>
      {Lightbox && shown !== undefined && (
        <Lightbox
          illustrations={illustrations}
          folder={folder}
          first={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ texte_alternatif }: Illustration, index: number, count: number): string {
  const name = `Agrandir l’image ${index + 1} sur ${count}`;
  return texte_alternatif ? `${name}\u202f: ${texte_alternatif}` : name;
}
