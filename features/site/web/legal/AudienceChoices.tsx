import { keepOptOut, outsideHosts, useHasOptedOut, useMayChoose } from '#features/site/web/consent.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** The visitor's choices on audience measurement: to object to all of it, and whether external services take part. */
export function AudienceChoices() {
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
