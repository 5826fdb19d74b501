import { useQuestion } from '../../questions.ts';
import { ListState } from '../../ui/ListState.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { HOME_QUESTIONS } from './questions.ts';

export function PartnerList() {
  const query = useQuestion(HOME_QUESTIONS.partners, 'Erreur lors de la récupération des logos:');
  return (
    <ListState
      query={query}
      failed="Les partenaires n’ont pas pu être chargés."
      empty="Pas encore de partenaire."
    >
      {(items) => (
        <ul className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {items.map(({ id, nom, url_site, image, illustrations }) => {
            const illustration = illustrations.find((one) => one.nom === image);
            return (
              <li key={id} className="card">
                <a
                  href={url_site}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="flex min-h-20 grow items-center justify-center bg-white p-3 text-center text-[#16302b]"
                >
                  {illustration ? (
                    <Picture
                      illustration={illustration}
                      folder="/api/images_stages/"
                      sizes="160px"
                      alt={nom}
                      fit="contain"
                      className="h-12 w-full"
                    />
                  ) : (
                    nom
                  )}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </ListState>
  );
}
