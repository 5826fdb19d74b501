import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import type { Message } from './mailings.tsx';

const FORMS = { html: 'Mis en forme', texte: 'Texte seul' } as const;

/** A message as its reader sees it, as HTML and as plain text, to read and copy. */
export function MessageView({ message }: { message: Message }) {
  const [shown, setShown] = useState<keyof typeof FORMS>('html');
  return (
    <div className="card">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-b border-mist p-4 wrap-anywhere">
        <dt className="text-quiet">À</dt>
        <dd>{message.destinataire}</dd>
        <dt className="text-quiet">Objet</dt>
        <dd className="font-semibold">{message.objet}</dd>
      </dl>
      <div className="flex flex-wrap gap-2 border-b border-mist p-3">
        {Object.entries(FORMS).map(([form, label]) => (
          <button
            key={form}
            type="button"
            className={`button ${form === shown ? '' : 'quiet'}`}
            aria-pressed={form === shown}
            onClick={() => setShown(form as keyof typeof FORMS)}
          >
            {label}
          </button>
        ))}
        <CopyText text={message.texte} onRefused={() => setShown('texte')} />
      </div>
      {shown === 'html' ? (
        // Sandboxed: no script runs, and links open a new tab.
        <iframe
          title="Message mis en forme"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={message.html}
          className="h-120 w-full"
        />
      ) : (
        <p className="p-4 wrap-anywhere whitespace-pre-wrap">{message.texte}</p>
      )}
    </div>
  );
}

/** Copies the plain text to the clipboard; `onRefused` shows the text when the browser refuses. */
function CopyText({ text, onRefused }: { text: string; onRefused(): void }) {
  const { isCopied, isRefused, copy } = useCopy(onRefused);
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <button type="button" className="button quiet sm:ml-auto" onClick={() => copy(text)}>
        <Icon aria-hidden="true" className="size-5" />
        {isCopied ? 'Copié' : 'Copier'}
      </button>
      <p role="status" className={isRefused ? 'w-full font-semibold' : 'sr-only'}>
        {isCopied && 'Texte du message copié.'}
        {isRefused && 'Copie impossible\u202f: sélectionnez le texte ci-dessous.'}
      </p>
    </>
  );
}
