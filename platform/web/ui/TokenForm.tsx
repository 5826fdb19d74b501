import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { CallError } from '#platform/web/api.ts';
import { Button, RoundButton } from './Button.tsx';
import { Field } from './Field.tsx';
import { NeedsScript, useIsInBrowser } from './inBrowser.tsx';
import { textsOf, useForm } from './useForm.ts';

/** Error for a sign-in whose token the browser refuses to store. */
export const NOT_KEPT =
  'Ce navigateur refuse de garder la connexion. Quittez le mode privé, ou autorisez ce site à enregistrer des données.';

interface TokenFormProps<T> {
  /** Asks the server for a token, with the texts of the form by field name. */
  send(texts: Record<string, string>): Promise<T>;
  /** Stores the token of the answer; returns an error message, blank when all went well. */
  onDone(answer: T): string;
  /** Label of the button, and its label while waiting for the answer. */
  action: string;
  busy: string;
  /** Error message shown from the start. */
  trouble?: string;
  /** True when the password gets the focus as its dialog, or its page, opens. */
  isPasswordFirst?: boolean;
  /** True for a password that is typed from a paper or a mail: it is shown as it is typed. */
  isPasswordShown?: boolean;
  /** Once true, the password or code takes the focus, as the rest is filled in, unless a field already has it. */
  takesFocus?: boolean;
  /** Fields before the password. */
  children?(errors: Record<string, string>): ReactNode;
  /** A field named `code`, which replaces the password. */
  code?(errors: Record<string, string>): ReactNode;
}

/** Selects the field that gets the focus, as it is most often the one typed wrong. */
const SECRET = '[name=password], [name=code]';

/** A sign-in form with a password (or a code) and further fields, which shows its error above the button. */
export function TokenForm<T>(props: TokenFormProps<T>) {
  const { send, onDone, action, busy, children, code } = props;
  const { isPasswordFirst = false, isPasswordShown = false, takesFocus = false } = props;
  const [trouble, setTrouble] = useState(props.trouble ?? '');
  // The button stays disabled until hydration.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setTrouble('');
      return send(textsOf(element));
    },
    onDone: (answer) => setTrouble(onDone(answer)),
    failure: 'Erreur de connexion',
    onFailed: (error, element) => {
      // Already shown beside the fields.
      if (Object.keys(error.champs).length > 0) return true;
      setTrouble(troubleOf(error));
      // Selected, so that typing replaces it.
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
          isShownFirst={isPasswordShown}
        />
      )}
      <div role="alert" aria-live="assertive">
        {trouble && <p className="font-semibold text-coral">{trouble}</p>}
      </div>
      <NeedsScript />
      <p>
        <Button type="submit" aria-disabled={isBusy} disabled={!isInBrowser}>
          {isBusy ? busy : action}
        </Button>
      </p>
    </form>
  );
}

export function troubleOf(error: CallError): string {
  return error.status === 0 ? 'Erreur de connexion au serveur.' : error.message || 'Erreur de connexion';
}

interface PasswordFieldProps {
  label: string;
  name: string;
  autoComplete: 'current-password' | 'new-password' | 'off';
  error?: string | undefined;
  help?: string;
  defaultValue?: string;
  isFirstFocus?: boolean;
  /** True for a field that shows its text from the start. */
  isShownFirst?: boolean;
}

export function PasswordField({
  autoComplete,
  defaultValue,
  isShownFirst = false,
  ...field
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(isShownFirst);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field} isRequired missing="saisissez le mot de passe.">
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            defaultValue={defaultValue}
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
            className="input pr-12"
          />
          <RoundButton
            label="Afficher le mot de passe"
            className="absolute inset-y-0 right-0"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon className="size-5" />
          </RoundButton>
        </div>
      )}
    </Field>
  );
}
