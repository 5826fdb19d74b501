import type { ReactNode } from 'react';
import { type Keeping, saveLabel, useSave } from './save.ts';

interface SaveButtonProps {
  keepings: readonly Keeping[];
  /** Of the button, and of what is said when it fails. */
  look: { button: string; failure: string };
  /** Its icon. */
  children: ReactNode;
}

/** Saves photos to the device, or into its photos by its own sheet where it has one. */
export function SaveButton({ keepings, look, children }: SaveButtonProps) {
  const { saving, save } = useSave(keepings);
  return (
    <>
      <button type="button" className={look.button} aria-disabled={saving.step === 'fetching'} onClick={save}>
        {children}
        {saveLabel(saving)}
      </button>
      <span role="alert" className={`self-center empty:hidden ${look.failure}`}>
        {saving.step === 'failed' && saving.reason}
      </span>
    </>
  );
}
