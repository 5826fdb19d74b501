import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call, stepIn } from '#platform/web/api.ts';
import { storeToken } from '#platform/web/session.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { TextField } from '#platform/web/ui/Field.tsx';
import { useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { NOT_KEPT, PasswordField, TokenForm, troubleOf } from '#platform/web/ui/TokenForm.tsx';
import { GOOD_PASSWORD } from '../shared/terms.ts';
import { hasPasskeys, signWithPasskey } from './passkeys.ts';

export function PortalSignInPage() {
  const signedIn = useSignedIn();
  return (
    <SignInFrame title="Portail administrateur" lead="Réservé à l’équipe du CSE.">
      <SignInForm onSignedIn={signedIn} />
    </SignInFrame>
  );
}

/** Where the mail of an invitation leads: nothing is sent before somebody has chosen a password. */
export function InvitationPage() {
  const signedIn = useSignedIn();
  const isInBrowser = useIsInBrowser();
  const link = new URLSearchParams(isInBrowser ? window.location.hash.slice(1) : '');
  return (
    <SignInFrame
      title="Votre accès au portail"
      lead={'Choisissez votre mot de passe\u202f: vous êtes ensuite connecté, sur cet appareil.'}
    >
      <TokenForm
        send={({ password = '' }) =>
          call('POST /admins/invitation', { body: { jeton: link.get('jeton') ?? '', password } })
        }
        onDone={(answer) => keepPortal(answer, signedIn)}
        action="Choisir et se connecter"
        busy="Connexion…"
        takesFocus
        code={(errors) => (
          <>
            <TextField
              key={link.get('nom')}
              label="Identifiant"
              name="username"
              autoComplete="username"
              defaultValue={link.get('nom') ?? ''}
              isRequired
              readOnly
              help="Il vous sera demandé à chaque connexion, avec le mot de passe."
            />
            <PasswordField
              label="Mot de passe"
              name="password"
              autoComplete="new-password"
              help={GOOD_PASSWORD}
              error={errors.password}
            />
          </>
        )}
      />
    </SignInFrame>
  );
}

/** Goes on to the page that was asked for, once somebody has signed in. */
function useSignedIn(): () => void {
  const navigate = useNavigate();
  const answers = useQueryClient();
  const from = wantedPage(useLocation().state);
  return () => {
    answers.clear();
    navigate(from, { replace: true });
  };
}

/** Stores the token of a sign-in to the portal; returns an error message, or a blank text. */
function keepPortal({ tokenAdmin }: ReplyOf<'POST /loginAdmin'>, onSignedIn: () => void): string {
  if (!storeToken('adminToken', tokenAdmin)) return NOT_KEPT;
  onSignedIn();
  return '';
}

function SignInFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Does not take the focus from a field where somebody is typing already.
    if (document.activeElement instanceof HTMLInputElement) return;
    page.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={page} className="flex grow flex-col">
      <Drawing name="horizon" className="h-[clamp(8.5rem,22vw,24vh)] w-full" />
      <div className="page -mt-16 max-w-md">
        <div className="card p-6 sm:p-8">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-2 mb-6 text-quiet">{lead}</p>
          {children}
        </div>
      </div>
    </div>
  );
}

/** The page of the portal that redirected here, or its first page; only the site itself writes this state. */
function wantedPage(state: unknown): string {
  const from = state && typeof state === 'object' && 'from' in state ? state.from : undefined;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/portail';
}

interface SignInFormProps {
  /** The admin who was signed in before; only the password has to be typed. */
  username?: string;
  onSignedIn(): void;
}

/** Name and password of the first step, sent again with the code. */
interface Credentials {
  username: string;
  password: string;
  step: CodeKind;
}

/** What a second step asks for: a code of an application (or a recovery code), or a recovery code alone. */
export type CodeKind = 'code' | 'secours';

export function codeKindIn(error: unknown): CodeKind | undefined {
  const step = error instanceof CallError ? stepIn(error) : undefined;
  return step === 'code' || step === 'secours' ? step : undefined;
}

/**
 * Sign-in of an administrator: name and password, then a code where the account asks for one; or a passkey alone. Stores
 * the token.
 */
export function SignInForm({ username = '', onSignedIn }: SignInFormProps) {
  const [credentials, setCredentials] = useState<Credentials>();

  const keep = (answer: ReplyOf<'POST /loginAdmin'>) => keepPortal(answer, onSignedIn);

  if (credentials) {
    const { step, ...given } = credentials;
    return (
      <CodeStep
        kind={step}
        send={(code) => call('POST /loginAdmin', { body: { ...given, code } })}
        onDone={keep}
        action="Se connecter"
        busy="Connexion…"
        onBack={() => setCredentials(undefined)}
      />
    );
  }
  return (
    <>
      <TokenForm
        send={({ username: name = '', password = '' }) => signIn({ username: name, password })}
        onDone={(answer) => {
          if ('tokenAdmin' in answer) return keep(answer);
          setCredentials(answer);
          return '';
        }}
        action="Se connecter"
        busy="Connexion…"
        isPasswordFirst={username !== ''}
      >
        {(errors) => (
          <TextField
            label="Identifiant"
            name="username"
            isRequired
            missing="saisissez votre identifiant."
            autoComplete="username"
            error={errors.username}
            maxLength={100}
            defaultValue={username}
            // Another admin must not continue the work of the one who was signed in.
            readOnly={username !== ''}
            isFirstFocus={username === ''}
          />
        )}
      </TokenForm>
      <PasskeyButton
        send={(signed) => call('POST /loginAdmin/cle-acces', { body: { ...signed, username } })}
        onDone={keep}
      />
    </>
  );
}

