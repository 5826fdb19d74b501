import { useSearchParams } from 'react-router';
import { partners } from '../../../shared/content/partners.ts';
import { useQuestion } from '../../questions.ts';
import { ListState } from '../../ui/ListState.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { CreatePanel } from './CreatePanel.tsx';
import { type AnyItem, listQuestion, pictureOf } from './calls.ts';
import { ItemSelect } from './ItemSelect.tsx';
import { useChoice } from './useChoice.ts';
import { useDeletion } from './useDeletion.ts';

/** Partner logos: one is added, or chosen and taken away. */
export function PartnersPanel() {
  return (
    <>
      <CreatePanel kind={partners} title="Ajouter un logo partenaire" />
      <section aria-labelledby="supprimer-logo" className="mt-12 border-t border-mist pt-8">
        <h2 id="supprimer-logo" className="mb-6">
          Supprimer un logo
        </h2>
        <LogoRemoval />
      </section>
    </>
  );
}

function LogoRemoval() {
  const query = useQuestion(listQuestion(partners), 'Erreur lors de la récupération des logos:');
  return (
    <ListState
      query={query}
      failed="Les logos n’ont pas pu être chargés."
      empty="Il n’y a pas encore de logo."
      drawing="clothesline"
    >
      {(items) => <LogoChoice items={items as unknown as AnyItem[]} />}
    </ListState>
  );
}

function LogoChoice({ items }: { items: AnyItem[] }) {
  const [search] = useSearchParams();
  // The search of the portal leads to one of them.
  const choice = useChoice(partners, items, Number(search.get('element')));
  const { isBusy, remove } = useDeletion(partners);
  const picture = choice.chosen && pictureOf(partners, choice.chosen);
  return (
    <div ref={choice.place} className="flex flex-col gap-6">
      <ItemSelect
        kind={partners}
        items={items}
        chosen={choice.chosen}
        onChosen={choice.choose}
        error={choice.error}
      />
      {picture && (
        <div className="partner max-w-60">
          <Picture
            illustration={picture}
            folder="/api/images_stages/"
            sizes="160px"
            fit="contain"
            alt=""
            className="h-12 w-full"
          />
        </div>
      )}
      <p>
        <button
          type="button"
          className="button danger"
          aria-disabled={isBusy}
          onClick={() => choice.withChosen((item) => remove(item, () => choice.choose(undefined)))}
        >
          Supprimer
        </button>
      </p>
    </div>
  );
}
