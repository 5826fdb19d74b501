import { type ComponentType, lazy, useState } from 'react';

export interface LazyPage {
  (): React.JSX.Element;
  /** After it, the page renders at once: on the server before rendering, in the browser before it takes over. */
  preload(): Promise<void>;
}

/** A page in a chunk of its own, fetched when first needed. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | undefined;
  const Later = lazy(async () => {
    Loaded = await load();
    return { default: Loaded };
  });
  function Page() {
    // Once for as long as it is shown: a change from the one to the other would draw the page anew, and empty it.
    const [Shown] = useState(() => Loaded ?? Later);
    return <Shown />;
  }
  Page.preload = async () => {
    Loaded ??= await load();
  };
  return Page;
}
