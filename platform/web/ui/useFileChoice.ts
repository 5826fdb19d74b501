import { type ClipboardEvent, useState } from 'react';
import type { FileSort } from './files.ts';

export type FileChoice = ReturnType<typeof useFileChoice>;

/** The file chosen for a form: a new one, the removal of the one there is, or no change. */
export function useFileChoice({ whyNot }: FileSort) {
  const [file, setFile] = useState<File>();
  const [isRemoved, setRemoved] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  function choose(chosen: File | undefined): void {
    if (!chosen) return;
    const reason = whyNot(chosen);
    setTrouble(reason);
    if (reason) return;
    setFile(chosen);
    setRemoved(false);
  }
  function take(isTaken: boolean): void {
    setTrouble(undefined);
    setRemoved(isTaken);
    setFile(undefined);
  }
  return {
    file,
    isRemoved,
    isChanged: file !== undefined || isRemoved,
    trouble,
    choose,
    /** Takes the new file back, else the one there is away. */
    remove: () => take(file === undefined),
    reset: () => take(false),
    /** For the form: a picture pasted anywhere in it is its picture; what comes with a text is the text. */
    pastePicture(event: ClipboardEvent): void {
      const { files, types } = event.clipboardData;
      const pasted = [...files].find(({ type }) => type.startsWith('image/'));
      if (!pasted || types.includes('text/plain')) return;
      event.preventDefault();
      choose(pasted);
    },
  };
}
