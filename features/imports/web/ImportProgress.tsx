import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import type { Sending } from './useImport.ts';

/** Time, in ms, between two looks at how far the server is. */
const LOOK_MS = 700;

const STEPS: Record<ReplyOf<'GET /imports/suivi/:cle'>['etape'], string> = {
  lecture: 'Lecture du fichier',
  enregistrement: 'Enregistrement',
};

/** How far a file is: how much of it has left, then how much of it is read or stored. */
export function ImportProgress({ sending }: { sending: Sending | undefined }) {
  const isSent = sending !== undefined && sending.part >= 1;
  const { data } = useQuestion(
    { key: 'GET /imports/suivi/:cle', params: { cle: sending?.key ?? '' } },
    'Erreur lors du suivi de l’import:',
    { isAsked: isSent, every: () => LOOK_MS },
  );
  const step = isSent ? STEPS[data?.etape ?? 'lecture'] : 'Envoi du fichier';
  const percent = isSent ? data?.avance : Math.round((sending?.part ?? 0) * 100);
  return (
    <>
      {sending && <progress className="bar" max={100} value={percent} aria-label={step} />}
      <p className="text-sm">
        {/* There before anything is said in it; the percents would be said without end. */}
        <span role="status">{sending && step}</span>
        {sending && (percent === undefined ? '…' : `\u202f: ${percent}\u202f%`)}
      </p>
    </>
  );
}
