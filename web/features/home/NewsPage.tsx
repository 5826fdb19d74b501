import { useSearchParams } from 'react-router';
import { useThing } from '../../questions.ts';
import { LoadState } from '../../ui/LoadState.tsx';
import { useTitle } from '../../useTitle.ts';
import { newsQuestion } from './questions.ts';
import { NoStory, Story, StoryPage } from './Story.tsx';

/** One news item in full. */
export function NewsPage() {
  const [search] = useSearchParams();
  const id = search.get('actualite') ?? '';
  const query = useThing(newsQuestion(id), 'Erreur lors de la récupération des actualités:');
  useTitle(query.data?.[0]?.titre);
  return (
    <StoryPage>
      <LoadState query={query} failed="L’actualité n’a pas pu être chargée.">
        {(answer) =>
          answer?.[0] ? (
            <Story item={answer[0]} />
          ) : (
            <NoStory>Cette actualité n’existe pas ou n’existe plus.</NoStory>
          )
        }
      </LoadState>
    </StoryPage>
  );
}
