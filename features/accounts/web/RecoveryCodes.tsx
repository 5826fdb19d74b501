import { Check, Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  onNoted(): void;
}

/** The codes for the day when the telephone is lost, told this once. */
export function RecoveryCodes({ codes, onNoted }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { isCopied, isRefused, copy } = useCopy(() => list.current?.focus());
  useEffect(() => heading.current?.focus(), []);
  useUnsaved(true, 'Vos codes de secours ne seront plus affichés.');
  const Icon = isCopied ? Check : Copy;
  return (
    <div className="well flex flex-col gap-5">
      <h3 ref={heading} tabIndex={-1}>
        Notez vos dix codes de secours
      </h3>
      <p>
        Sans votre téléphone, chacun d’eux ouvre votre compte une fois, à la place du code. Gardez-les sur
        papier, ailleurs que votre mot de passe{'\u202f'}: ils ne seront plus affichés.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        className="grid gap-x-6 gap-y-2 font-mono text-lg tracking-wide sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p role="status" className={isRefused ? 'font-semibold' : 'sr-only'}>
        {isCopied && 'Codes de secours copiés.'}
        {isRefused && 'Copie impossible\u202f: notez-les à la main.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button" onClick={onNoted}>
          C’est noté
        </button>
        <button type="button" className="button quiet" onClick={() => copy(codes.join('\n'))}>
          <Icon aria-hidden="true" className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </button>
      </div>
    </div>
  );
}
