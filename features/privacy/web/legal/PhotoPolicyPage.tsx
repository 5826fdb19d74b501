import { CONSENT_PROOF_YEARS, KEEPING_MAX } from '#features/photos/shared/terms.ts';
import {
  ContactLink,
  LegalPage,
  type LegalSection,
  LegalSections,
  photoRetention,
  useIdentity,
} from '#features/site/web/legal/LegalPage.tsx';

/** Page on how the photos of the stays are handled. */
export function PhotoPolicyPage() {
  const { data: identity } = useIdentity();
  return (
    <LegalPage title="Politique photos">
      <p className="mt-4 max-w-[65ch] text-xl text-quiet">
        Pendant un séjour, les familles peuvent voir des photos de leur enfant. Ces photos montrent des
        mineurs : voici comment elles sont protégées.
      </p>
      <LegalSections sections={SECTIONS} identity={identity} />
    </LegalPage>
  );
}

const SECTIONS: readonly LegalSection[] = [
  {
    id: 'verification',
    title: 'Vérifiées avant d’être montrées',
    Body: () => (
      <>
        <p>
          L’équipe du séjour envoie les photos sur le site. Aucune n’est montrée aussitôt : une personne de
          l’équipe ou du CSE les vérifie d’abord, et écarte celles qui ne conviennent pas. Elle a sous les
          yeux la liste des enfants dont les parents n’ont pas donné leur accord.
        </p>
        <p>
          Le site retire des fichiers les données cachées qu’y laissent les téléphones, en particulier le lieu
          de la prise de vue. Seule l’heure de la photo est gardée. De chaque photo il fait des versions plus
          petites pour l’écran, et une version de {KEEPING_MAX} points au plus à enregistrer ; le fichier reçu
          est ensuite effacé. Aucun nom d’enfant n’est attaché aux photos, et aucune machine n’y reconnaît les
          visages.
        </p>
      </>
    ),
  },
  {
    id: 'acces',
    title: 'Qui les voit',
    Body: () => (
      <>
        <p>Les photos d’un séjour ne sont ni publiques ni visibles des moteurs de recherche. Les voient :</p>
        <ul>
          <li>les familles des enfants de ce séjour, avec le mot de passe qu’elles ont reçu ;</li>
          <li>la direction de ce séjour ;</li>
          <li>les administrateurs du CSE.</li>
        </ul>
        <p>
          Le mot de passe est commun aux familles du séjour : ne le transmettez à personne d’autre. Il cesse
          d’ouvrir le site quand les photos ne sont plus en ligne.
        </p>
        <p>
          Le site note quelle connexion ouvre une photo pour la première fois, quand, et depuis quelle adresse
          IP, raccourcie : si le mot de passe venait à circuler, ces notes diraient quelles photos ont été
          vues. Elles sont effacées avec les photos.
        </p>
      </>
    ),
  },
  {
    id: 'conservation',
    title: 'Conservées un temps limité',
    Body: ({ identity }) => (
      <>
        <p>
          Les photos restent en ligne {photoRetention(identity)} après la fin du séjour, sauf si le CSE a
          choisi pour lui une autre durée ; la page du séjour dit jusqu’à quand. Une semaine avant, un e-mail
          le rappelle aux familles. Pensez à enregistrer avant cette date celles que vous voulez garder :
          « Tout télécharger » les réunit en un seul fichier.
        </p>
        <p>
          Passé ce jour, plus personne ne les voit dans les familles ni dans la direction du séjour. Un jour
          plus tard, elles sont effacées automatiquement et définitivement, dans tous leurs formats, avec les
          noms des enfants, les e-mails des familles et les mots de passe du séjour.
        </p>
      </>
    ),
  },
  {
    id: 'consentement',
    title: 'Avec votre accord',
    Body: () => (
      <>
        <p>
          L’image d’un enfant n’est diffusée qu’avec l’accord de ses deux parents, qui protègent ensemble son
          droit à l’image (Code civil, article 372-1), ou de ses représentants légaux. Cet accord est libre :
          le refuser ne change rien à l’inscription ni au déroulement du séjour.
        </p>
        <p>
          Vous pouvez retirer votre accord à tout moment, sans donner de raison et sans effet sur le séjour :
          il suffit d’un message par le <ContactLink>formulaire de contact</ContactLink>. Les photos où
          l’enfant est reconnaissable sont alors retirées.
        </p>
        <p>
          Avant la première publication d’un séjour, une personne confirme que les autorisations ont été
          recueillies. Quand les photos sont effacées, le site en garde {CONSENT_PROOF_YEARS} ans la preuve,
          sans aucun nom d’enfant ni de famille : le séjour, la date, qui a confirmé, combien d’enfants
          avaient une autorisation et combien de photos il y avait.
        </p>
      </>
    ),
  },
  {
    id: 'republication',
    title: 'Ne republiez pas les photos des autres enfants',
    Body: () => (
      <p>
        Chacun a droit au respect de sa vie privée et de son image (Code civil, article 9). Les photos où
        d’autres enfants apparaissent vous sont montrées pour un usage familial : ne les publiez pas sur un
        réseau social, ne les transmettez pas hors de la famille sans l’accord des parents de ces enfants.
      </p>
    ),
  },
  {
    id: 'retrait',
    title: 'Faire retirer une photo',
    Body: () => (
      <>
        <p>
          Une photo vous gêne, pour votre enfant ou pour vous ? Ouvrez-la et choisissez « Demander le
          retrait » : aucune famille ne la voit plus, aussitôt. La direction du séjour ou le CSE décide
          ensuite de l’écarter ou de la remettre. Vous n’avez pas à vous justifier ; ce que vous écrivez avec
          votre demande est effacé avec la photo.
        </p>
        <p>
          Vous pouvez aussi écrire par le <ContactLink>formulaire de contact</ContactLink> en indiquant le
          séjour, le jour et ce que montre la photo.
        </p>
      </>
    ),
  },
  {
    id: 'droits',
    title: 'Vos droits',
    Body: () => (
      <p>
        Vous avez sur les données qui concernent votre enfant et vous des droits d’accès, de rectification,
        d’effacement, de limitation et d’opposition. La manière de les exercer, et l’adresse de la CNIL si la
        réponse ne vous convient pas, sont dans la{' '}
        <a href="/politique-confidentialite#droits">politique de confidentialité</a>.
      </p>
    ),
  },
];
