import { flushSync } from 'react-dom';

/*
 * The tree is as wide as what is unfolded: these change it and scroll its area, so that whoever looks at
 * something goes on seeing it.
 */

/** Keeps an element of the area where it is on screen. */
export function keepInPlace(area: HTMLElement, element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect().left;
  flushSync(change);
  area.scrollLeft += element.getBoundingClientRect().left - before;
}

/** Keeps in the middle what is there. */
export function keepMiddle(area: HTMLElement, change: () => void): void {
  const middle = (area.scrollLeft + area.clientWidth / 2) / area.scrollWidth;
  flushSync(change);
  area.scrollLeft = middle * area.scrollWidth - area.clientWidth / 2;
}
