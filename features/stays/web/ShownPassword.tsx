import { Check, Copy } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';
import { type NamedStay, sendCodesAddress, stayLabel } from './stays.ts';

interface ShownPasswordProps {
  stay: NamedStay;
  type: PasswordType;
  password: string;
  onRegenerated(password: string): void;
}

/** A password to be read or copied, and replaced. */
export function ShownPassword({ stay, type, password, onRegenerated }: ShownPasswordProps) {
  const { locale } = useSite();
  const id = useId();
  const text = useRef<HTMLInputElement>(null);
  // One key does the rest, once the text has the focus.
  const { isCopied, isRefused, copy } = useCopy(() => text.current?.focus());
  const regenerate = useRegenerate(stay, type, onRegenerated);
  useEffect(() => text.current?.focus(), []);

  const Icon = isCopied ? Check : Copy;
  return (
    <div className="card gap-3 p-5">
      <label htmlFor={id} className="wrap-anywhere">
        <span className="block font-semibold">Mot de passe {PASSWORD_TYPES[type]}</span>
        <span className="text-sm text-quiet">
          Séjour n° {stay.id}, {stayLabel(stay, locale)}
        </span>
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={id}
          ref={text}
          readOnly
          value={password}
          className="input min-w-0 flex-1 basis-52 font-mono text-lg tracking-wide"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" className="button" onClick={() => copy(password)}>
          <Icon aria-hidden="true" className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </button>
        <p role="status" className={isCopied ? 'sr-only' : 'font-semibold'}>
          {isCopied && 'Mot de passe copié.'}
          {isRefused && 'Copie impossible\u202f: appuyez sur Ctrl + C.'}
        </p>
      </div>
      <p className="mt-2 flex flex-wrap justify-between gap-3">
        <Link className="button quiet" to={sendCodesAddress({ stageIds: [stay.id], type })}>
          Envoyer ce mot de passe
        </Link>
        <button
          type="button"
          className="button danger"
          aria-disabled={regenerate.isBusy}
          onClick={regenerate.run}
        >
          Régénérer
        </button>
      </p>
    </div>
  );
}

function useRegenerate({ id }: NamedStay, type: PasswordType, onRegenerated: (password: string) => void) {
  const confirm = useConfirm();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  return {
    isBusy,
    run: async () => {
      if (isBusy) return;
      const isSure = await confirm({
        question: `Remplacer le mot de passe ${PASSWORD_TYPES[type]}\u202f?`,
        consequence:
          'L’ancien n’ouvrira plus rien, et les connexions faites avec lui prendront fin aussitôt. ' +
          'Il faudra donner le nouveau à toutes les personnes concernées.',
        yes: 'Régénérer',
      });
      if (!isSure) return;
      await run(async () => {
        const input = { params: { id }, body: { type } };
        const { message, mot_de_passe } = await call('POST /stage-passwords/:id/regenerer', input);
        onRegenerated(mot_de_passe);
        say(message);
      }, 'Erreur lors du changement de mot de passe');
    },
  };
}
