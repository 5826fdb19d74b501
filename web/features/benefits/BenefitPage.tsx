import { useParams } from 'react-router';
import type { ReplyOf } from '../../../shared/api.ts';
import { useThing } from '../../questions.ts';
import { useSite } from '../../site.tsx';
import { illustrationOf } from '../../ui/illustrations.ts';
import { MarkdownText } from '../../ui/MarkdownText.tsx';
import { ArticleLink, Story, StoryPage, StoryPicture, Summary } from '../../ui/Story.tsx';
import { Time } from '../../ui/Time.tsx';
import { instantOf } from '../../ui/texts.ts';
import { useTitle } from '../../useTitle.ts';
import { benefitQuestion, FOLDER } from './questions.ts';

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
      {(benefit) => <BenefitStory benefit={benefit} />}
    </StoryPage>
  );
}

function BenefitStory({ benefit }: { benefit: ReplyOf<'GET /avantage/:id'> }) {
  const { locale, timeZone } = useSite();
  const { id, titre, resume, description, lien_article, date_publication } = benefit;
  const illustration = illustrationOf(benefit.image_url, benefit.illustrations);
  return (
    <Story id={id} title={titre} illustration={illustration} folder={FOLDER} isBlurred>
      <p className="text-quiet">
        <Time value={date_publication}>{instantOf(date_publication, locale, timeZone)}</Time>
      </p>
      <Summary>{resume}</Summary>
      <StoryPicture illustration={illustration} folder={FOLDER} />
      <section aria-labelledby="details">
        <h2 id="details" className="mb-3">
          Détails
        </h2>
        <MarkdownText text={description} className="text-lg" />
      </section>
      <ArticleLink address={lien_article} />
    </Story>
  );
}
