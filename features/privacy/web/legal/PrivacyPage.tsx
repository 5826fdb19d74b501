import type { ReactElement } from 'react';
import { JOURNAL_DAYS } from '#features/audit/shared/journal.ts';
import { BIN_DAYS } from '#features/content/shared/limits.ts';
import { MAIL_DAYS, MAIL_TEXT_DAYS } from '#features/mails/shared/terms.ts';
import { CONSENT_PROOF_YEARS } from '#features/photos/shared/terms.ts';
import { AUDIENCE_DAYS, CONTACT_DAYS } from '#features/site/shared/limits.ts';
import { keepOptOut, outsideHosts, useHasOptedOut, useMayChoose } from '#features/site/web/consent.ts';
import {
  ContactLink,
  type Identity,
  LegalPage,
  LegalSection,
  type LegalSectionProps,
  LegalText,
  photoRetention,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';
import { DIRECTOR_DAYS, EVALUATION_DAYS } from '#features/stays/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';

type Sections = readonly ReactElement<LegalSectionProps>[];

/** Privacy policy: the nine articles, then what the site actually does with data, each with its own date. */
export function PrivacyPage() {
  const { data: identity } = useIdentity();
  const articles = articlesOf(identity);
  const complement = complementOf(identity);
  return (
    <LegalPage title="Politique de confidentialité">
      <nav aria-labelledby="sommaire" className="well mt-6 print:hidden">
        <h2 id="sommaire" className="text-xl">
          Sommaire
        </h2>
        <div className="mt-3 grid gap-x-8 gap-y-3 sm:grid-cols-2">
          <Contents title="Les articles" sections={articles} />
          <Contents title={COMPLEMENT} sections={complement} />
        </div>
      </nav>
      <p className="mt-8 text-quiet">Dernière mise à jour : 08/04/2024</p>
      <LegalText>{articles}</LegalText>
      <div className="mt-16 border-t border-mist pt-8">
        <h2>{COMPLEMENT}</h2>
        <p className="mt-3 max-w-[65ch] text-lg">
          Les articles ci-dessus donnent les règles. Voici ce que le site fait vraiment aujourd’hui. Si les
          deux diffèrent, c’est ce complément qui s’applique.
        </p>
      </div>
      <LegalText>{complement}</LegalText>
    </LegalPage>
  );
}

const COMPLEMENT = 'Complément du 23\u00a0novembre\u00a02026';

function Contents({ title, sections }: { title: string; sections: Sections }) {
  return (
    <div>
      <p className="font-semibold">{title}</p>
      <ul>
        {sections.map(({ props: { id, title: name } }) => (
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
function articlesOf(identity: Identity | undefined): Sections {
  return [
    <LegalSection key="article-1" id="article-1" title="Article 1 – Les parties">
      <p>
        Cette politique lie deux parties. L’une est {identity?.organisation_nom || 'le CSE'}, qui publie ce
        site et décide de l’usage des données : c’est « l’éditeur ». L’autre est toute personne qui consulte
        le site ou s’en sert : c’est « l’utilisateur ».
      </p>
    </LegalSection>,
    <LegalSection key="article-2" id="article-2" title="Article 2 – Définitions">
      <ul>
        <li>
          <strong>Site</strong> : l’ensemble des pages publiées à cette adresse, publiques ou réservées.
        </li>
        <li>
          <strong>Donnée personnelle</strong> : une information sur une personne que l’on peut reconnaître,
          par son nom ou en rapprochant plusieurs informations.
        </li>
        <li>
          <strong>Traitement</strong> : tout ce que l’on fait d’une donnée, comme la recueillir, la garder, la
          montrer ou l’effacer.
        </li>
        <li>
          <strong>Cookie ou traceur</strong> : une information que le site écrit ou lit sur l’appareil de
          l’utilisateur.
        </li>
      </ul>
    </LegalSection>,
    <LegalSection key="article-3" id="article-3" title="Article 3 – Champ d’application">
      <p>
        Cette politique vaut pour toutes les pages du site. Les autres sites, vers lesquels mènent des liens,
        ont chacun la leur.
      </p>
      <p>
        Le site s’adresse aux personnes de 16 ans et plus. Avant cet âge, il faut l’accord d’un parent ou du
        représentant légal pour confier au site des données personnelles.
      </p>
    </LegalSection>,
    <LegalSection key="article-4" id="article-4" title="Article 4 – Données personnelles">
      <p>
        L’éditeur ne recueille que les données utiles au service. Il ne les vend pas et ne les loue pas. Il
        applique le règlement général sur la protection des données (RGPD, règlement européen 2016/679) et la
        loi n° 78-17 du 6 janvier 1978, dite « Informatique et libertés ».
      </p>
      <p>
        L’utilisateur peut demander à voir ses données, à les faire corriger ou effacer. Il peut aussi en
        limiter l’usage ou s’y opposer. Il écrit pour cela à l’éditeur par le{' '}
        <ContactLink>formulaire de contact</ContactLink> en ligne
        {identity?.organisation_adresse ? ', ou à son adresse postale\u202f:' : ' ou à son adresse postale.'}
      </p>
      {identity?.organisation_adresse && (
        <p className="whitespace-pre-line">
          {[identity.organisation_nom, identity.organisation_adresse].filter(Boolean).join('\n')}
        </p>
      )}
    </LegalSection>,
    <LegalSection key="article-5" id="article-5" title="Article 5 – Cookies et traceurs">
      <p>
        Certains traceurs ne sont pas nécessaires au service demandé. Le site ne les dépose qu’avec l’accord
        de l’utilisateur, qui peut changer d’avis à tout moment. Un traceur est gardé 13 mois au plus ; le
        site redemande ensuite l’accord.
      </p>
    </LegalSection>,
    <LegalSection key="article-6" id="article-6" title="Article 6 – Propriété intellectuelle">
      <p>
        Les textes, les images, les logos et les documents du site appartiennent à l’éditeur, ou à ceux qui
        lui ont permis de les publier. Pour les reproduire ou les diffuser, même en partie, il faut l’accord
        écrit de leur auteur (Code de la propriété intellectuelle, article L122-4). La loi prévoit quelques
        exceptions.
      </p>
    </LegalSection>,
    <LegalSection key="article-7" id="article-7" title="Article 7 – Dispositions finales">
      <p>
        L’éditeur peut modifier cette politique quand le site ou la loi changent. La date de la dernière mise
        à jour est en haut de la page. Si une partie de ce texte était jugée nulle, le reste resterait
        valable.
      </p>
    </LegalSection>,
    <LegalSection key="article-8" id="article-8" title="Article 8 – Litiges">
      <p>
        Cette politique suit le droit français et le droit de l’Union européenne. En cas de désaccord, les
        parties cherchent d’abord une solution amiable. Sinon, elles peuvent choisir un arbitrage : un arbitre
        tranche à la place du juge.
      </p>
      <p>
        L’arbitrage demande l’accord des deux parties. On ne peut pas l’imposer à une personne qui n’agit pas
        à titre professionnel (Code civil, article 2061). Chacun garde le droit de saisir la CNIL ou le
        tribunal compétent.
      </p>
    </LegalSection>,
    <LegalSection key="article-9" id="article-9" title="Article 9 – Cookies">
      <p>
        L’utilisateur peut à tout moment voir, refuser ou effacer les cookies dans les réglages de son
        navigateur. S’il refuse ceux de la connexion, il ne peut plus ouvrir les pages réservées. Les pages
        publiques restent lisibles.
      </p>
    </LegalSection>,
  ];
}

/** What the product does with data, in plain words; must be updated when the product changes. */
function complementOf(identity: Identity | undefined): Sections {
  return [
    <LegalSection key="responsable" id="responsable" title="Qui est responsable, à qui écrire">
      <p>
        {identity?.organisation_nom || 'Le CSE qui publie ce site'} décide de l’usage de vos données et en
        répond : c’est le « responsable du traitement ».{' '}
        {identity?.contact_donnees
          ? `Pour toute question sur vos données\u202f: ${identity.contact_donnees}, ou le `
          : 'Pour toute question sur vos données, écrivez-nous par le '}
        <ContactLink>formulaire de contact</ContactLink>.
      </p>
    </LegalSection>,
    <LegalSection key="donnees" id="donnees" title="Vos données, et combien de temps nous les gardons">
      <h3>Ce que le CSE publie</h3>
      <p>
        Les actualités, les événements, les avantages, les comptes rendus et l’organigramme peuvent nommer ou
        montrer des personnes. Le CSE les publie pour informer les salariés (intérêt légitime). Un contenu
        reste tant que le CSE le publie. Une fois supprimé, il est effacé pour de bon au bout de {BIN_DAYS}
         jours.
      </p>
      <h3>Les connexions</h3>
      <p>
        Vous lisez les pages publiques sans vous connecter. Si vous ouvrez le portail, un séjour ou les
        comptes rendus, votre navigateur garde une clé de connexion. Le site y dépose aussi un seul cookie par
        connexion, qui ouvre les fichiers privés. Tous deux sont nécessaires à la connexion et ne servent pas
        à vous suivre : la loi ne demande donc pas votre accord.
      </p>
      <p>
        La connexion dure 12 heures pour le portail et les comptes rendus, et 14 jours pour la direction d’un
        séjour. Pour une famille, elle dure jusqu’à l’effacement des photos. Se déconnecter y met fin
        aussitôt.
      </p>
      <p>
        Tant qu’elle dure, le site garde son début, sa dernière utilisation, le nom du navigateur et du
        système (« Firefox sur Windows ») et une partie de l’adresse{'\u202f'}: l’équipe du CSE peut ainsi
        fermer un séjour sur un téléphone perdu. Le portail laisse en plus sur l’appareil un cookie, 400 jours
        au plus, pour prévenir la personne quand son compte est ouvert ailleurs.
      </p>
      <h3>Les brouillons</h3>
      <p>
        Tant que l’équipe du CSE ou la direction d’un séjour n’enregistre pas un texte, il reste sur son
        appareil. Le site ne le reçoit pas.
      </p>
      <h3>Les messages de contact</h3>
      <p>
        L’équipe du CSE lit votre nom, votre e-mail et votre message pour vous répondre (intérêt légitime),
        sur le site ou dans sa boîte e-mail. Sans eux, elle ne pourrait pas vous répondre. Le site n’y joint
        pas l’adresse de votre connexion. Il les efface au plus tard {CONTACT_DAYS} jours après leur arrivée.
      </p>
      <h3>Les séjours</h3>
      <p>
        L’équipe du CSE enregistre le prénom et le nom des enfants, les e-mails des familles et leur accord
        pour les photos. Chaque famille peut ainsi ouvrir son séjour. La direction du séjour voit seulement le
        prénom de l’enfant, l’initiale de son nom et cet accord.
      </p>
      <p>
        Les photos sont montrées avec l’accord des deux parents ou des représentants légaux. Une personne les
        vérifie d’abord, et le site en retire le lieu où elles ont été prises. Elles restent en ligne{' '}
        {photoRetention(identity)} après la fin du séjour, sauf si le CSE a choisi une autre durée pour ce
        séjour. Les familles sont prévenues par e-mail une semaine avant la fin.
      </p>
      <p>
        Un jour après, le site efface les photos, le mot du jour, les noms des enfants, les e-mails des
        familles et les mots de passe du séjour.
      </p>
      <p>
        La première fois qu’une connexion ouvre une photo, le site le note, avec l’heure et une partie de
        l’adresse IP, pour la sécurité (intérêt légitime). Ces notes sont effacées avec les photos. La preuve
        que les autorisations ont été recueillies est gardée {CONSENT_PROOF_YEARS} ans : le séjour, la date,
        qui l’a confirmé, et des nombres. Elle ne contient aucun nom d’enfant ni de famille. Pour en savoir
        plus, lisez la <Link to="/politique-photos">politique photos</Link>.
      </p>
      <p>
        Le site garde le nom, l’e-mail et le téléphone des personnes qui dirigent un séjour, pour l’organiser
        (intérêt légitime). Il les efface {DIRECTOR_DAYS} jours après leur dernier séjour. Les réponses au
        questionnaire de fin de séjour sont sans nom ni adresse : seul le jour de la réponse est noté. Elles
        sont gardées {EVALUATION_DAYS} jours.
      </p>
      <h3>Les e-mails</h3>
      <p>
        Le site envoie aux familles et aux directions l’accès à leur séjour. Il envoie aussi les e-mails que
        l’équipe du CSE écrit. Il garde leur texte {MAIL_TEXT_DAYS} jours après l’envoi. Il garde l’adresse et
        la date {MAIL_DAYS} jours, pour savoir si un e-mail est arrivé (intérêt légitime). Il ne sait pas si
        vous avez ouvert un e-mail.
      </p>
      <h3>La sécurité</h3>
      <p>
        Un journal note ce que l’équipe du CSE fait dans le portail : qui, quoi et quand, avec une adresse IP
        tronquée, qui ne permet plus de reconnaître un foyer. Il ne contient pas les textes écrits. Il est
        gardé {JOURNAL_DAYS} jours, pour savoir qui a changé quoi (intérêt légitime).
      </p>
      <p>
        Le site bloque les essais de mots de passe et les envois en masse. Pour cela, il compte pendant
        quelques heures les demandes venues d’une même adresse, sans la conserver en clair.
      </p>
    </LegalSection>,
    <LegalSection key="mesure-audience" id="mesure-audience" title="Mesure d’audience">
      <p>
        Le site compte ses visites par jour et par page, et rien d’autre. Ce compte se fait sans cookie, sans
        adresse, sans nom de navigateur et sans service extérieur : il ne dit rien de vous. Les chiffres
        quotidiens sont effacés après {AUDIENCE_DAYS} jours ; seuls les totaux restent.
      </p>
      <p>
        Vos visites ne sont pas comptées si votre navigateur demande à ne pas être suivi (Global Privacy
        Control ou Do Not Track), ni si vous le demandez ici.
      </p>
      <AudienceChoices />
    </LegalSection>,
    <LegalSection key="hebergement" id="hebergement" title="Où sont les données, qui les reçoit">
      <p>
        Les données sont sur le serveur du site
        {identity?.hebergeur_nom && `, chez ${identity.hebergeur_nom}`}. L’équipe du CSE est seule à les
        recevoir, avec, pour un séjour, sa direction et ses familles. Les e-mails passent aussi par le
        prestataire qui les achemine pour le CSE.
      </p>
      <p>
        De lui-même, le site n’envoie aucune donnée hors de l’Union européenne et n’appelle aucun service
        extérieur. Si la mesure d’audience ci-dessus en nomme un, il n’est appelé qu’avec votre accord. Aucune
        décision n’est prise automatiquement à partir de vos données.
      </p>
    </LegalSection>,
    <LegalSection key="mineurs" id="mineurs" title="Les mineurs">
      <p>
        En France, à partir de 15 ans, un mineur peut accepter seul qu’un service en ligne utilise ses
        données. Avant cet âge, il faut à la fois son accord et celui de ses parents, ou des autres personnes
        qui ont l’autorité parentale (loi n° 78-17, article 45). L’article 3 ci-dessus protège davantage : il
        demande l’accord d’un adulte avant 16 ans.
      </p>
    </LegalSection>,
    <LegalSection key="droits" id="droits" title="Vos droits">
      <p>Sur les données qui vous concernent, ou concernent votre enfant, vous pouvez :</p>
      <ul>
        <li>les consulter et en recevoir une copie, lisible par d’autres logiciels ;</li>
        <li>les faire corriger ou effacer ;</li>
        <li>en faire limiter l’usage, ou vous y opposer ;</li>
        <li>retirer à tout moment un accord que vous avez donné, sans dire pourquoi.</li>
      </ul>
      <p>
        Écrivez-nous par le <ContactLink>formulaire de contact</ContactLink>. L’équipe du CSE peut réunir en
        une fois tout ce que le site sait d’une adresse e-mail, vous le remettre ou l’effacer pour de bon. Une
        ancienne sauvegarde peut garder ces données quelque temps. Si on la remet en service, le site les
        efface de nouveau en démarrant.
      </p>
      <p>
        Nous vous répondons en principe dans le mois. Si la réponse ne vous convient pas, vous pouvez vous
        plaindre à la CNIL : 3 place de Fontenoy, TSA 80715, 75334 Paris CEDEX 07, ou sur{' '}
        <a href="https://www.cnil.fr/fr/plaintes" target="_blank" rel="noopener noreferrer">
          cnil.fr
          <span className="sr-only"> (nouvel onglet)</span>
        </a>
        .
      </p>
    </LegalSection>,
  ];
}

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
          Avec votre accord seulement, et pendant 13 mois au plus, {outside.join(' et ')}{' '}
          {outside.length > 1 ? 'comptent' : 'compte'} aussi vos visites, et{' '}
          {outside.length > 1 ? 'voient' : 'voit'} alors l’adresse IP de votre appareil.
          {mayChoose && ' Pour changer d’avis, choisissez «\u00a0Gérer mes choix\u00a0» en bas de page.'}
        </p>
      )}
      <p role="status">
        {isOut
          ? 'Ce navigateur a retenu votre refus\u202f: vos visites ne sont pas comptées.'
          : 'Vous n’avez pas refusé le comptage de vos visites.'}
      </p>
      <p className="noscript:hidden">
        <Button
          quiet
          onClick={() => {
            if (!keepOptOut(!isOut)) warn('Votre navigateur n’a pas gardé ce choix.');
          }}
        >
          {isOut ? 'Compter de nouveau mes visites' : 'Ne pas compter mes visites'}
        </Button>
      </p>
    </>
  );
}
