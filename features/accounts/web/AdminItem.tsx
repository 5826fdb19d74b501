import { useRef, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useLeavePortal } from '#platform/web/portal.ts';
import { readToken } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { type Change, ChangeAdmin } from './ChangeAdmin.tsx';
import { useAdminsAgain } from './questions.ts';

interface AdminItemProps {
  admin: ReplyOf<'GET /admins'>[number];
  isMe: boolean;
  /** The only one, who has to stay. */
  isLast: boolean;
  /** The item is about to leave the list, and the keyboard’s focus with it. */
  onGone(): void;
}

/** One administrator, and what can be done with the account. */
export function AdminItem({ admin, isMe, isLast, onGone }: AdminItemProps) {
  const { username, created_at, vu_le } = admin;
  const { locale, timeZone } = useSite();
  const [change, setChange] = useState<Change>();
  const opener = useRef<HTMLButtonElement>(null);
  const remove = useRemove(admin, isMe, onGone);

  const close = () => {
    setChange(undefined);
    opener.current?.focus();
  };
  const opens = (wanted: Change) => ({
    type: 'button' as const,
    className: 'button quiet',
    'aria-expanded': change === wanted,
    onClick: ({ currentTarget }: React.MouseEvent<HTMLButtonElement>) => {
      opener.current = currentTarget;
      setChange(change === wanted ? undefined : wanted);
    },
  });
  const since = `Depuis le ${dayOf(created_at, locale, timeZone)}`;
  const seen = vu_le ? `dernière connexion le ${dayOf(vu_le, locale, timeZone)}` : 'jamais connecté';
  return (
    <li className="border-b border-mist py-4">
      <p className="flex flex-wrap items-center gap-x-3 font-semibold wrap-anywhere">
        {username}
        {isMe && <span className="rounded-full bg-mist px-3 text-sm">vous</span>}
      </p>
      <p className="text-sm text-quiet">
        {since}, {seen}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <button {...opens('username')} aria-label={`Renommer ${username}`}>
          Renommer
        </button>
        {!isMe && (
          <button {...opens('password')} aria-label={`Nouveau mot de passe pour ${username}`}>
            Nouveau mot de passe
          </button>
        )}
        {!isLast && (
          <button
            type="button"
            className="button danger ml-auto"
            aria-label={`Supprimer ${username}`}
            aria-disabled={remove.isBusy}
            onClick={remove.run}
          >
            Supprimer
          </button>
        )}
      </div>
      {change && <ChangeAdmin key={change} admin={admin} change={change} onClose={close} />}
    </li>
  );
}

function useRemove({ id, username }: AdminItemProps['admin'], isMe: boolean, onGone: () => void) {
  const confirm = useConfirm();
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const askAgain = useAdminsAgain();
  const leavePortal = useLeavePortal();
  return {
    isBusy,
    run: async () => {
      if (isBusy) return;
      const isSure = await confirm({
        question: isMe ? 'Supprimer votre propre compte ?' : `Supprimer l’administrateur ${username} ?`,
        consequence: isMe
          ? 'Vous serez déconnecté et ne pourrez plus ouvrir le portail.'
          : 'Ses connexions prendront fin aussitôt. Le journal garde la trace de ce qu’il a fait.',
        yes: 'Supprimer',
      });
      if (!isSure) return;
      await run(async () => {
        try {
          const { message } = await call('DELETE /admins/:id', { params: { id } });
          say(message);
          if (isMe) leavePortal();
          else onGone();
        } finally {
          // After a refusal too: somebody else may have been faster.
          if (readToken('adminToken') !== null) await askAgain();
        }
      }, 'Erreur lors de la suppression de l’administrateur');
    },
  };
}
