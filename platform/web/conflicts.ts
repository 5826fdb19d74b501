import type { CallError } from './api.ts';

/** What is stored, when a form was refused because somebody else had saved meanwhile; undefined otherwise. */
export function conflictIn<T>({ status, answer }: CallError): T | undefined {
  const { actuel } = (answer ?? {}) as { actuel?: T };
  return status === 409 ? actuel : undefined;
}

/** Who changed what is stored, and when; the name is not always known. */
export interface LastChange {
  par: string | null;
  le: string;
}

/** Who had saved meanwhile, where `conflictIn` finds something. */
export function lastChangeIn({ answer }: CallError): LastChange | undefined {
  return ((answer ?? {}) as { modifie?: LastChange }).modifie;
}
