import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { FeaturedList } from './FeaturedList.tsx';
import { NewsList } from './NewsList.tsx';
import { PartnerList } from './PartnerList.tsx';

/** The three lists, each on its own: one that fails never hides the others. */
export function HomePage() {
  return (
    <>
      <Drawing name="horizon" className="h-[clamp(8.5rem,21.9vw,26rem)] w-full" />
      <div className="page pt-6">
        <h1 className="sr-only">Accueil du portail CSE</h1>
        <div className="home-columns grid grid-cols-1 gap-10 lg:grid-cols-5">
          <section aria-labelledby="a-la-une" className="min-w-0 lg:order-2 lg:col-span-2">
            <h2 id="a-la-une" className="mb-4">
              À la Une
            </h2>
            <FeaturedList />
          </section>
          <div className="flex min-w-0 flex-col gap-10 lg:order-1 lg:col-span-3">
            <section aria-labelledby="actualite">
              <h2 id="actualite" className="mb-4">
                L’Actualité
              </h2>
              <NewsList />
            </section>
            <section aria-labelledby="partenaires">
              <h2 id="partenaires" className="mb-4">
                Partenaires
              </h2>
              <PartnerList />
            </section>
          </div>
        </div>
      </div>
    </>
  );
}
