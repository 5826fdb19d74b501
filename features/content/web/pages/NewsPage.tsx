import { useSearchParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { FOLDER, NEWS_QUESTION, newsQuestion } from './questions.ts';
import { Neighbours, named, Story, StoryPage } from './Story.tsx';

/** One news item in full. */
export function NewsPage() {
  const [search] = useSearchParams();
  const id = search.get('actualite') ?? '';
  const query = useThing(newsQuestion(id), 'Erreur lors de la récupération des actualités:');
  const list = useQuestion(NEWS_QUESTION, 'Erreur lors de la récupération des actualités:');
  useTitle(query.data?.[0]?.titre);
  return (
    <StoryPage
      query={query}
      back={{ to: '/', label: 'Retour à l’accueil' }}
      others={<Neighbours items={named(list.data)} id={Number(id)} at="/?actualite=" />}
      failed="L’actualité n’a pas pu être chargée."
      absent="Cette actualité n’existe pas ou n’existe plus."
    >
      {([news]) => news && <NewsStory item={news} />}
    </StoryPage>
  );
}

/** A news item as visitors see it. */
export function NewsStory({ item }: { item: ReplyOf<'GET /actualites/:id'>[number] }) {
  return (
    <Story
      id={item.id}
      title={item.titre}
      above={
        <p className="uppercase">
          Publié le <Day value={item.date_publication} />
        </p>
      }
      illustration={illustrationOf(item.image_url, item.illustrations)}
      folder={FOLDER}
    >
      <MarkdownText text={item.description} className="text-lg" />
    </Story>
  );
}
