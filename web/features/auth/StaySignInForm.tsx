import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { TextField } from '../../ui/Field.tsx';
import { NeedsScript } from '../../ui/NeedsScript.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useForm } from '../../ui/useForm.ts';
import { useIsInBrowser } from '../../ui/useIsInBrowser.ts';

/** What a sign-in meets as long as the site keeps no stays. */
const NO_STAY = 'Aucun séjour n’est encore ouvert sur ce site.';

/** Number and password of a stay; the link of a mail fills the number in. */
export function StaySignInForm() {
  const [search] = useSearchParams();
  const [trouble, setTrouble] = useState('');
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: async () => NO_STAY,
    onDone: setTrouble,
    failure: 'Erreur de connexion',
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <TextField
        label="Numéro du séjour"
        name="stageId"
        isRequired
        inputMode="numeric"
        autoComplete="username"
        error={errors.stageId}
        maxLength={15}
        defaultValue={search.get('stageId')?.match(/^\d{1,15}$/)?.[0]}
      />
      <PasswordField
        label="Mot de passe"
        name="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <div role="alert">{trouble && <p className="font-semibold text-coral">{trouble}</p>}</div>
      <NeedsScript />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy} disabled={!isInBrowser}>
          Se connecter
        </button>
      </p>
    </form>
  );
}
