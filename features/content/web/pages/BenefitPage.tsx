import { useParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { BenefitCard, Instead } from './Card.tsx';
import { benefitQuestion, FOLDER, INSTEAD_QUESTIONS } from './questions.ts';
import { ArticleLink, Details, Story, StoryPage, StoryPicture, Summary, useFromList } from './Story.tsx';

export function BenefitPage() {
  const { id = '' } = useParams();
  const listed = useFromList('GET /avantage', id);
  const query = useThing(benefitQuestion(id), {
    meanwhile: listed && { ...listed, description: '', lien_article: '' },
  });
  return (
    <StoryPage
      query={query}
      title={query.data?.titre}
      back={{ to: '/avantages', label: 'Tous les avantages' }}
      list="avantage"
      id={id}
      at="/avantage-detail/"
      failed="L’avantage n’a pas pu être chargé."
      absent="Cet avantage n’existe pas ou n’existe plus."
      instead={<OtherBenefits />}
    >
      {(benefit) => <BenefitStory item={benefit} />}
    </StoryPage>
  );
}

function OtherBenefits() {
  const { data = [] } = useQuestion(INSTEAD_QUESTIONS.benefits);
  return <Instead title="D’autres avantages" items={data} Card={BenefitCard} />;
}

export function BenefitStory({ item }: { item: ReplyOf<'GET /avantage/:id'> }) {
  const { id, titre, economie, resume, description, lien_article, date_publication } = item;
  const illustration = illustrationOf(item.image_url, item.illustrations);
  return (
    <Story id={id} title={titre} illustration={illustration} folder={FOLDER} isBlurred>
      {economie && <p className="saving">{economie}</p>}
      <p className="text-quiet">
        Publié le <Instant value={date_publication} />
      </p>
      <Summary>{resume}</Summary>
      <Details text={description} />
      <ArticleLink address={lien_article} />
      <StoryPicture illustration={illustration} folder={FOLDER} />
    </Story>
  );
}
