import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { type EmptyDrawing, ListState } from '#platform/web/ui/LoadState.tsx';
import { Picture } from '#platform/web/ui/Picture.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { type ItemKind, minutes, partners } from '../../shared/kinds.ts';
import { ItemList } from './ItemList.tsx';
import { CreatePanel, DeleteChosen, ItemSelect } from './ItemPanels.tsx';
import { type AnyItem, listQuestion, pictureOf, useChoice } from './useItems.ts';

export function MinutesPanel() {
  return (
    <CollectionPanel
      kind={minutes}
      creation="Ajouter un compte rendu"
      removal="Supprimer un compte rendu"
      failed="Les comptes rendus n’ont pas pu être chargés."
      empty="Il n’y a pas encore de compte rendu."
      show={({ url }) => (
        <p>
          <a className="button quiet" href={`/api/${minutes.folder}/${url}`} target="_blank" rel="noopener">
            <FileText className="size-5" />
            Voir le PDF
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        </p>
      )}
    >
      <p className="well mt-12">
        Les salariés lisent les comptes rendus avec un mot de passe, qui se voit et se change dans les{' '}
        <Link to={panelAddress('reglages')}>Réglages</Link>.
      </p>
    </CollectionPanel>
  );
}

export function PartnersPanel() {
  return (
    <CollectionPanel
      kind={partners}
      creation="Ajouter un logo partenaire"
      removal="Supprimer un logo"
      failed="Les logos n’ont pas pu être chargés."
      empty="Il n’y a pas encore de logo."
      drawing="clothesline"
      show={(item) => <Logo item={item} />}
    />
  );
}

function Logo({ item }: { item: AnyItem }) {
  const picture = pictureOf(partners, item);
  if (!picture) return null;
  return (
    <div className="partner max-w-60">
      <Picture
        illustration={picture}
        folder={addressOfFolder(partners.folder)}
        sizes="160px"
        fit="contain"
        alt=""
        className="h-12 w-full"
      />
    </div>
  );
}

interface CollectionPanelProps {
  kind: ItemKind;
  creation: string;
  removal: string;
  failed: string;
  empty: string;
  drawing?: EmptyDrawing;
  show(item: AnyItem): ReactNode;
  children?: ReactNode;
}

/** The panel of a kind in one page: the form that adds an item, the list of all, and one chosen by name to delete. */
function CollectionPanel(props: CollectionPanelProps) {
  const { kind, creation, removal, failed, empty, drawing, show, children } = props;
  const query = useQuestion(listQuestion(kind));
  return (
    <>
      <CreatePanel kind={kind} title={creation} />
      <Section title={kind.plural} className="mt-12 border-t border-mist pt-8" look="mb-6">
        <ListState<AnyItem> query={query} failed={failed} empty={empty} drawing={drawing}>
          {(items) => (
            <div className="flex max-w-5xl flex-col gap-10">
              <ItemList kind={kind} items={items} />
              <Removal kind={kind} title={removal} items={items} show={show} />
            </div>
          )}
        </ListState>
      </Section>
      {children}
    </>
  );
}

interface RemovalProps {
  kind: ItemKind;
  title: string;
  items: AnyItem[];
  show(item: AnyItem): ReactNode;
}

function Removal({ kind, title, items, show }: RemovalProps) {
  const choice = useChoice(kind, items);
  return (
    <div ref={choice.place} className="well flex max-w-3xl flex-col gap-4">
      <h3 className="text-xl">{title}</h3>
      <ItemSelect kind={kind} items={items} choice={choice} />
      {choice.chosen && show(choice.chosen)}
      <p>
        <DeleteChosen kind={kind} choice={choice} />
      </p>
    </div>
  );
}
