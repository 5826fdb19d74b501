import { Link } from 'react-router';
import { JOURNAL_DAYS } from '#features/audit/shared/promises.ts';
import { BIN_DAYS } from '#features/content/shared/promises.ts';
import { MAIL_DAYS, MAIL_TEXT_DAYS } from '#features/mails/shared/terms.ts';
import { CONSENT_PROOF_YEARS } from '#features/photos/shared/terms.ts';
import { AUDIENCE_DAYS, CONTACT_DAYS } from '#features/site/shared/promises.ts';
import { keepOptOut, outsideHosts, useHasOptedOut, useMayChoose } from '#features/site/web/consent.ts';
import {
  ContactLink,
  LegalPage,
  type LegalSection,
  LegalSections,
  photoRetention,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';
import { DIRECTOR_DAYS, EVALUATION_DAYS } from '#features/stays/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** Privacy policy: the nine articles, then what the site actually does with data, each with its own date. */
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

/** Table of contents of one part. */
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

/** What the product does with data, in plain words; must be updated when the product changes. */
export const PRIVACY_COMPLEMENT: readonly LegalSection[] = [
  {
    id: 'responsable',
    title: 'Qui est responsable, à qui écrire',
    Body: ({ identity }) => (
      <p>
        Le responsable des traitements est {identity?.organisation_nom || 'le CSE qui publie ce site'}.{' '}
        {identity?.contact_donnees
          ? `Pour toute question sur vos données\u202f: ${identity.contact_donnees}, ou le `
          : 'Pour toute question sur vos données, écrivez par le '}
        <ContactLink>formulaire de contact</ContactLink>.
      </p>
    ),
  },
  {
    id: 'donnees',
    title: 'Les données, et le temps qu’elles restent',
    Body: ({ identity }) => (
      <>
        <h3>Ce que le CSE publie</h3>
        <p>
          Actualités, événements, avantages, comptes rendus et organigramme peuvent nommer des personnes ou
          les montrer. Ce contenu reste tant que le CSE le publie ; une fois supprimé, il est effacé pour de
          bon au bout de {BIN_DAYS} jours. L’intérêt légitime du CSE à informer les salariés en est le
          fondement.
        </p>
        <h3>Les connexions</h3>
        <p>
          Lire les pages publiques ne demande aucune connexion. Une connexion au portail, à un séjour ou aux
          comptes rendus garde dans le navigateur un jeton de session, et dépose un seul cookie strictement
          nécessaire, qui ouvre les fichiers privés. Aucun des deux ne sert à vous suivre, et la loi dispense
          de les soumettre à votre accord. La session dure 12 heures pour le portail et les comptes rendus,
          14 jours pour la direction d’un séjour, et pour une famille jusqu’à l’effacement des photos. Se
          déconnecter y met fin aussitôt.
        </p>
        <h3>Les brouillons</h3>
        <p>
          Un texte que l’équipe du CSE ou la direction d’un séjour n’a pas encore enregistré est gardé sur son
          propre appareil ; le site ne le reçoit qu’à l’enregistrement.
        </p>
        <h3>Les messages de contact</h3>
        <p>
          Votre nom, votre e-mail et votre message sont lus par l’équipe du CSE, sur le site ou dans sa boîte
          e-mail, pour vous répondre (intérêt légitime). L’adresse de votre connexion n’est pas enregistrée
          avec eux. Ils sont effacés du site au plus tard {CONTACT_DAYS} jours après leur arrivée.
        </p>
        <h3>Les séjours</h3>
        <p>
          Le prénom et le nom des enfants, les e-mails des familles et leur accord pour les photos sont
          enregistrés par l’équipe du CSE, pour donner à chaque famille l’accès à son séjour. La direction du
          séjour voit des enfants le prénom, l’initiale du nom et cet accord, rien d’autre. Les photos sont
          montrées avec l’accord des deux parents ou des représentants légaux, après avoir été vérifiées, et
          sans le lieu où elles ont été prises. Elles restent en ligne {photoRetention(identity)} après la fin
          du séjour, sauf si le CSE a choisi pour lui une autre durée ; les familles sont prévenues par e-mail
          une semaine avant. Un jour après la fin sont effacés d’eux-mêmes, avec les photos et le mot du jour,
          les noms des enfants, les e-mails des familles et les mots de passe du séjour.
        </p>
        <p>
          Pour la sécurité, le site note quelle connexion a ouvert une photo pour la première fois, quand, et
          depuis quelle adresse IP raccourcie (intérêt légitime) ; ces notes partent avec les photos. La
          preuve que les autorisations ont été recueillies est gardée {CONSENT_PROOF_YEARS} ans, sans aucun
          nom d’enfant ni de famille : le séjour, la date, qui l’a confirmé, et des nombres. La{' '}
          <Link to="/politique-photos">politique photos</Link> dit le reste.
        </p>
        <p>
          Des personnes qui dirigent un séjour, le site garde le nom, l’e-mail et le téléphone, pour
          l’organiser (intérêt légitime du CSE), jusqu’à {DIRECTOR_DAYS} jours après leur dernier séjour. Les
          réponses au questionnaire de fin de séjour ne portent ni nom ni adresse : seul leur jour est noté.
          Elles sont gardées {EVALUATION_DAYS} jours.
        </p>
        <h3>Les e-mails</h3>
        <p>
          Le site envoie aux familles et aux directions l’accès à leur séjour, et à qui il le faut un e-mail
          écrit par l’équipe du CSE. Le texte reste {MAIL_TEXT_DAYS} jours après l’envoi ; l’adresse et la
          date, {MAIL_DAYS} jours, pour savoir si un e-mail est arrivé (intérêt légitime). Rien dans ces
          e-mails ne dit au site qu’ils ont été ouverts.
        </p>
        <h3>La sécurité</h3>
        <p>
          Un journal note ce que l’équipe du CSE fait dans le portail : qui, quoi, quand, et une adresse IP
          raccourcie qui ne désigne plus un foyer. Ce qui a été écrit n’y figure pas. Il est gardé{' '}
          {JOURNAL_DAYS} jours, pour savoir qui a changé quoi (intérêt légitime). Pour freiner les essais de
          mots de passe et les envois en masse, le site compte pendant quelques heures les demandes d’une même
          adresse, sous une empreinte où elle n’est pas lisible.
        </p>
      </>
    ),
  },
  {
    id: 'mesure-audience',
    title: 'Mesure d’audience',
    Body: () => (
      <>
        <p>
          Le site compte ses visites par jour et par page, et rien d’autre : ni cookie, ni adresse, ni nom de
          navigateur, ni intermédiaire. Les comptes ne disent donc rien de vous. Ceux de chaque jour sont
          effacés après {AUDIENCE_DAYS} jours ; seuls les totaux restent.
        </p>
        <p>
          Vos visites ne sont pas comptées si votre navigateur demande à ne pas être suivi (Global Privacy
          Control ou Do Not Track), ni si vous le demandez ici.
        </p>
        <AudienceChoices />
      </>
    ),
  },
  {
    id: 'hebergement',
    title: 'Où sont les données, qui les reçoit',
    Body: ({ identity }) => (
      <p>
        Les données sont sur le serveur qui héberge le site
        {identity?.hebergeur_nom && `, chez ${identity.hebergeur_nom}`}. Personne d’autre ne les reçoit que
        l’équipe du CSE et, pour un séjour, sa direction et ses familles ; un e-mail passe aussi par le
        prestataire qui achemine ceux du CSE. De lui-même, le site n’envoie aucune donnée hors de l’Union
        européenne et n’appelle aucun service tiers, sauf ceux que la mesure d’audience nomme ci-dessus, le
        cas échéant, et avec votre accord. Aucune décision n’est prise par une machine à partir de vos
        données.
      </p>
    ),
  },
  {
    id: 'mineurs',
    title: 'Les mineurs',
    Body: () => (
      <p>
        En France, un mineur consent seul au traitement de ses données par un service en ligne à partir de
        15 ans. Avant cet âge, l’accord doit être donné à la fois par le mineur et par les titulaires de
        l’autorité parentale (loi n° 78-17, article 45). L’article 3 ci-dessus, qui demande l’accord d’un
        adulte avant 16 ans, est plus protecteur.
      </p>
    ),
  },
  {
    id: 'droits',
    title: 'Vos droits',
    Body: () => (
      <>
        <p>Sur les données qui vous concernent, ou concernent votre enfant, vous pouvez :</p>
        <ul>
          <li>y accéder et en recevoir une copie ;</li>
          <li>les faire rectifier ou effacer ;</li>
          <li>en faire limiter l’usage, ou vous y opposer ;</li>
          <li>retirer à tout moment un consentement que vous avez donné, sans avoir à vous justifier.</li>
        </ul>
        <p>
          L’équipe du CSE peut réunir en une fois tout ce que le site sait d’une adresse e-mail, vous le
          remettre, ou l’effacer définitivement. Une sauvegarde plus ancienne peut garder ces données quelque
          temps ; si elle est remise en service, le site les efface de nouveau en démarrant.
        </p>
        <p>
          Une réponse vous est due, en principe, dans le mois. Si elle ne vous convient pas, vous pouvez
          adresser une réclamation à la CNIL : 3 place de Fontenoy, TSA 80715, 75334 Paris CEDEX 07, ou sur{' '}
          <a href="https://www.cnil.fr/fr/plaintes" target="_blank" rel="noopener noreferrer">
            cnil.fr
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
          .
        </p>
      </>
    ),
  },
];

/** The visitor's choices on audience measurement: to object to all of it, and whether external services take part. */
function AudienceChoices() {
  const outside = outsideHosts(useSite());
  const isOut = useHasOptedOut();
  const mayChoose = useMayChoose();
  const { warn } = useNotices();
  return (
    <>
      {outside.length > 0 && (
        <p>
          Avec votre accord seulement, et pendant 13 mois au plus, la mesure passe aussi par{' '}
          {outside.join(' et ')}. L’adresse IP de votre appareil y est alors vue.
          {mayChoose && ' Le bouton «\u00a0Gérer mes choix\u00a0», en bas de page, permet de changer d’avis.'}
        </p>
      )}
      <p role="status">
        {isOut
          ? 'Votre refus est gardé dans ce navigateur\u202f: vos visites ne sont pas comptées.'
          : 'Aucun refus n’est gardé dans ce navigateur.'}
      </p>
      <p className="noscript:hidden">
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            if (!keepOptOut(!isOut)) warn('Votre navigateur n’a pas gardé ce choix.');
          }}
        >
          {isOut ? 'Compter de nouveau mes visites' : 'Ne pas compter mes visites'}
        </button>
      </p>
    </>
  );
}
