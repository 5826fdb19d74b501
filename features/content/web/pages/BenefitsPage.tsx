import type { ReplyOf } from '#platform/shared/call.ts';
import { wordsOf } from '#platform/shared/fold.ts';
import { opensElsewhere, useInAddress } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { countOf } from '#platform/web/ui/texts.ts';
import { BENEFIT_CATEGORIES } from '../../shared/limits.ts';
import { BenefitCard, Cards } from './Card.tsx';
import { BENEFITS_QUESTION } from './questions.ts';

type Benefit = ReplyOf<'GET /avantage'>[number];

export function BenefitsPage() {
  const query = useQuestion(BENEFITS_QUESTION);
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
        {(benefits) => <BenefitList benefits={benefits} />}
      </ListState>
    </div>
  );
}

/** The benefits, or those of the category that the address names. */
function BenefitList({ benefits }: { benefits: readonly Benefit[] }) {
  const [named, setNamed] = useInAddress('categorie');
  const [first, ...others] = BENEFIT_CATEGORIES;
  const categories = [...others, first]
    .map((category) => ({
      key: wordsOf(category).join('-'),
      label: category === first ? 'Autres' : category,
      items: benefits.filter(({ categorie }) => categorie === category),
    }))
    .filter(({ items }) => items.length > 0);
  const chosen = categories.find(({ key }) => key === named);
  const shown = chosen?.items ?? benefits;
  return (
    <>
      {categories.length > 1 && (
        <nav aria-label="Catégories" className="mb-5">
          <ul className="filters">
            {[{ key: '', label: 'Tous', items: benefits }, ...categories].map(({ key, label, items }) => (
              <li key={key}>
                <a
                  href={key ? `/avantages?categorie=${key}` : '/avantages'}
                  aria-current={key === (chosen?.key ?? '') ? 'true' : undefined}
                  className="filter"
                  onClick={(event) => {
                    if (opensElsewhere(event)) return;
                    event.preventDefault();
                    setNamed(key);
                  }}
                >
                  {label} <span className="font-normal">{items.length}</span>
                </a>
              </li>
            ))}
          </ul>
          <p role="status" className="sr-only">
            {chosen && `${chosen.label}\u202f: ${countOf(shown.length, 'avantage')}`}
          </p>
        </nav>
      )}
      <Cards items={shown} Card={BenefitCard} />
    </>
  );
}
