import { useRef, useState } from 'react';
import { useDraft } from '#platform/web/drafts.ts';

type Values = Record<string, string>;

/**
 * What is typed in a form, kept on this device until the server has it. Only what differs from `stored` is kept,
 * so that what others write meanwhile shows through.
 */
export function useKeptValues(key: string, stored: Values) {
  const draft = useDraft(key, stored, undefined);
  const [form, setForm] = useState({ values: draft.values, saved: stored });
  /** An answer of the server comes later than the keys typed while it was on its way. */
  const latest = useRef(form);
  const put = (next: typeof form) => {
    latest.current = next;
    setForm(next);
    const changes = changesOf(next);
    if (Object.keys(changes).length > 0) draft.typed(changes);
    else draft.drop();
  };
  return {
    values: form.values,
    /** What differs from what the server has. */
    changes: changesOf(form),
    /** When the draft that was found here was typed. */
    foundAt: draft.foundAt,
    change(name: string, value: string): void {
      const { values, saved } = latest.current;
      put({ saved, values: { ...values, [name]: value } });
    },
    /** The server has these now; what was typed since is still to be sent. */
    confirm(sent: Values): void {
      const { values, saved } = latest.current;
      put({ values, saved: { ...saved, ...sent } });
    },
  };
}

function changesOf({ values, saved }: { values: Values; saved: Values }): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== saved[name]));
}
