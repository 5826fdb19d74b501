import { useParams } from 'react-router';
import { useThing } from '../../questions.ts';
import { LoadState } from '../../ui/LoadState.tsx';
import { useTitle } from '../../useTitle.ts';
import { featuredQuestion } from './questions.ts';
import { NoStory, Story, StoryPage } from './Story.tsx';

/** One item of À la Une in full, and the article it leads to. */
export function FeaturedPage() {
  const { id = '' } = useParams();
  const query = useThing(featuredQuestion(id), 'Erreur lors de la récupération des éléments À la Une:');
  useTitle(query.data?.titre);
  return (
    <StoryPage>
      <LoadState query={query} failed="L’élément À la Une n’a pas pu être chargé.">
        {(item) =>
          item ? (
            <Story item={item} summary={item.resume}>
              {item.lien_article && (
                <p className="mt-8">
                  <a className="button" href={item.lien_article} target="_blank" rel="noopener noreferrer">
                    En savoir plus
                    <span className="sr-only"> (nouvel onglet)</span>
                  </a>
                </p>
              )}
            </Story>
          ) : (
            <NoStory>Cet élément À la Une n’existe pas ou n’existe plus.</NoStory>
          )
        }
      </LoadState>
    </StoryPage>
  );
}
