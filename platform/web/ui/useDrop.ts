import { type DragEvent, useEffect, useState } from 'react';

/** A text that is moved from one field to another is nothing for it. */
function carriesFiles(carried: DataTransfer | null): boolean {
  return carried?.types.includes('Files') ?? false;
}

/** A place on which files can be dropped; `drop` is for its element. */
export function useDrop(onDrop: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // A file dropped beside the zone would take the place of the page, and of the form in it.
    const refuse = (event: globalThis.DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault();
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, drop };
}
