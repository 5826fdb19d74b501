import { useRef, useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { ofName } from '#platform/shared/elision.ts';
import { ALL_RIGHTS, RIGHTS, type Right } from '#platform/shared/roles.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { SESSION, useLeavePortal, useMay, usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { readToken } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { FormButtons, SubmitButton, TextField, Tick } from '#platform/web/ui/Field.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { PasswordField } from '#platform/web/ui/TokenForm.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import { GOOD_PASSWORD } from '../shared/terms.ts';

const ADMINS = { key: 'GET /admins' } as const;

/** Reads the admins and the session again: a new name may be one’s own. */
const useAdminsAgain = () => useAskAgain(ADMINS, SESSION);

const HAND_OVER = 'Transmettez le mot de passe de vive voix, jamais par écrit.';

const NAME = { name: 'username', isRequired: true, maxLength: 100, autoComplete: 'off' } as const;
const ADDRESS = {
  name: 'email',
  type: 'email',
  autoComplete: 'off',
  help: 'Pour être prévenu quand le compte est ouvert sur un nouvel appareil.',
} as const;
const PASSWORD = {
  name: 'password',
  autoComplete: 'new-password',
  help: `${GOOD_PASSWORD} ${HAND_OVER}`,
} as const;

export function AdminsPanel() {
  const admins = useQuestion(ADMINS);
  const { username: me } = usePortalSession();
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <div>
        <h1 ref={title} tabIndex={-1}>
          Administrateurs
        </h1>
        <p className="mt-3 mb-4 text-quiet">
          Chacun fait dans ce portail ce que ses droits lui ouvrent. Donnez à chaque personne son propre
          identifiant : le journal dit ainsi qui a fait quoi.
        </p>
        <ListState
          query={admins}
          failed="Les administrateurs n’ont pas pu être chargés."
          empty="Aucun administrateur pour le moment : ajoutez-en un ci-dessous."
        >
          {(items) => (
            <ul className="border-t border-mist">
              {items.map((admin) => (
                <AdminItem
                  key={admin.id}
                  admin={admin}
                  isMe={admin.username === me}
                  isLast={items.length === 1}
                  onGone={() => title.current?.focus({ preventScroll: true })}
                />
              ))}
            </ul>
          )}
        </ListState>
      </div>
      <Section title="Inviter une personne" className="max-w-xl" look="mb-5">
        <AddAdmin />
      </Section>
    </div>
  );
}

/** What an account is let into, to be ticked; rights that one does not have oneself can neither be given nor taken. */
function RightsField({ held, error }: { held: readonly Right[]; error: string | undefined }) {
  const may = useMay();
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Droits</legend>
      {ALL_RIGHTS.map((right) => (
        <Tick
          key={right}
          name="droits"
          value={right}
          defaultChecked={held.includes(right)}
          disabled={!may([right])}
        >
          {RIGHTS[right]}
        </Tick>
      ))}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

const ticked = (form: HTMLFormElement) => new FormData(form).getAll('droits') as Right[];

/** A form for another admin: a mail lets them choose their password, or a first one is said aloud. */
function AddAdmin() {
  const [isAloud, setAloud] = useState(false);
  const { rights } = usePortalSession();
  const { say } = useNotices();
  const askAgain = useAdminsAgain();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { username = '', email, password } = textsOf(element);
      const body = { username: username.trim().replaceAll(/\s+/g, '.'), email, password };
      return call('POST /admins', { body: { ...body, droits: ticked(element) } });
    },
    onDone: ({ message }, element) => {
      say(isAloud ? `${message}. ${HAND_OVER}` : message);
      element.reset();
      setAloud(false);
      askAgain();
    },
    failure: 'Erreur lors de l’ajout de l’administrateur',
  });
  return (
    <form {...form} className="flex flex-col gap-5" autoComplete="off">
      <TextField
        {...NAME}
        label="Nom"
        help={
          'Il devient son identifiant\u202f: «\u00a0Sophie.Moreau\u00a0» pour «\u00a0Sophie Moreau\u00a0».'
        }
        error={errors.username}
      />
      <TextField
        {...ADDRESS}
        label="Adresse e-mail"
        help={
          isAloud
            ? ADDRESS.help
            : 'Elle y reçoit un lien pour choisir son mot de passe\u202f: il sert une fois, pendant sept jours.'
        }
        isRequired={!isAloud}
        error={errors.email}
      />
      <Tick checked={isAloud} onChange={({ target }) => setAloud(target.checked)}>
        Sans e-mail{'\u202f'}: je lui dirai un mot de passe de vive voix
      </Tick>
      {isAloud && <PasswordField {...PASSWORD} label="Premier mot de passe" error={errors.password} />}
      <RightsField held={rights} error={errors.droits} />
      <p>
        <SubmitButton
          yes={isAloud ? 'Ajouter' : 'Inviter'}
          busy={isAloud ? 'Ajout…' : 'Envoi…'}
          isBusy={isBusy}
        />
      </p>
    </form>
  );
}

