import { thumbHashToAverageRGBA } from 'thumbhash';
import { addressOfPicture, type Illustration, narrower, narrowerWidths } from '#platform/shared/pictures.ts';

interface PictureProps {
  illustration: Illustration;
  /** Address of the folder, with its last slash. */
  folder: string;
  /** Width on screen, as a `sizes` attribute. */
  sizes: string;
  /** True for the first picture of a page, fetched before the rest; the others are fetched when they come near. */
  isFirst?: boolean;
  /** Replaces the picture's own alternative text. */
  alt?: string | undefined;
  /** `contain` shows the whole picture, with the background around it. */
  fit?: 'cover' | 'contain';
  /** Which part of the picture its box shows, as an `object-position`; by default the middle. */
  position?: string;
  className?: string;
}

/** A content picture with all its stored sizes; its average colour is shown until it has loaded. */
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
  const address = addressOfPicture(folder, nom);
  const sources = narrowerWidths(largeur).map((width) => `${narrower(address, width)} ${width}w`);
  return (
    <img
      src={address}
      srcSet={[...sources, `${address} ${largeur}w`].join(', ')}
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

export function illustrationOf(
  name: string | null,
  illustrations: readonly Illustration[],
): Illustration | undefined {
  return illustrations.find(({ nom }) => nom === name);
}

/** Width, in pixels, of the picture in previews of shared links. */
const PREVIEW = 1080;

/** The address of a picture for previews of shared links, in no larger size than they need. */
export function previewOf(folder: string, illustration: Illustration | undefined): string | undefined {
  if (!illustration) return undefined;
  const { nom, largeur } = illustration;
  return folder + (largeur > PREVIEW ? narrower(nom, PREVIEW) : nom);
}
