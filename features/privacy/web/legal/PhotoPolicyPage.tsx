import { CONSENT_PROOF_YEARS, KEEPING_MAX, PHOTO_BIN_DAYS } from '#features/photos/shared/terms.ts';
import {
  ContactLink,
  type Identity,
  LegalPage,
  LegalSection,
  LegalText,
  photoRetention,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';
import { numberText } from '#platform/web/ui/texts.ts';

export function PhotoPolicyPage() {
  const { data: identity } = useIdentity();
  return (
    <LegalPage title="Politique photos">
      <p className="mt-4 max-w-[65ch] text-xl text-quiet">
        Pendant un séjour, les familles peuvent voir des photos de leur enfant. Voici comment nous protégeons
        ces photos.
      </p>
      <Sections identity={identity} />
    </LegalPage>
  );
}

const Sections = ({ identity }: { identity: Identity | undefined }) => (
  <LegalText>
    <LegalSection id="verification" title="Vérifiées avant d’être montrées">
      <p>
        L’équipe du séjour envoie les photos sur le site. Les familles ne les voient pas tout de suite : une
        personne de l’équipe ou du CSE les regarde d’abord, et écarte celles qui ne conviennent pas. Elle a
        sous les yeux la liste des enfants dont les parents n’ont pas donné leur accord.
      </p>
      <p>
        Un téléphone enregistre des informations dans chaque photo, par exemple le lieu de la prise de vue. Le
        site les retire. Il ne garde que l’heure et, pour l’équipe seulement, le modèle de l’appareil : si son
        horloge était fausse, les photos retrouvent ainsi leur jour. Il fait une copie pour l’écran et une
        grande copie à enregistrer (jusqu’à {numberText(KEEPING_MAX)} pixels de côté), puis efface le fichier
        reçu.
      </p>
      <p>Aucun nom d’enfant n’est attaché aux photos. Aucun logiciel n’y reconnaît les visages.</p>
    </LegalSection>
    <LegalSection id="acces" title="Qui les voit">
      <p>Les photos ne sont pas publiques, et les moteurs de recherche ne les trouvent pas. Les voient :</p>
      <ul>
        <li>les familles des enfants de ce séjour, avec le mot de passe qu’elles ont reçu ;</li>
        <li>la direction de ce séjour ;</li>
        <li>les administrateurs du CSE.</li>
      </ul>
      <p>
        Toutes les familles du séjour ont le même mot de passe : ne le donnez à personne d’autre. Il n’ouvre
        plus rien quand les photos ne sont plus en ligne.
      </p>
      <p>
        La première fois qu’une connexion ouvre une photo, le site le note, avec l’heure et une partie de
        l’adresse internet (IP). Si le mot de passe circulait, nous saurions ainsi quelles photos ont été
        vues. Ces notes sont effacées avec les photos.
      </p>
    </LegalSection>
    <LegalSection id="conservation" title="Gardées un temps limité">
      <p>
        Les photos restent en ligne {photoRetention(identity)} après la fin du séjour, sauf si le CSE a choisi
        une autre durée pour ce séjour. La page du séjour donne la date, et un e-mail la rappelle aux familles
        une semaine avant. Enregistrez d’ici là les photos que vous voulez garder : « Tout télécharger » les
        réunit en un seul fichier.
      </p>
      <p>
        Après cette date, les familles et la direction du séjour ne voient plus les photos. Un jour plus tard,
        elles sont effacées automatiquement et pour toujours. Le site efface en même temps les noms des
        enfants, les e-mails des familles et les mots de passe du séjour.
      </p>
      <p>
        Une photo que l’équipe supprime disparaît aussitôt pour les familles. Elle reste {PHOTO_BIN_DAYS}{' '}
        jours dans une corbeille que seules la direction du séjour et l’équipe du CSE voient, au cas où ce
        serait une erreur. Puis elle est effacée pour toujours. Vous pouvez demander au CSE de l’effacer tout
        de suite.
      </p>
    </LegalSection>
    <LegalSection id="consentement" title="Avec votre accord">
      <p>
        Nous ne montrons l’image d’un enfant qu’avec l’accord de ses deux parents, ou de ses représentants
        légaux. Ils protègent ensemble son droit à l’image (Code civil, article 372-1). Vous êtes libres de
        refuser : cela ne change rien à l’inscription ni au séjour.
      </p>
      <p>
        Vous pouvez retirer votre accord à tout moment, sans dire pourquoi et sans effet sur le séjour.
        Écrivez-nous par le <ContactLink>formulaire de contact</ContactLink> : nous retirerons les photos où
        l’on reconnaît votre enfant.
      </p>
      <p>
        Avant que les premières photos d’un séjour soient montrées, une personne confirme que les parents ont
        donné leur autorisation. Le site en garde la preuve {CONSENT_PROOF_YEARS} ans après l’effacement des
        photos : le séjour, la date, qui a confirmé, le nombre d’enfants autorisés et le nombre de photos.
        Elle ne contient aucun nom d’enfant ni de famille.
      </p>
    </LegalSection>
    <LegalSection id="republication" title="Ne republiez pas les photos des autres enfants">
      <p>
        Chacun a droit au respect de sa vie privée et de son image (Code civil, article 9). D’autres enfants
        apparaissent sur ces photos : gardez-les pour votre famille. Ne les publiez pas sur un réseau social
        et ne les envoyez à personne d’autre sans l’accord de leurs parents.
      </p>
    </LegalSection>
    <LegalSection id="retrait" title="Faire retirer une photo">
      <p>
        Une photo vous gêne, pour votre enfant ou pour vous ? Ouvrez-la et choisissez « Demander le
        retrait » : aussitôt, plus aucune famille ne la voit. La direction du séjour ou le CSE décide ensuite
        de l’écarter ou de la remettre. Vous n’avez pas à dire pourquoi. Si vous écrivez une raison, elle est
        effacée avec la photo.
      </p>
      <p>
        Vous pouvez aussi nous écrire par le <ContactLink>formulaire de contact</ContactLink>. Indiquez le
        séjour, le jour et ce que montre la photo.
      </p>
    </LegalSection>
    <LegalSection id="droits" title="Vos droits">
      <p>
        Vous pouvez consulter les données sur votre enfant et sur vous, et les faire corriger ou effacer. Vous
        pouvez aussi en limiter l’usage ou vous y opposer. La{' '}
        <a href="/politique-confidentialite#droits">politique de confidentialité</a> explique comment faire,
        et comment vous plaindre à la CNIL.
      </p>
    </LegalSection>
  </LegalText>
);
