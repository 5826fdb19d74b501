import { useState } from 'react';

/** Puts a text where it can be pasted from. `onRefused` is for a browser that does not let it: nothing is copied. */
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
        // A browser without a secure connection, or whose owner said no.
        setOutcome('refused');
        onRefused();
      }
    },
  };
}
