import { useSite } from '#platform/web/site.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Cards, EventCard } from './Card.tsx';
import { PagedList } from './PagedList.tsx';
import { isUpcoming } from './questions.ts';

/** Events, those to come first: a page may show their end and the beginning of the past ones. */
export function EventsPage() {
  const { today } = useSite();
  return (
    <PagedList
      list="page"
      failed="Les événements n’ont pas pu être chargés."
      empty="Pas d’événement pour le moment."
    >
      {(events, page) => {
        const upcoming = events.filter((event) => isUpcoming(event, today));
        const past = events.filter((event) => !isUpcoming(event, today));
        return (
          <>
            {upcoming.length > 0 && <Cards items={upcoming} Card={EventCard} />}
            {upcoming.length === 0 && page === 1 && (
              <p className="well">Pas d’événement à venir pour le moment.</p>
            )}
            {past.length > 0 && (
              <Section id="passes" title="Événements passés" className="not-first:mt-12" look="mb-6">
                <Cards items={past} Card={EventCard} level="h3" />
              </Section>
            )}
          </>
        );
      }}
    </PagedList>
  );
}
