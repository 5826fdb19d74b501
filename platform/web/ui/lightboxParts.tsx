import { ArrowLeft, ArrowRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Suspense } from 'react';
import YetAnotherLightbox, { type LightboxExternalProps } from 'yet-another-react-lightbox';
import styles from './lightbox.css?url';

/* What all lightboxes of the site have in common: styles, French labels and icons. */

export const LABELS = {
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

export const ICON = { size: 28 } as const;

/** No arrows: for a picture that is alone. */
export const NO_ARROWS = { buttonPrev: () => null, buttonNext: () => null };

export const ICONS = {
  iconPrev: () => <ArrowLeft {...ICON} />,
  iconNext: () => <ArrowRight {...ICON} />,
  iconClose: () => <X {...ICON} />,
  iconZoomIn: () => <ZoomIn {...ICON} />,
  iconZoomOut: () => <ZoomOut {...ICON} />,
};

/** The lightbox of the library, once its styles are there. */
export function StyledLightbox(props: LightboxExternalProps) {
  return (
    // A boundary of its own: without it the page below would be hidden until the styles are there, and lose its focus.
    <Suspense>
      <link rel="stylesheet" href={styles} precedence="lightbox" />
      <YetAnotherLightbox {...props} />
    </Suspense>
  );
}