/** Signs in; returns the token, or the credentials when they are right and a code is needed as well. */
async function signIn(given: Omit<Credentials, 'step'>): Promise<ReplyOf<'POST /loginAdmin'> | Credentials> {
  try {
    return await call('POST /loginAdmin', { body: given });
  } catch (error) {
    const step = codeKindIn(error);
    if (step) return { ...given, step };
    throw error;
  }
}

interface PasskeyButtonProps<T> {
  send(signed: NonNullable<Awaited<ReturnType<typeof signWithPasskey>>>): Promise<T>;
  /** Returns an error message, or a blank text. */
  onDone(answer: T): string;
}

/** A passkey in place of the password; nothing where the browser has none. */
export function PasskeyButton<T>({ send, onDone }: PasskeyButtonProps<T>) {
  const isInBrowser = useIsInBrowser();
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  // Drawn from the first, so that nothing moves; it waits for hydration.
  if (isInBrowser && !hasPasskeys()) return null;
  async function sign(): Promise<void> {
    if (isBusy) return;
    setTrouble('');
    setBusy(true);
    try {
      const signed = await signWithPasskey();
      if (signed) setTrouble(onDone(await send(signed)));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setTrouble(troubleOf(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <div className="mt-6 border-t border-mist pt-5">
      <Button quiet aria-disabled={isBusy} disabled={!isInBrowser} onClick={sign}>
        <KeyRound className="size-5" />
        {isBusy ? 'Votre appareil vous le demande…' : 'Utiliser ma clé d’accès'}
      </Button>
      <div role="alert" aria-live="assertive">
        {trouble && <p className="mt-3 font-semibold text-coral">{trouble}</p>}
      </div>
    </div>
  );
}

interface CodeStepProps<T> {
  kind: CodeKind;
  send(code: string): Promise<T>;
  /** Returns an error message, or a blank text. */
  onDone(answer: T): string;
  /** Label of the button, and its label while waiting for the answer. */
  action: string;
  busy: string;
  onBack(): void;
}

/** The second step of a sign-in or of a proof: a code of the application, or a recovery code. */
export function CodeStep<T>({ kind, send, onDone, action, busy, onBack }: CodeStepProps<T>) {
  const [isRecovery, setRecovery] = useState(kind === 'secours');
  return (
    <>
      <TokenForm
        // A new key makes a new field, which takes the focus.
        key={String(isRecovery)}
        send={({ code = '' }) => send(code)}
        onDone={onDone}
        action={action}
        busy={busy}
        takesFocus
        code={({ code: error }) =>
          isRecovery ? (
            <TextField
              label="Code de secours"
              name="code"
              isRequired
              missing="saisissez un de vos codes de secours."
              autoComplete="off"
              maxLength={50}
              help={
                kind === 'code'
                  ? 'Un des dix codes notés à la mise en place. Chacun ne sert qu’une fois.'
                  : 'Ce compte s’ouvre avec une clé d’accès. Sans elle, il faut un des dix codes notés à la mise en place\u202f; chacun ne sert qu’une fois.'
              }
              error={error}
            />
          ) : (
            <CodeField
              help={
                'Ce compte se connecte en deux étapes\u202f: ouvrez l’application de codes de votre téléphone.'
              }
              error={error}
            />
          )
        }
      />
      <div className="mt-3 flex flex-wrap gap-3">
        {kind === 'code' && (
          <Button quiet onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? 'J’ai mon téléphone' : 'Je n’ai pas mon téléphone'}
          </Button>
        )}
        <Button quiet onClick={onBack}>
          Recommencer
        </Button>
      </div>
    </>
  );
}

export function CodeField({ help, error }: { help: string; error: string | undefined }) {
  return (
    <TextField
      label="Code à 6 chiffres"
      name="code"
      isRequired
      missing="saisissez le code à 6 chiffres."
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      help={help}
      error={error}
    />
  );
}

interface SignInAgainProps {
  username: string;
  onSignedIn(): void;
  onGivenUp(): void;
}

/** Sign-in dialog over the current page when its session has ended, so that typed text is not lost. */
export function SignInAgain({ username, onSignedIn, onGivenUp }: SignInAgainProps) {
  // Cannot be dismissed without a choice.
  const modal = useModal(undefined);
  const id = useId();
  const { say } = useNotices();
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="mb-4">
        Votre session est terminée
      </h2>
      <p className="mb-5">Connectez-vous de nouveau : rien de ce que vous avez écrit n’est perdu.</p>
      <SignInForm
        username={username}
        onSignedIn={() => {
          say('La connexion est rétablie. Reprenez où vous en étiez.');
          onSignedIn();
        }}
      />
      <p className="mt-3">
        <Button quiet onClick={onGivenUp}>
          Quitter le portail
        </Button>
      </p>
    </dialog>
  );
}
