import { ArrowLeft, ArrowRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import YetAnotherLightbox from 'yet-another-react-lightbox';
import Captions from 'yet-another-react-lightbox/plugins/captions';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { type Illustration, narrower, narrowerWidths } from '../../shared/content/kind.ts';

export interface LightboxProps {
  illustrations: readonly Illustration[];
  folder: string;
  /** Place of the picture that is shown first. */
  first: number;
  onClose(): void;
}

/** The words of the library, in French. */
const LABELS = {
  Lightbox: 'Images en grand',
  'Photo gallery': 'Images',
  Carousel: 'carrousel',
  Slide: 'image',
  '{index} of {total}': '{index} sur {total}',
  Previous: 'Précédente',
  Next: 'Suivante',
  Close: 'Fermer',
  Caption: 'légende',
  'Zoom in': 'Agrandir',
  'Zoom out': 'Réduire',
};

/** Pictures over the whole window: by arrows, keys or fingers, until Escape. */
export function Lightbox({ illustrations, folder, first, onClose }: LightboxProps) {
  const icon = { 'aria-hidden': true, size: 28 } as const;
  return (
    <YetAnotherLightbox
      open
      close={onClose}
      index={first}
      slides={illustrations.map((illustration) => slideOf(illustration, folder))}
      plugins={[Captions, Zoom, ...(illustrations.length > 1 ? [Counter] : [])]}
      counter={{ separator: ' sur ' }}
      carousel={{ finite: true }}
      controller={{ closeOnBackdropClick: true }}
      labels={LABELS}
      render={{
        iconPrev: () => <ArrowLeft {...icon} />,
        iconNext: () => <ArrowRight {...icon} />,
        iconClose: () => <X {...icon} />,
        iconZoomIn: () => <ZoomIn {...icon} />,
        iconZoomOut: () => <ZoomOut {...icon} />,
        ...(illustrations.length === 1 && { buttonPrev: () => null, buttonNext: () => null }),
      }}
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
