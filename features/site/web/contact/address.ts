import { panelAddress } from '#platform/web/panelAddress.ts';

/** Where the answer to a visitor's message is written. */
export function answerAddress(contactId: number): string {
  return `${panelAddress('ecrire')}&message=${contactId}`;
}
