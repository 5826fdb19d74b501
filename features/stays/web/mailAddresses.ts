import type { PasswordType } from '#platform/shared/roles.ts';
import { panelAddress } from '#platform/web/panelAddress.ts';

/** Where mails are seen to, for whatever leads there. */

export function mailingAddress(id: number): string {
  return `${panelAddress('envois')}&envoi=${id}`;
}

interface ChosenCodes {
  stageIds: readonly number[];
  type?: PasswordType;
  /** Only to whoever has not been sent the present password. */
  isOnlyMissing?: boolean;
}

/** The form that sends codes, with these stays ticked. */
export function sendCodesAddress({ stageIds, type, isOnlyMissing = false }: ChosenCodes): string {
  const chosen = [
    ...stageIds.map((id) => `sejour=${id}`),
    ...(type ? [`type=${type}`] : []),
    ...(isOnlyMissing ? ['seulement=non_recus'] : []),
  ];
  return [panelAddress('codes-envoyer'), ...chosen].join('&');
}
