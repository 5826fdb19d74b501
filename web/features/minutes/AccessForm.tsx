import { useEffect, useState } from 'react';
import { call } from '../../api.ts';
import { forgetToken, storeToken } from '../../session.ts';
import { NeedsScript } from '../../ui/NeedsScript.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { textsOf, useForm } from '../../ui/useForm.ts';
import { useIsInBrowser } from '../../ui/useIsInBrowser.ts';

interface AccessFormProps {
  /** The token of this browser has opened the minutes, and does so no more. */
  hasEnded: boolean;
  onOpened(): void;
}

/** The password of the minutes; keeps the token of a success. */
export function AccessForm({ hasEnded, onOpened }: AccessFormProps) {
  const [trouble, setTrouble] = useState(
    hasEnded ? 'Votre accès est terminé\u202f: saisissez de nouveau le mot de passe.' : '',
  );
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setTrouble('');
      const { password = '' } = textsOf(element);
      return call('POST /documents/acces', { body: { password } });
    },
    onDone: ({ token }) => {
      if (!storeToken('token', token)) {
        setTrouble('Ce navigateur refuse de garder l’accès (mode privé, ou stockage bloqué).');
        return;
      }
      // One that is still here was refused, and would be presented before the new one.
      forgetToken('adminToken');
      onOpened();
    },
    failure: 'Erreur de connexion',
    onFailed: (error, element) => {
      setTrouble(error.status === 0 ? 'Erreur de connexion au serveur.' : error.message);
      element.querySelector<HTMLInputElement>('[name=password]')?.select();
      return true;
    },
  });
  const { ref } = form;
  useEffect(() => {
    // What had the focus has left with the list.
    if (hasEnded) ref.current?.querySelector<HTMLElement>('[name=password]')?.focus({ preventScroll: true });
  }, [hasEnded, ref]);
  return (
    <form {...form} className="flex flex-col gap-5">
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
          {isBusy ? 'Ouverture…' : 'Ouvrir'}
        </button>
      </p>
    </form>
  );
}
