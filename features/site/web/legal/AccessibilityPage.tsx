import { ContactLink, type Identity, LegalPage, LegalSection, LegalText, useIdentity } from './LegalPage.tsx';

/** The accessibility statement: how far everybody can use the site, and what to do where somebody cannot. */
export function AccessibilityPage() {
  const { data: identity } = useIdentity();
  return (
    <LegalPage title="Accessibilité">
      <p className="mt-4 max-w-[65ch] text-xl text-quiet">
        Ce site est fait pour que chacun puisse le lire et s’en servir, avec une souris, au clavier, du doigt
        ou avec un lecteur d’écran.
      </p>
      <Sections identity={identity} />
    </LegalPage>
  );
}

const Sections = ({ identity }: { identity: Identity | undefined }) => (
  <LegalText>
    <LegalSection id="etat" title="État de conformité">
      <p>
        {identity?.organisation_nom || 'Le CSE'} veut un site que chacun peut utiliser. Il vise pour cela le
        niveau AA des règles internationales (WCAG 2.2) et le référentiel français, le RGAA (référentiel
        général d’amélioration de l’accessibilité).
      </p>
      <p>
        D’après nos propres vérifications, le site est <strong>partiellement conforme</strong>. Aucun
        organisme extérieur n’a encore mené d’audit complet. Cette déclaration n’est donc pas une attestation
        de conformité au RGAA, qui demande un tel audit.
      </p>
    </LegalSection>
    <LegalSection id="verifications" title="Ce qui est vérifié">
      <ul>
        <li>
          Chaque page est contrôlée par un outil automatique (axe), sur petit et grand écran, en clair et en
          sombre, à chaque changement du site.
        </li>
        <li>Les parcours du portail sont essayés au clavier seul.</li>
        <li>Sur un petit téléphone (360 pixels de large), aucune page ne déborde de l’écran.</li>
        <li>Les animations s’arrêtent quand votre appareil le demande.</li>
      </ul>
    </LegalSection>
    <LegalSection id="limites" title="Limites connues">
      <ul>
        <li>
          Nous publions les comptes rendus en PDF, tels que nous les recevons. Certains n’ont pas de titres,
          de description des images ou d’ordre de lecture. Demandez-nous une autre version.
        </li>
        <li>
          La personne qui publie une image en écrit la description. Celle-ci peut manquer ou être trop courte.
        </li>
        <li>
          Le site n’a pas encore été essayé avec des lecteurs d’écran, ni par des personnes handicapées.
        </li>
      </ul>
    </LegalSection>
    <LegalSection id="declaration" title="Établissement de cette déclaration">
      <p>
        L’équipe qui réalise le site a établi cette déclaration le 21 novembre 2026, après sa propre
        évaluation. Le site n’affiche aucun contenu venu d’un autre site.
      </p>
    </LegalSection>
    <LegalSection id="contact-accessibilite" title="Signaler une difficulté">
      <p>
        Une page vous pose problème ? Écrivez-nous par le <ContactLink>formulaire de contact</ContactLink>
        {identity?.organisation_email && (
          <>
            {' '}
            ou à <a href={`mailto:${identity.organisation_email}`}>{identity.organisation_email}</a>
          </>
        )}
        {'\u202f:'} nous vous donnerons l’information sous une autre forme.
      </p>
    </LegalSection>
    <LegalSection id="recours" title="Voies de recours">
      <p>
        Un défaut vous empêche d’accéder à un contenu ou à un service ? Si vous nous l’avez signalé sans
        obtenir de réponse satisfaisante, vous pouvez saisir le Défenseur des droits :
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
        <li>par courrier, sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07.</li>
      </ul>
    </LegalSection>
  </LegalText>
);
