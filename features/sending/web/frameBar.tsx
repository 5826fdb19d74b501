import { type ComponentType, useEffect, useSyncExternalStore } from 'react';
import { useStays } from '#features/stays/web/sessions.ts';
import { createListeners } from '#platform/web/listeners.ts';
import { countUnsent, queueName } from './keptUploads.ts';

/** The bar about photos that leave, handed over by the code that sends them: pages from which none leaves load none. */
let Bar: ComponentType | undefined;
const { tell, subscribe } = createListeners();

export function showInFrame(component: ComponentType): void {
  Bar = component;
  tell();
}

/** The place of that bar in the frame of pages. */
export function FrameBar() {
  useUnsentPhotos();
  const Shown = useSyncExternalStore(
    subscribe,
    () => Bar,
    () => undefined,
  );
  return Shown && <Shown />;
}

/** Goes on sending what earlier pages left unsent, for the directors of this device, on whatever page they are. */
function useUnsentPhotos(): void {
  const directed = useStays().flatMap(({ role, stageId }) => (role === 'formateur' ? [stageId] : []));
  const ids = directed.join();
  useEffect(() => {
    // Without this code the page is whole: the next one tries again.
    for (const id of ids.split(',').filter(Boolean)) goOnSending(Number(id)).catch(() => {});
  }, [ids]);
}

async function goOnSending(stageId: number): Promise<void> {
  if ((await countUnsent(queueName(stageId, 'stay'))) === 0) return;
  const [{ SendingBar }, { uploadQueueOf }] = await Promise.all([
    import('./SendingProgress.tsx'),
    import('./UploadQueue.ts'),
  ]);
  showInFrame(SendingBar);
  uploadQueueOf(stageId, 'stay');
}
