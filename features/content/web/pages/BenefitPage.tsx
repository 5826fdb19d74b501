import { useParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useThing } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { benefitQuestion, FOLDER } from './questions.ts';
import { ArticleLink, Details, Story, StoryPage, StoryPicture, Summary } from './Story.tsx';

/** One benefit in full, and the article it leads to. */
export function BenefitPage() {
  const { id = '' } = useParams();
  const query = useThing(benefitQuestion(id), 'Erreur lors de la récupération de l’avantage:');
  useTitle(query.data?.titre);
  return (
    <StoryPage
      query={query}
      back={{ to: '/avantages', label: 'Tous les avantages' }}
      failed="L’avantage n’a pas pu être chargé."
      absent="Cet avantage n’existe pas ou n’existe plus."
    >
      {(benefit) => <BenefitStory item={benefit} />}
    </StoryPage>
  );
}

/** A benefit as visitors see it. */
export function BenefitStory({ item }: { item: ReplyOf<'GET /avantage/:id'> }) {
  const { id, titre, resume, description, lien_article, date_publication } = item;
  const illustration = illustrationOf(item.image_url, item.illustrations);
  return (
    <Story id={id} title={titre} illustration={illustration} folder={FOLDER} isBlurred>
      <p className="text-quiet">
        <Instant value={date_publication} />
      </p>
      <Summary>{resume}</Summary>
      <StoryPicture illustration={illustration} folder={FOLDER} />
      <Details text={description} />
      <ArticleLink address={lien_article} />
    </Story>
  );
}
