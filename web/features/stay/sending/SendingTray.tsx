import { SendingTray as Tray } from '../../../photos/sending/SendingTray.tsx';
import type { StaySession } from '../../../session.ts';
import { Part } from '../Part.tsx';
import { useEndOfVisit } from '../useEndOfVisit.ts';

/** Where a director sends photos from. */
export function SendingTray({ session }: { session: StaySession }) {
  const endVisit = useEndOfVisit(session);
  return (
    <Part id="envoyer" title="Envoyer des photos">
      <Tray stageId={session.stageId} as="stay" onRefused={endVisit} />
    </Part>
  );
}
