import type { ReplyOf } from '#platform/shared/call.ts';
import { useSearch } from '#platform/web/history.tsx';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { Instead, NewsCard } from './Card.tsx';
import { FOLDER, INSTEAD_QUESTIONS, newsQuestion } from './questions.ts';
import { Story, StoryPage, useFromList } from './Story.tsx';

export function NewsPage() {
  const search = useSearch();
  const id = search.get('actualite') ?? '';
  const listed = useFromList('GET /actualites', id);
  const query = useThing(newsQuestion(id), { meanwhile: listed && [{ ...listed, description: '' }] });
  return (
    <StoryPage
      query={query}
      title={query.data?.[0]?.titre}
      back={{ to: '/', label: 'Retour à l’accueil' }}
      list="actualites"
      id={id}
      at="/?actualite="
      failed="L’actualité n’a pas pu être chargée."
      absent="Cette actualité n’existe pas ou n’existe plus."
      instead={<OtherNews />}
    >
      {([news]) => news && <NewsStory item={news} />}
    </StoryPage>
  );
}

function OtherNews() {
  const { data = [] } = useQuestion(INSTEAD_QUESTIONS.news);
  return <Instead title="Les dernières actualités" items={data} Card={NewsCard} />;
}

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
