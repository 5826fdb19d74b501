import { useEffect } from 'react';
import { useConfirm } from './confirm.tsx';

/** What forms hold that nobody has saved yet, by what would become of it; whoever leads elsewhere asks first. */
const unsaved = new Set<{ consequence: string }>();

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Counts this form among the unsaved ones while `isDirty`; `consequence` says what leaving would mean. */
export function useUnsaved(isDirty: boolean, consequence = 'Vos changements seront perdus.'): void {
  useEffect(() => {
    if (!isDirty) return;
    const mark = { consequence };
    unsaved.add(mark);
    return () => {
      unsaved.delete(mark);
    };
  }, [isDirty, consequence]);
}

/** Asks whether what is unsaved may be left; yes at once when there is nothing. */
export function useConfirmLeaving(): () => Promise<boolean> {
  const confirm = useConfirm();
  return async () => {
    if (!hasUnsaved()) return true;
    return confirm({
      question: 'Quitter sans enregistrer\u202f?',
      consequence: [...new Set([...unsaved].map(({ consequence }) => consequence))].join(' '),
      yes: 'Quitter',
      no: 'Rester',
    });
  };
}
