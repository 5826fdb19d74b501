import type { ReactNode } from 'react';
import type { Photo } from '#features/photos/calls.ts';

/** Photos under one heading, mostly those of a day. */
export interface GridGroup {
  /** Its own among the groups, the day for instance: the heading is `jour-{id}`. */
  id: string;
  title: ReactNode;
  photos: readonly Photo[];
  /** At the right of the heading. */
  actions?: ReactNode;
  /** Between the heading and the photos. */
  intro?: ReactNode;
}

/** What a page adds to each photo. These must stay the same functions for as long as they draw the same. */
export interface GridSlots {
  /** What a photo is called for whoever does not see it; `place`: among all. */
  nameOf(photo: Photo, place: number): string;
  /** Drawn over the picture; it can neither be pressed nor focused. */
  overlay?: ((photo: Photo) => ReactNode) | undefined;
  /** Beside the button of the photo, for what can be pressed. */
  actions?: ((photo: Photo) => ReactNode) | undefined;
}
