import { useEffect } from 'react';
import { useConfirm } from './dialogs.tsx';

/** One entry for each unsaved form, with the consequence of leaving it; navigation asks first while there is any. */
const unsaved = new Set<{ consequence: string }>();

export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Registers a form as unsaved while `isDirty`; `consequence` is the French sentence on what leaving would mean. */
export function useUnsaved(isDirty: boolean, consequence = 'Vos changements seront perdus.'): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = { consequence };
    unsaved.add(form);
    return () => {
      unsaved.delete(form);
    };
  }, [isDirty, consequence]);
}

/** Asks for confirmation to leave unsaved forms; resolves to true at once when there are none. */
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
