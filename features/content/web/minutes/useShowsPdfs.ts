import { useSyncExternalStore } from 'react';

/** Below it a PDF in a frame is too small to be read. */
const WIDE = '(min-width: 48rem)';

function subscribe(listener: () => void): () => void {
  const width = window.matchMedia(WIDE);
  width.addEventListener('change', listener);
  return () => width.removeEventListener('change', listener);
}

/** True where a PDF can be shown within the page: phones and some browsers only open or download it. */
export function useShowsPdfs(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.pdfViewerEnabled && window.matchMedia(WIDE).matches,
    () => false,
  );
}
