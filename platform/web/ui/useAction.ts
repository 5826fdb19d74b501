import { useState } from 'react';
import { CallError } from '#platform/web/api.ts';
import { isTakenOver, UNFORESEEN, useNotices } from './notices.tsx';

/** Runs one thing at a time for a button, and says how it ended: `failure`, then the server's reason. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const { warn, clear } = useNotices();
  /** True when it succeeded. */
  async function run(work: () => Promise<void>, failure: string): Promise<boolean> {
    if (isBusy) return false;
    clear();
    setBusy(true);
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) {
        warn(failure, UNFORESEEN);
        throw error;
      }
      if (!isTakenOver(error)) warn(failure, error.message);
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, run };
}
