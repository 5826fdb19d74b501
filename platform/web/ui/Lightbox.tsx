import Captions from 'yet-another-react-lightbox/plugins/captions';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { type Illustration, narrower, narrowerWidths } from '#platform/shared/pictures.ts';
import { ICONS, LABELS, NO_ARROWS, StyledLightbox } from './lightboxParts.tsx';

export interface LightboxProps {
  illustrations: readonly Illustration[];
  folder: string;
  first: number;
  onClose(): void;
}

/** Pictures over the whole window, browsed with arrows, keys or touch; Escape closes it. */
export function Lightbox({ illustrations, folder, first, onClose }: LightboxProps) {
  return (
    <StyledLightbox
      open
      close={onClose}
      index={first}
      slides={illustrations.map((illustration) => slideOf(illustration, folder))}
      plugins={[Captions, Zoom, ...(illustrations.length > 1 ? [Counter] : [])]}
      counter={{ separator: ' sur ' }}
      carousel={{ finite: true }}
      controller={{ closeOnBackdropClick: true }}
      labels={LABELS}
      render={illustrations.length === 1 ? { ...ICONS, ...NO_ARROWS } : ICONS}
    />
  );
}

function slideOf({ nom, largeur, hauteur, texte_alternatif }: Illustration, folder: string) {
  const sizeOf = (name: string, width: number) => ({
    src: folder + name,
    width,
    height: Math.round((hauteur * width) / largeur),
  });
  const largest = sizeOf(nom, largeur);
  return {
    ...largest,
    alt: texte_alternatif,
    description: texte_alternatif,
    srcSet: [...narrowerWidths(largeur).map((width) => sizeOf(narrower(nom, width), width)), largest],
  };
}
