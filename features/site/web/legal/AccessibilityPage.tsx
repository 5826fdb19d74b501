import { ContactLink, LegalPage, type LegalSection, LegalSections, useIdentity } from './LegalPage.tsx';

/** The accessibility statement: how far everybody can use the site, and what to do where somebody cannot. */
export function AccessibilityPage() {
  const { data: identity } = useIdentity();
  return (
    <LegalPage title="Accessibilité">
      <p className="mt-4 max-w-[65ch] text-xl text-quiet">
        Ce site est fait pour que chacun puisse le lire et s’en servir, avec une souris, au clavier, du doigt
        ou avec un lecteur d’écran.
      </p>
      <LegalSections sections={SECTIONS} identity={identity} />
    </LegalPage>
  );
}

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'etat',
    title: 'État de conformité',
    Body: ({ identity }) => (
      <>
        <p>
          {identity?.organisation_nom || 'Le CSE'} vise pour ce site le niveau AA des règles internationales
          WCAG 2.2, et le référentiel général d’amélioration de l’accessibilité (RGAA).
        </p>
        <p>
          D’après nos propres vérifications, le site est <strong>partiellement conforme</strong>. Aucun audit
          complet n’a encore été mené par un tiers : cette déclaration ne vaut donc pas attestation de
          conformité au RGAA, qui demande un tel audit.
        </p>
      </>
    ),
  },
  {
    id: 'verifications',
    title: 'Ce qui est vérifié',
    Body: () => (
      <ul>
        <li>
          Chaque page est contrôlée par un outil automatique (axe), sur petit et grand écran, en clair et en
          sombre, à chaque changement du site.
        </li>
        <li>Les parcours du portail sont essayés au clavier seul.</li>
        <li>Aucune page ne demande de défilement horizontal à 360 pixels de large.</li>
        <li>Les animations s’arrêtent quand votre appareil le demande.</li>
      </ul>
    ),
  },
  {
    id: 'limites',
    title: 'Limites connues',
    Body: () => (
      <ul>
        <li>
          Les comptes rendus sont des PDF publiés tels qu’ils ont été reçus : certains peuvent manquer de
          titres, de textes alternatifs ou d’un ordre de lecture. Demandez-nous une autre version.
        </li>
        <li>
          La description des images dépend de qui les publie : il arrive qu’elle manque ou qu’elle soit trop
          courte.
        </li>
        <li>Les essais avec des lecteurs d’écran et par des personnes handicapées restent à faire.</li>
      </ul>
    ),
  },
  {
    id: 'declaration',
    title: 'Établissement de cette déclaration',
    Body: () => (
      <p>
        Cette déclaration a été établie le 21 novembre 2026, par une évaluation de l’équipe qui réalise le
        site. Le site ne contient aucun contenu intégré de tiers.
      </p>
    ),
  },
  {
    id: 'contact-accessibilite',
    title: 'Signaler une difficulté',
    Body: ({ identity }) => (
      <p>
        Si une page vous résiste, écrivez-nous par le <ContactLink>formulaire de contact</ContactLink>
        {identity?.organisation_email && (
          <>
            {' '}
            ou à <a href={`mailto:${identity.organisation_email}`}>{identity.organisation_email}</a>
          </>
        )}
        {'\u202f:'} nous vous aiderons à obtenir l’information sous une autre forme.
      </p>
    ),
  },
  {
    id: 'recours',
    title: 'Voies de recours',
    Body: () => (
      <>
        <p>
          Si vous nous avez signalé un défaut d’accessibilité qui vous empêche d’accéder à un contenu ou à un
          service et que vous n’avez pas obtenu de réponse satisfaisante, vous pouvez saisir le Défenseur des
          droits :
        </p>
        <ul>
          <li>
            par son formulaire en ligne, sur{' '}
            <a href="https://www.defenseurdesdroits.fr/" target="_blank" rel="noopener noreferrer">
              defenseurdesdroits.fr
              <span className="sr-only"> (nouvel onglet)</span>
            </a>
            {'\u202f;'}
          </li>
          <li>auprès de son délégué dans votre région ;</li>
          <li>
            par courrier, sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07.
          </li>
        </ul>
      </>
    ),
  },
];
