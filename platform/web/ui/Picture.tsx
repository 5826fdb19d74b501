import { thumbHashToAverageRGBA } from 'thumbhash';
import { type Illustration, narrower, narrowerWidths } from '#platform/shared/pictures.ts';

interface PictureProps {
  illustration: Illustration;
  /** Address of the folder, with its last slash. */
  folder: string;
  /** Width on screen, as the `sizes` attribute takes it. */
  sizes: string;
  /** The first picture of a page is fetched before the rest; the others when they come near. */
  isFirst?: boolean;
  /** Takes the place of the picture's own alternative text. */
  alt?: string;
  /** `contain` shows the whole picture, on what lies behind it. */
  fit?: 'cover' | 'contain';
  /** Which part of the picture its box shows, as `object-position` takes it; the middle when left out. */
  position?: string;
  className?: string;
}

/** A content picture in the sizes that exist, in its average colour until it is there. */
export function Picture(props: PictureProps) {
  const {
    illustration,
    folder,
    sizes,
    isFirst = false,
    alt,
    fit = 'cover',
    position,
    className = '',
  } = props;
  const { nom, largeur, hauteur, apercu, texte_alternatif } = illustration;
  const sources = narrowerWidths(largeur).map((width) => `${folder}${narrower(nom, width)} ${width}w`);
  return (
    <img
      src={`${folder}${nom}`}
      srcSet={[...sources, `${folder}${nom} ${largeur}w`].join(', ')}
      sizes={sizes}
      width={largeur}
      height={hauteur}
      alt={alt ?? texte_alternatif}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      className={`${fit === 'cover' ? 'object-cover' : 'object-contain'} ${className}`}
      style={{
        objectPosition: position,
        backgroundColor: fit === 'cover' ? averageColour(apercu) : undefined,
      }}
    />
  );
}

function averageColour(placeholder: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{8,}=*$/.test(placeholder)) return undefined;
  const bytes = Uint8Array.from(atob(placeholder), (character) => character.charCodeAt(0));
  const { r, g, b, a } = thumbHashToAverageRGBA(bytes);
  const part = (value: number) => Math.round(value * 255);
  return `rgb(${part(r)} ${part(g)} ${part(b)} / ${a.toFixed(2)})`;
}

/** What is needed to show the picture of that name; undefined when there is none. */
export function illustrationOf(
  name: string | null,
  illustrations: readonly Illustration[],
): Illustration | undefined {
  return illustrations.find(({ nom }) => nom === name);
}

/** Pixels across that a shared page's preview asks for. */
const PREVIEW = 1080;

/** The address of a picture for whoever shares its page: as large as a preview needs, no larger. */
export function previewOf(folder: string, illustration: Illustration | undefined): string | undefined {
  if (!illustration) return undefined;
  const { nom, largeur } = illustration;
  return folder + (largeur > PREVIEW ? narrower(nom, PREVIEW) : nom);
}
