import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Field } from './Field.tsx';

interface PasswordFieldProps {
  label: string;
  name: string;
  autoComplete: 'current-password' | 'new-password' | 'off';
  error?: string | undefined;
  help?: string;
  defaultValue?: string;
  isFirstFocus?: boolean;
}

/** A password field, with a button to show what was typed. */
export function PasswordField({ autoComplete, defaultValue, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field} isRequired>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            defaultValue={defaultValue}
            spellCheck={false}
            autoCapitalize="none"
            className="input pr-12"
          />
          <button
            type="button"
            className="round-button absolute inset-y-0 right-0"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <Icon aria-hidden="true" className="size-5" />
            <span className="sr-only">Afficher le mot de passe</span>
          </button>
        </div>
      )}
    </Field>
  );
}
