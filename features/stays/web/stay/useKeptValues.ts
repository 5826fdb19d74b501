import { useRef, useState } from 'react';
import { useDraft } from '#platform/web/drafts.ts';

type Values = Record<string, string>;

/**
 * Values of a form, kept as a draft on this device until the server has them. Only values that differ from `stored` are
 * kept, so that what others write meanwhile shows in the other fields.
 */
export function useKeptValues(key: string, stored: Values) {
  const draft = useDraft(key, stored, undefined);
  const [form, setForm] = useState({ values: draft.values, saved: stored });
  /** The latest state: when a server answer arrives, `form` of its closure lacks the keys typed meanwhile. */
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
    /** Values that differ from those of the server. */
    changes: changesOf(form),
    /** When the draft found on this device was typed. */
    foundAt: draft.foundAt,
    change(name: string, value: string): void {
      const { values, saved } = latest.current;
      put({ saved, values: { ...values, [name]: value } });
    },
    /** Records that the server has stored `sent`; what was typed since is still to be sent. */
    confirm(sent: Values): void {
      const { values, saved } = latest.current;
      put({ values, saved: { ...saved, ...sent } });
    },
  };
}

function changesOf({ values, saved }: { values: Values; saved: Values }): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== saved[name]));
}
