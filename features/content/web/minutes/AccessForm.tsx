import { call } from '#platform/web/api.ts';
import { storeToken } from '#platform/web/session.ts';
import { TokenForm } from '#platform/web/ui/TokenForm.tsx';

interface AccessFormProps {
  /** The token of this browser has opened the minutes, and does so no more. */
  hasEnded: boolean;
  onOpened(): void;
}

/** The password of the minutes; keeps the token of a success. */
export function AccessForm({ hasEnded, onOpened }: AccessFormProps) {
  return (
    <TokenForm
      send={({ password = '' }) => call('POST /documents/acces', { body: { password } })}
      onDone={({ token }) => {
        if (!storeToken('tokenLecture', token)) {
          return 'Ce navigateur refuse de garder l’accès (mode privé, ou stockage bloqué).';
        }
        onOpened();
        return '';
      }}
      action="Ouvrir"
      busy="Ouverture…"
      trouble={hasEnded ? 'Votre accès est terminé\u202f: saisissez de nouveau le mot de passe.' : ''}
      takesFocus={hasEnded}
    />
  );
}
