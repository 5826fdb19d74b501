import {
  LegalPage,
  type LegalSection,
  LegalSections,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';
import { PRIVACY_ARTICLES } from './PrivacyArticles.tsx';
import { PRIVACY_COMPLEMENT } from './PrivacyComplement.tsx';

/** The nine articles, then what the site really does with data, each with its own date. */
export function PrivacyPage() {
  const { data: identity } = useIdentity();
  return (
    <LegalPage title="Politique de confidentialité">
      <nav aria-labelledby="sommaire" className="well mt-6 print:hidden">
        <h2 id="sommaire" className="text-xl">
          Sommaire
        </h2>
        <div className="mt-3 grid gap-x-8 gap-y-3 sm:grid-cols-2">
          <Contents title="Les articles" sections={PRIVACY_ARTICLES} />
          <Contents title={COMPLEMENT} sections={PRIVACY_COMPLEMENT} />
        </div>
      </nav>
      <p className="mt-8 text-quiet">Dernière mise à jour : 08/04/2024</p>
      <LegalSections sections={PRIVACY_ARTICLES} identity={identity} />
      <div className="mt-16 border-t border-mist pt-8">
        <h2>{COMPLEMENT}</h2>
        <p className="mt-3 max-w-[65ch] text-lg">
          Les articles ci-dessus disent les règles. Voici ce que le site fait réellement aujourd’hui ; là où
          les deux diffèrent, c’est ce complément qui vaut.
        </p>
      </div>
      <LegalSections sections={PRIVACY_COMPLEMENT} identity={identity} />
    </LegalPage>
  );
}

const COMPLEMENT = 'Complément du 21\u00a0novembre\u00a02026';

/** Where each part begins. */
function Contents({ title, sections }: { title: string; sections: readonly LegalSection[] }) {
  return (
    <div>
      <p className="font-semibold">{title}</p>
      <ul>
        {sections.map(({ id, title: name }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-flex min-h-11 items-center leading-snug">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
