import { useState } from 'react';

/** Copies a text to the clipboard. `onRefused` is called when the browser refuses, and nothing is copied. */
export function useCopy(onRefused: () => void) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  return {
    isCopied: outcome === 'copied',
    isRefused: outcome === 'refused',
    async copy(text: string): Promise<void> {
      try {
        await navigator.clipboard.writeText(text);
        setOutcome('copied');
      } catch {
        // The connection is not secure, or the user refused.
        setOutcome('refused');
        onRefused();
      }
    },
  };
}
