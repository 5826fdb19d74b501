import { ArrowLeft, ArrowRight, X, ZoomIn, ZoomOut } from 'lucide-react';

/** Options common to all lightboxes of the site: French labels and icons. */

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

export const ICON = { 'aria-hidden': true, size: 28 } as const;

export const ICONS = {
  iconPrev: () => <ArrowLeft {...ICON} />,
  iconNext: () => <ArrowRight {...ICON} />,
  iconClose: () => <X {...ICON} />,
  iconZoomIn: () => <ZoomIn {...ICON} />,
  iconZoomOut: () => <ZoomOut {...ICON} />,
};
