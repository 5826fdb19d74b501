import { useParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { FeaturedCard, Instead } from './Card.tsx';
import { FOLDER, featuredQuestion, INSTEAD_QUESTIONS } from './questions.ts';
import { ArticleLink, Story, StoryPage, Summary, useFromList } from './Story.tsx';

export function FeaturedPage() {
  const { id = '' } = useParams();
  const listed = useFromList('GET /alaune', id);
  const query = useThing(featuredQuestion(id), {
    meanwhile: listed && { ...listed, description: '', lien_article: '' },
  });
  return (
    <StoryPage
      query={query}
      title={query.data?.titre}
      back={{ to: '/', label: 'Retour à l’accueil' }}
      list="alaune"
      id={id}
      at="/une-details/"
      failed="L’élément À la Une n’a pas pu être chargé."
      absent="Cet élément À la Une n’existe pas ou n’existe plus."
      instead={<OtherFeatured />}
    >
      {(item) => <FeaturedStory item={item} />}
    </StoryPage>
  );
}

function OtherFeatured() {
  const { data = [] } = useQuestion(INSTEAD_QUESTIONS.featured);
  return <Instead title="À lire à la place" items={data} Card={FeaturedCard} />;
}

export function FeaturedStory({ item }: { item: ReplyOf<'GET /alaune/:id'> }) {
  return (
    <Story
      id={item.id}
      title={item.titre}
      above={
        <p className="uppercase">
          <Day value={item.date_publication} />
        </p>
      }
      illustration={illustrationOf(item.image_url, item.illustrations)}
      folder={FOLDER}
    >
      <Summary>{item.resume}</Summary>
      <MarkdownText text={item.description} className="text-lg" />
      <ArticleLink address={item.lien_article} />
    </Story>
  );
}
