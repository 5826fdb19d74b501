import { type ReactNode, useEffect, useState } from 'react';
import type { CallError } from '#platform/web/api.ts';
import { NeedsScript } from './NeedsScript.tsx';
import { PasswordField } from './PasswordField.tsx';
import { textsOf, useForm } from './useForm.ts';
import { useIsInBrowser } from './useIsInBrowser.ts';

/** What is in the way of a sign-in whose token the browser does not keep. */
export const NOT_KEPT = 'Ce navigateur refuse de garder la connexion (mode privé, ou stockage bloqué).';

interface TokenFormProps<T> {
  /** Asks for a token with what was typed, by name. */
  send(texts: Record<string, string>): Promise<T>;
  /** Keeps what the answer brought; returns what is in the way, or nothing. */
  onDone(answer: T): string;
  /** On the button, and while one waits. */
  action: string;
  busy: string;
  /** Said from the start. */
  trouble?: string;
  /** The password is what its dialog, or its page, is opened for. */
  isPasswordFirst?: boolean;
  /** The password takes the focus, as the rest is done, unless somebody types already. */
  takesFocus?: boolean;
  /** What is typed before the password. */
  children?(errors: Record<string, string>): ReactNode;
  /** What is typed in its place: a field named `code`. */
  code?(errors: Record<string, string>): ReactNode;
}

/** Where the focus goes: most often it is what was typed wrong. */
const SECRET = '[name=password], [name=code]';

/** A password that opens something, and what goes with it; says above its button why it does not. */
export function TokenForm<T>(props: TokenFormProps<T>) {
  const { send, onDone, action, busy, isPasswordFirst = false, takesFocus = false, children, code } = props;
  const [trouble, setTrouble] = useState(props.trouble ?? '');
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setTrouble('');
      return send(textsOf(element));
    },
    onDone: (answer) => setTrouble(onDone(answer)),
    failure: 'Erreur de connexion',
    onFailed: (error, element) => {
      // Said beside its field already.
      if (Object.keys(error.champs).length > 0) return true;
      setTrouble(troubleOf(error));
      // Typed anew over the old one.
      element.querySelector<HTMLInputElement>(SECRET)?.select();
      return true;
    },
  });
  const { ref } = form;
  useEffect(() => {
    if (!takesFocus || document.activeElement instanceof HTMLInputElement) return;
    ref.current?.querySelector<HTMLElement>(SECRET)?.focus({ preventScroll: true });
  }, [takesFocus, ref]);
  return (
    <form {...form} className="flex flex-col gap-5">
      {children?.(errors)}
      {code?.(errors) ?? (
        <PasswordField
          label="Mot de passe"
          name="password"
          autoComplete="current-password"
          error={errors.password}
          isFirstFocus={isPasswordFirst}
        />
      )}
      <div role="alert">{trouble && <p className="font-semibold text-coral">{trouble}</p>}</div>
      <NeedsScript />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy} disabled={!isInBrowser}>
          {isBusy ? busy : action}
        </button>
      </p>
    </form>
  );
}

function troubleOf(error: CallError): string {
  return error.status === 0 ? 'Erreur de connexion au serveur.' : error.message || 'Erreur de connexion';
}
