import { partners } from '#features/content/shared/kinds.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { Picture } from '#platform/web/ui/Picture.tsx';
import { CollectionPanel } from './CollectionPanel.tsx';
import { type AnyItem, pictureOf } from './useItems.ts';

/** Partner logos. */
export function PartnersPanel() {
  return (
    <CollectionPanel
      kind={partners}
      creation="Ajouter un logo partenaire"
      removal="Supprimer un logo"
      failure="Erreur lors de la récupération des logos:"
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
