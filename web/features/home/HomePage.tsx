import { FeaturedList } from './FeaturedList.tsx';
import { NewsList } from './NewsList.tsx';
import { PartnerList } from './PartnerList.tsx';

/** The three lists, each on its own: one that fails never hides the others. */
export function HomePage() {
  return (
    <>
      <h1 className="sr-only">Accueil du portail CSE</h1>
      <div className="grid gap-10 lg:grid-cols-5">
        <section aria-labelledby="a-la-une" className="lg:order-2 lg:col-span-2">
          <h2 id="a-la-une">À la Une</h2>
          <FeaturedList />
        </section>
        <div className="flex flex-col gap-10 lg:order-1 lg:col-span-3">
          <section aria-labelledby="actualite">
            <h2 id="actualite">L’Actualité</h2>
            <NewsList />
          </section>
          <section aria-labelledby="partenaires">
            <h2 id="partenaires">Partenaires</h2>
            <PartnerList />
          </section>
        </div>
      </div>
    </>
  );
}
