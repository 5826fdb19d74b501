import { panelAddress } from '#platform/web/portal.ts';

/** Where the answer to a visitor's message is written. */
export function answerAddress(contactId: number): string {
  return `${panelAddress('ecrire')}&message=${contactId}`;
}
