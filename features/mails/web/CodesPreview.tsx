import { Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { mailingAddress, stayLabel } from '#features/stays/web/stays.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { LetterView } from './LetterView.tsx';
import { countOf, MAIL_SERVICE, MAILINGS, RECIPIENTS } from './mailings.ts';
import { StayCounts } from './StayCounts.tsx';
import { TrialDialog } from './TrialDialog.tsx';
import type { PreviewedCodes } from './useCodes.ts';

interface CodesPreviewProps extends Omit<PreviewedCodes, 'turn'> {
  onSent(): void;
}

/** What would leave, with one message as it would be read; then the way to try it and to send all. */
export function CodesPreview({ request, preview, onSent }: CodesPreviewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isTrying, setTrying] = useState(false);
  const { isBusy, send } = useSending({ request, preview, onSent });
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, []);
  const { nombre, par_sejour, exemple } = preview;
  return (
    <section className="flex flex-col gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="mb-2 scroll-mt-20">
          Aperçu
        </h2>
        <p className="font-semibold">
          {nombre === 0
            ? 'Aucun message à envoyer.'
            : `${countOf(nombre, 'message')}, pour ${countOf(par_sejour.length, 'séjour')}.`}
        </p>
      </div>
      <StayCounts stays={par_sejour} isOnlyMissing={request.seulement !== undefined} />
      {exemple && (
        <div>
          <h3 className="mb-2">Le premier message</h3>
          <LetterView letter={exemple} />
        </div>
      )}
      {nombre > 0 && (
        <div inert={isBusy} className="flex flex-wrap gap-3 border-t border-mist pt-6">
          <button type="button" className="button" aria-disabled={isBusy} onClick={send}>
            <Send aria-hidden="true" className="size-5" />
            {isBusy ? 'Envoi…' : `Envoyer ${countOf(nombre, 'message')}`}
          </button>
          <button type="button" className="button quiet" onClick={() => setTrying(true)}>
            M’envoyer un essai
          </button>
        </div>
      )}
      {isTrying && <TrialDialog request={request} onClose={() => setTrying(false)} />}
    </section>
  );
}

/** Stays that a question names. */
const NAMED = 5;

function useSending({ request, preview, onSent }: CodesPreviewProps) {
  const confirm = useConfirm();
  const navigate = useNavigate();
  const askAgain = useAskAgain(MAILINGS, MAIL_SERVICE);
  const { locale } = useSite();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const stays = preview.par_sejour.filter(({ nombre }) => nombre > 0);
  const send = async () => {
    const isSure = await confirm({
      question: `Envoyer ${countOf(preview.nombre, 'message')}\u202f?`,
      consequence: `Le mot de passe de chaque séjour part aux ${RECIPIENTS[request.type].toLowerCase()} de ce séjour. Un message parti ne se reprend pas.`,
      details: (
        <ul className="list-disc pl-5">
          {stays.slice(0, NAMED).map((stay) => (
            <li key={stay.id}>
              {stayLabel(stay, locale)} ({countOf(stay.nombre, 'adresse')})
            </li>
          ))}
          {stays.length > NAMED && (
            <li>et {countOf(stays.length - NAMED, 'autre séjour', 'autres séjours')}</li>
          )}
        </ul>
      ),
      yes: 'Envoyer',
    });
    if (!isSure) return;
    await run(async () => {
      const { message, id } = await call('POST /stages/envoi-mots-de-passe', { body: request });
      onSent();
      say(message);
      navigate(mailingAddress(id));
      await askAgain();
    }, 'Erreur lors de l’envoi des e-mails');
  };
  return { isBusy, send };
}
