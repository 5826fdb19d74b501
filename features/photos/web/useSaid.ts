import { useState } from 'react';
import { CallError } from '#platform/web/api.ts';
import { UNFORESEEN } from '#platform/web/ui/notices.tsx';

/** Runs one action at a time and keeps its outcome for display in place: notices of the page lie behind the dialog. */
export function useSaid() {
  const [said, setSaid] = useState<{ text: string; isFailure: boolean }>();
  const [isBusy, setBusy] = useState(false);
  async function run(work: () => Promise<string | undefined>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setSaid(undefined);
    try {
      const text = await work();
      if (text) setSaid({ text, isFailure: false });
    } catch (error) {
      setSaid({ text: error instanceof CallError ? error.message : UNFORESEEN, isFailure: true });
      if (!(error instanceof CallError)) throw error;
    } finally {
      setBusy(false);
    }
  }
  return { said, isBusy, run };
}
