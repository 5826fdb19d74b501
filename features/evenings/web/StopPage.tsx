import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { NeedsScript, useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';

/** Where an evening mail leads who wants no more: following the link changes nothing, as scanners of mails do; the button does. */
export function StopPage() {
  const [isStopped, setStopped] = useState(false);
  const [said, setSaid] = useState('');
  const { isBusy, run } = useAction();
  const isInBrowser = useIsInBrowser();
  const choose = (recevoir: 'oui' | 'non') =>
    run(async () => {
      const jeton = window.location.hash.slice(1);
      setSaid((await call('POST /soirs/arret', { query: { jeton, recevoir } })).message);
      setStopped(recevoir === 'non');
    }, 'Votre choix n’a pas pu être enregistré');
  return (
    <div className="page max-w-xl py-10">
      <h1>Message du soir</h1>
      <p className="mt-3 mb-6">
        Il dit le soir, à votre adresse, combien de photos de vos séjours sont nouvelles. Vos codes et les
        autres e-mails arrivent toujours.
      </p>
      <p role="status" className="mb-4 font-semibold empty:hidden">
        {said}
      </p>
      <NeedsScript />
      <Button
        quiet={isStopped}
        disabled={!isInBrowser}
        aria-disabled={isBusy}
        onClick={() => choose(isStopped ? 'oui' : 'non')}
      >
        {isStopped ? 'Le recevoir de nouveau' : 'Ne plus le recevoir'}
      </Button>
    </div>
  );
}
