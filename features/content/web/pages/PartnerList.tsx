import { useQuestion } from '#platform/web/questions.ts';
import { Carousel } from '#platform/web/ui/Carousel.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { FOLDER, HOME_QUESTIONS } from './questions.ts';

export function PartnerList() {
  const query = useQuestion(HOME_QUESTIONS.partners, 'Erreur lors de la récupération des logos:');
  return (
    <ListState
      query={query}
      failed="Les partenaires n’ont pas pu être chargés."
      empty="Pas encore de partenaire."
      drawing="clothesline"
    >
      {(items) => (
        <Carousel items={items} label="Partenaires" perView={4} gap={10} every={3000}>
          {({ nom, url_site, image, illustrations }, { isNear }) => {
            const illustration = illustrationOf(image, illustrations);
            return (
              <a href={url_site} target="_blank" rel="noopener noreferrer" className="partner">
                {illustration && isNear && (
                  <Picture
                    illustration={illustration}
                    folder={FOLDER}
                    sizes="160px"
                    alt={nom}
                    fit="contain"
                    className="h-12 w-full"
                  />
                )}
                <span className="sr-only"> (nouvel onglet)</span>
                {!(illustration && isNear) && (
                  <span className={illustration ? 'sr-only' : 'line-clamp-3 text-sm leading-tight'}>
                    {nom}
                  </span>
                )}
              </a>
            );
          }}
        </Carousel>
      )}
    </ListState>
  );
}
