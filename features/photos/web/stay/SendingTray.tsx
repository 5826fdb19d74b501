import { SendingTray as Tray } from '#features/photos/web/sending/SendingTray.tsx';
import { Part, useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import type { StaySession } from '#platform/web/session.ts';

/** Where a director sends photos from. */
export function SendingTray({ session }: { session: StaySession }) {
  const endVisit = useEndOfVisit(session);
  return (
    <Part id="envoyer" title="Envoyer des photos">
      <Tray stageId={session.stageId} as="stay" onRefused={endVisit} />
    </Part>
  );
}