interface AdminItemProps {
  admin: ReplyOf<'GET /admins'>[number];
  isMe: boolean;
  /** True for the only administrator, who cannot be deleted. */
  isLast: boolean;
  /** Called when the item is about to leave the list, which would lose the keyboard’s focus. */
  onGone(): void;
}

function AdminItem({ admin, isMe, isLast, onGone }: AdminItemProps) {
  const { id, username, email, droits, created_at, vu_le, facteur_avant, invite_jusqua } = admin;
  const may = useMay();
  // Nobody takes over an account that may do more than their own.
  const isMine = droits.every((right) => may([right]));
  const { locale, timeZone } = useSite();
  const [change, setChange] = useState<Change>();
  const opener = useRef<HTMLButtonElement>(null);
  const remove = useRemove(admin, isMe, onGone);
  const { say } = useNotices();
  const invitation = useAction(useAdminsAgain());

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
  const isAwaited = invite_jusqua !== null;
  const inviteAgain = () =>
    invitation.run(async () => {
      say((await call('PUT /admins/:id', { params: { id }, body: { inviter: true } })).message);
    }, 'Erreur lors de l’invitation');
  const seen = vu_le ? `dernière connexion le ${dayOf(vu_le, locale, timeZone)}` : 'jamais connecté';
  return (
    <li className="border-b border-mist py-4">
      <p className="flex flex-wrap items-center gap-x-3 font-semibold wrap-anywhere">
        {username}
        {isMe && <span className="rounded-full bg-mist px-3 text-sm">vous</span>}
        {isAwaited && <span className="rounded-full bg-mist px-3 text-sm">Invitée, en attente</span>}
      </p>
      <p className="text-sm text-quiet">
        {isAwaited
          ? `Lien envoyé à ${email}. ${new Date(invite_jusqua) > new Date() ? 'Il sert jusqu’au' : 'Il ne sert plus depuis le'} ${dayOf(invite_jusqua, locale, timeZone)}`
          : `${since}, ${seen}${email && `. Prévenu à ${email}`}`}
      </p>
      <p className="text-sm">{rightsInWords(droits)}</p>
      {facteur_avant && !isAwaited && (
        <p className="text-sm">
          Sans clé d’accès ni connexion en deux étapes{'\u202f'}: plus aucun droit à partir du{' '}
          {dayOf(facteur_avant, locale, timeZone)}.
        </p>
      )}
      {isMine && (
        <div className="mt-3 flex flex-wrap gap-2">
          {isAwaited ? (
            <Button quiet aria-disabled={invitation.isBusy} onClick={inviteAgain}>
              Renvoyer l’invitation
            </Button>
          ) : (
            <>
              <button {...opens('username')} aria-label={`Renommer ${username}`}>
                Renommer
              </button>
              <button {...opens('email')} aria-label={`Adresse ${ofName(username)}`}>
                Adresse
              </button>
            </>
          )}
          <button {...opens('droits')} aria-label={`Droits ${ofName(username)}`}>
            Droits
          </button>
          {!isMe && !isAwaited && (
            <button {...opens('password')} aria-label={`Nouveau mot de passe pour ${username}`}>
              Nouveau mot de passe
            </button>
          )}
          {!isLast && (
            <Button
              danger
              className="ml-auto"
              aria-label={isAwaited ? `Retirer l’invitation ${ofName(username)}` : `Supprimer ${username}`}
              aria-disabled={remove.isBusy}
              onClick={remove.run}
            >
              {isAwaited ? 'Retirer' : 'Supprimer'}
            </Button>
          )}
        </div>
      )}
      {change && <ChangeAdmin key={change} admin={admin} change={change} onClose={close} />}
    </li>
  );
}

