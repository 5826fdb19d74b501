import type { PointerEvent } from 'react';

/** Lets a mouse drag the tree by its background; text in the cards can still be selected. */
export const panning = {
  onPointerDown(event: PointerEvent<HTMLElement>) {
    const { target, currentTarget: area, pointerType, button, pointerId, clientY } = event;
    const isOnBar = clientY - area.getBoundingClientRect().top > area.clientHeight;
    if (pointerType !== 'mouse' || button !== 0 || isOnBar || (target as Element).closest('.person')) return;
    event.preventDefault();
    area.setPointerCapture(pointerId);
  },
  onPointerMove({ currentTarget: area, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) {
    if (!area.hasPointerCapture(pointerId)) return;
    area.scrollBy(-movementX, 0);
    window.scrollBy(0, -movementY);
  },
};
