import {
  ContactLink,
  LegalPage,
  type LegalSection,
  LegalSections,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';
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

/** The nine articles of 8 April 2024, in their order. */
export const PRIVACY_ARTICLES: readonly LegalSection[] = [
  {
    id: 'article-1',
    title: 'Article 1 – Les parties',
    Body: ({ identity }) => (
      <p>
        Cette politique s’applique entre, d’une part, {identity?.organisation_nom || 'le CSE'}, qui publie ce
        site et décide de ce qui y est fait des données, appelé « l’éditeur », et d’autre part toute personne
        qui consulte ce site ou s’en sert, appelée « l’utilisateur ».
      </p>
    ),
  },
  {
    id: 'article-2',
    title: 'Article 2 – Définitions',
    Body: () => (
      <ul>
        <li>
          <strong>Site</strong> : l’ensemble des pages publiées à cette adresse, publiques ou réservées.
        </li>
        <li>
          <strong>Donnée personnelle</strong> : toute information qui se rapporte à une personne que l’on peut
          reconnaître, directement ou par recoupement.
        </li>
        <li>
          <strong>Traitement</strong> : tout ce qui est fait d’une donnée, comme la recueillir, la garder, la
          montrer ou l’effacer.
        </li>
        <li>
          <strong>Cookie ou traceur</strong> : une information que le site dépose ou lit sur l’appareil de
          l’utilisateur.
        </li>
      </ul>
    ),
  },
  {
    id: 'article-3',
    title: 'Article 3 – Champ d’application',
    Body: () => (
      <>
        <p>
          Cette politique vaut pour toutes les pages du site. Elle ne vaut pas pour les sites vers lesquels
          mènent des liens : chacun a la sienne.
        </p>
        <p>
          Le site s’adresse aux personnes de 16 ans et plus. Avant cet âge, il faut l’accord d’un parent ou du
          représentant légal pour confier au site des données personnelles.
        </p>
      </>
    ),
  },
  {
    id: 'article-4',
    title: 'Article 4 – Données personnelles',
    Body: ({ identity }) => (
      <>
        <p>
          L’éditeur ne recueille que les données utiles au service rendu, et ne les vend ni ne les loue à
          personne. Il applique le règlement général sur la protection des données (RGPD, règlement européen
          2016/679) et la loi n° 78-17 du 6 janvier 1978, dite « Informatique et libertés ».
        </p>
        <p>
          L’utilisateur peut demander à voir les données qui le concernent, à les faire corriger ou effacer, à
          en limiter l’usage ou s’y opposer. Il écrit pour cela à l’éditeur par le{' '}
          <ContactLink>formulaire de contact</ContactLink> en ligne
          {identity?.organisation_adresse
            ? ', ou à son adresse postale\u202f:'
            : ' ou à son adresse postale.'}
        </p>
        {identity?.organisation_adresse && (
          <p className="whitespace-pre-line">
            {[identity.organisation_nom, identity.organisation_adresse].filter(Boolean).join('\n')}
          </p>
        )}
      </>
    ),
  },
  {
    id: 'article-5',
    title: 'Article 5 – Cookies et traceurs',
    Body: () => (
      <p>
        Un traceur qui n’est pas nécessaire au service demandé n’est déposé qu’avec l’accord de l’utilisateur,
        qui peut le reprendre à tout moment. Un traceur n’est pas conservé plus de 13 mois ; passé ce délai,
        l’accord est demandé de nouveau.
      </p>
    ),
  },
  {
    id: 'article-6',
    title: 'Article 6 – Propriété intellectuelle',
    Body: () => (
      <p>
        Les textes, les images, les logos et les documents du site appartiennent à l’éditeur ou à ceux qui lui
        ont permis de les publier. Les reproduire ou les diffuser, en tout ou en partie, demande l’accord
        écrit de leur auteur (Code de la propriété intellectuelle, article L122-4), sauf les exceptions que la
        loi prévoit.
      </p>
    ),
  },
  {
    id: 'article-7',
    title: 'Article 7 – Dispositions finales',
    Body: () => (
      <p>
        L’éditeur peut modifier cette politique quand le site ou la loi changent ; la date de la dernière mise
        à jour figure en tête. Si une de ses dispositions était jugée nulle, les autres resteraient valables.
      </p>
    ),
  },
  {
    id: 'article-8',
    title: 'Article 8 – Litiges',
    Body: () => (
      <>
        <p>
          Cette politique est soumise au droit français et au droit de l’Union européenne. En cas de
          désaccord, les parties cherchent d’abord une solution amiable. À défaut, elles peuvent s’en remettre
          à un arbitrage.
        </p>
        <p>
          L’arbitrage suppose l’accord des deux parties : il ne peut pas être imposé à qui n’agit pas dans le
          cadre de son activité professionnelle (Code civil, article 2061), et ne prive personne du droit de
          saisir la CNIL ou le tribunal compétent.
        </p>
      </>
    ),
  },
  {
    id: 'article-9',
    title: 'Article 9 – Cookies',
    Body: () => (
      <p>
        L’utilisateur peut à tout moment voir, refuser ou effacer les cookies dans les réglages de son
        navigateur. Refuser ceux qui sont nécessaires à une connexion empêche seulement d’ouvrir les pages
        réservées ; les pages publiques restent lisibles.
      </p>
    ),
  },
];
