import { type ComponentType, useSyncExternalStore } from 'react';
import { createListeners } from '#platform/web/listeners.ts';

/** The bar about photos that leave, handed over by the code that sends them: pages from which none leaves load none. */
let Bar: ComponentType | undefined;
const { tell, subscribe } = createListeners();

export function showInFrame(component: ComponentType): void {
  Bar = component;
  tell();
}

/** The place of that bar in the frame of pages. */
export function FrameBar() {
  const Shown = useSyncExternalStore(
    subscribe,
    () => Bar,
    () => undefined,
  );
  return Shown && <Shown />;
}
