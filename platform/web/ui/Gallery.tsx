import { type ComponentType, type MouseEvent, useState } from 'react';
import type { Illustration } from '#platform/shared/pictures.ts';
import type { LightboxProps } from './Lightbox.tsx';
import { Picture } from './Picture.tsx';

interface GalleryProps {
  illustrations: readonly Illustration[];
  folder: string;
}

/**
 * Pictures in two columns. Each links to its file; a click opens it in the lightbox instead, once the lightbox's
 * chunk has been fetched.
 */
export function Gallery({ illustrations, folder }: GalleryProps) {
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const [shown, setShown] = useState<number>();

  async function open(event: MouseEvent<HTMLAnchorElement>, index: number): Promise<void> {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    try {
      const loaded = await import('./Lightbox.tsx');
      setLightbox(() => loaded.Lightbox);
      setShown(index);
    } catch {
      // The chunk could not be fetched (no connection, or the site was updated): follow the link.
      window.location.assign(href);
    }
  }

  return (
    <>
      <ul className="grid grid-cols-2 gap-3">
        {illustrations.map((illustration, index) => (
          <li key={illustration.nom}>
            <a
              href={folder + illustration.nom}
              onClick={(event) => open(event, index)}
              aria-label={nameOf(illustration, index, illustrations.length)}
              className="block overflow-hidden rounded-[14px]"
            >
              <Picture
                illustration={illustration}
                folder={folder}
                sizes="(min-width: 896px) 394px, 48vw"
                className="aspect-3/2 w-full"
              />
            </a>
          </li>
        ))}
      </ul>
      {Lightbox && shown !== undefined && (
        <Lightbox
          illustrations={illustrations}
          folder={folder}
          first={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ texte_alternatif }: Illustration, index: number, count: number): string {
  const name = `Agrandir l’image ${index + 1} sur ${count}`;
  return texte_alternatif ? `${name}\u202f: ${texte_alternatif}` : name;
}
