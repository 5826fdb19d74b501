import { Link } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { Card, CardGrid, GRID_SIZES } from './Card.tsx';
import { BENEFITS_QUESTION, FOLDER } from './questions.ts';

export function BenefitsPage() {
  const query = useQuestion(BENEFITS_QUESTION, 'Erreur lors de la récupération des avantages:');
  return (
    <div className="page">
      <h1>Vos avantages CSE</h1>
      <p className="mt-2 mb-6 text-lg text-quiet">Retrouvez ici tous vos avantages CSE</p>
      <ListState
        query={query}
        failed="Les avantages n’ont pas pu être chargés."
        empty="Pas encore d’avantage."
        drawing="clothesline"
      >
        {(benefits) => (
          <CardGrid>
            {benefits.map((benefit, index) => (
              <li key={benefit.id}>
                <BenefitCard benefit={benefit} isFirst={index === 0} />
              </li>
            ))}
          </CardGrid>
        )}
      </ListState>
    </div>
  );
}

function BenefitCard({ benefit, isFirst }: { benefit: ReplyOf<'GET /avantage'>[number]; isFirst: boolean }) {
  const { id, titre, economie, resume, date_publication, image_url, illustrations } = benefit;
  const address = `/avantage-detail/${id}`;
  return (
    <Card
      id={id}
      title={titre}
      illustration={illustrationOf(image_url, illustrations)}
      folder={FOLDER}
      to={address}
      opensTab
      sizes={GRID_SIZES}
      isFirst={isFirst}
    >
      <p className="text-sm text-quiet">
        Publié le <Day value={date_publication} />
      </p>
      <h2 className="card-title">{titre}</h2>
      {economie && <p className="saving">{economie}</p>}
      <p className="line-clamp-4 wrap-anywhere">{excerpt(resume)}</p>
      <p className="mt-auto pt-2">
        <Link to={address} className="button" aria-label={`En savoir plus\u202f: ${titre}`}>
          En savoir plus
        </Link>
      </p>
    </Card>
  );
}