/** « Tous les droits », « Photos, séjours et familles »… */
function rightsInWords(rights: readonly Right[]): string {
  if (ALL_RIGHTS.every((right) => rights.includes(right))) return 'Tous les droits';
  return rights.map((right) => RIGHTS[right]).join(' · ') || 'Aucun droit\u202f: seulement son propre compte';
}

function useRemove(
  { id, username, invite_jusqua }: AdminItemProps['admin'],
  isMe: boolean,
  onGone: () => void,
) {
  const { say } = useNotices();
  const askAgain = useAdminsAgain();
  const { isBusy, run } = useAction(async () => {
    // Not after one's own account.
    if (readToken('adminToken') !== null) await askAgain();
  });
  const leavePortal = useLeavePortal();
  const remove = async () => {
    say((await call('DELETE /admins/:id', { params: { id } })).message);
    if (isMe) leavePortal();
    else onGone();
  };
  const question =
    invite_jusqua !== null
      ? {
          question: `Retirer l’invitation ${ofName(username)}\u202f?`,
          consequence: 'Son lien n’ouvrira plus rien.',
          yes: 'Retirer',
        }
      : {
          question: isMe
            ? 'Supprimer votre propre compte\u202f?'
            : `Supprimer l’administrateur ${username}\u202f?`,
          consequence: isMe
            ? 'Vous serez déconnecté et ne pourrez plus ouvrir le portail.'
            : 'Ses connexions prendront fin aussitôt. Le journal garde la trace de ce qu’il a fait.',
          yes: 'Supprimer',
        };
  return {
    isBusy,
    run: () => run(remove, 'Erreur lors de la suppression de l’administrateur', question),
  };
}

type Change = 'username' | 'email' | 'password' | 'droits';

const CHANGE_FAILED: Record<Change, string> = {
  username: 'Erreur lors du changement d’identifiant',
  email: 'Erreur lors du changement d’adresse',
  password: 'Erreur lors du changement de mot de passe',
  droits: 'Erreur lors du changement des droits',
};

interface ChangeAdminProps {
  admin: Pick<AdminItemProps['admin'], 'id' | 'username' | 'email' | 'droits'>;
  change: Change;
  onClose(): void;
}

function ChangeAdmin({ admin: { id, username, email, droits }, change, onClose }: ChangeAdminProps) {
  const { say } = useNotices();
  const askAgain = useAdminsAgain();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const body = change === 'droits' ? { droits: ticked(element) } : textsOf(element);
      return call('PUT /admins/:id', { params: { id }, body });
    },
    onDone: ({ message }) => {
      say(change === 'password' ? `${message}. ${HAND_OVER}` : message);
      askAgain();
      onClose();
    },
    failure: CHANGE_FAILED[change],
    takesFocus: true,
  });
  return (
    <form {...form} className="well mt-3 flex max-w-xl flex-col gap-5" autoComplete="off">
      {change === 'username' && (
        <TextField
          {...NAME}
          label={`Nouvel identifiant ${ofName(username)}`}
          defaultValue={username}
          error={errors.username}
        />
      )}
      {change === 'email' && (
        <TextField
          {...ADDRESS}
          label={`Adresse e-mail ${ofName(username)}`}
          defaultValue={email}
          error={errors.email}
        />
      )}
      {change === 'password' && (
        <PasswordField
          {...PASSWORD}
          label={`Nouveau mot de passe pour ${username}`}
          error={errors.password}
        />
      )}
      {change === 'droits' && <RightsField held={droits} error={errors.droits} />}
      <FormButtons yes="Enregistrer" busy="Enregistrement…" isBusy={isBusy} onCancel={onClose} />
    </form>
  );
}
