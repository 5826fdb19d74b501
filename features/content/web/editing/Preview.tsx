import { type ComponentType, type MouseEvent, useEffect, useState } from 'react';
import type { Illustration } from '#platform/shared/pictures.ts';
import { readInstant } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import type { FileChoice } from '#platform/web/ui/files.ts';
import type { GalleryPicture } from '#platform/web/ui/GalleryField.tsx';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import { benefits, events, featured, type ItemKind, news } from '../../shared/kinds.ts';
import { BenefitStory } from '../pages/BenefitPage.tsx';
import { EventStory } from '../pages/EventPage.tsx';
import { FeaturedStory } from '../pages/FeaturedPage.tsx';
import { NewsStory } from '../pages/NewsPage.tsx';
import { type AnyItem, pictureOf } from './useItems.ts';

export interface PreviewProps {
  kind: ItemKind;
  item: AnyItem | undefined;
  texts: Record<string, string>;
  picture: FileChoice;
  gallery: readonly GalleryPicture[];
  onClose(): void;
}

type Story = ComponentType<{ item: AnyItem }>;

const STORIES = {
  [news.table]: NewsStory,
  [featured.table]: FeaturedStory,
  [events.table]: EventStory,
  [benefits.table]: BenefitStory,
} as unknown as Partial<Record<ItemKind['table'], Story>>;

/** The page of an item as visitors would see it, with what its form holds and nobody has saved. */
export function Preview({ kind, item, texts, picture, gallery, onClose }: PreviewProps) {
  const { timeZone } = useSite();
  const stored = picture.isRemoved ? undefined : pictureOf(kind, item);
  const pictures = useIllustrations([
    ...((picture.file ?? stored)
      ? [{ picture: picture.file ?? stored, text: texts.texte_alternatif ?? '' }]
      : []),
    ...gallery.map((one) => ({ picture: one.file ?? one.stored, text: one.alternativeText })),
  ]);
  const Shown = STORIES[kind.table];
  if (!Shown) return null;
  return (
    <WholeDialog title="Voir comme un visiteur" onClose={onClose} isOnlyClosed>
      {() => (
        <section
          aria-label="Aperçu"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto"
          onClickCapture={stay}
        >
          <p role="status" className="bg-mist px-4 py-2 text-center text-sm">
            Rien de ceci n’est enregistré par cet aperçu{'\u202f'}: vous seul le voyez.
          </p>
          {pictures && (
            <div className="page max-w-4xl">
              <Shown
                item={previewItem(kind, item, texts, timeZone, pictures, Boolean(picture.file ?? stored))}
              />
            </div>
          )}
        </section>
      )}
    </WholeDialog>
  );
}

/** Links of the page lead nowhere from here, unless they open a tab: the form stays as it is. */
function stay(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  if (!link || link.target === '_blank') return;
  event.preventDefault();
  event.stopPropagation();
}

function previewItem(
  kind: ItemKind,
  item: AnyItem | undefined,
  texts: Record<string, string>,
  timeZone: string,
  pictures: (Illustration | undefined)[],
  hasPicture: boolean,
): AnyItem {
  const now = new Date().toISOString();
  const moments = Object.entries(kind.fields)
    .filter(([, { type }]) => type === 'moment')
    .map(([name]) => [name, texts[name] ? `${texts[name]}:00.000Z` : '']);
  const titles = [kind.titledBy].flat().map((name) => [name, texts[name]?.trim() || 'Sans titre']);
  return {
    ...{ id: 0, created_at: now, version: 1 },
    ...item,
    ...texts,
    ...Object.fromEntries([...moments, ...titles]),
    date_publication: readInstant(texts.publie_du ?? '', timeZone)?.toISOString() ?? item?.created_at ?? now,
    illustrations: pictures.filter((one) => one !== undefined),
    ...(kind.picture && { [kind.picture.column]: (hasPicture && pictures[0]?.nom) || null }),
    ...(kind.gallery && {
      [kind.gallery.column]: pictures
        .slice(hasPicture ? 1 : 0)
        .flatMap((one) => one?.nom ?? [])
        .join(';'),
    }),
  };
}

interface Held {
  picture: File | Illustration | undefined;
  text: string;
}

/** Pictures of a form as those of a page; undefined until new files were looked at, and for those that cannot be. */
function useIllustrations(held: readonly Held[]): (Illustration | undefined)[] | undefined {
  const [found, setFound] = useState<(Illustration | undefined)[]>();
  // The form cannot change while the dialog is over it.
  const [first] = useState(held);
  useEffect(() => {
    const addresses: string[] = [];
    let isGone = false;
    const looked = first.map(async ({ picture, text }) => {
      if (!(picture instanceof File)) return picture && { ...picture, texte_alternatif: text };
      const nom = URL.createObjectURL(picture);
      addresses.push(nom);
      const image = new Image();
      image.src = nom;
      try {
        await image.decode();
      } catch {
        // Not every browser reads every kind of picture that the site takes.
        return undefined;
      }
      const { naturalWidth: largeur, naturalHeight: hauteur } = image;
      return { nom, largeur, hauteur, apercu: '', texte_alternatif: text };
    });
    Promise.all(looked).then((all) => isGone || setFound(all));
    return () => {
      isGone = true;
      for (const address of addresses) URL.revokeObjectURL(address);
    };
  }, [first]);
  return found;
}
