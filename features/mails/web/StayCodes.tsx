import { Passwords } from '#features/stays/web/PasswordsPanel.tsx';
import { Codes } from './SendCodesPanel.tsx';

/** The tab of the codes of a stay: its passwords, and sending them. */
export function StayCodes() {
  return (
    <div className="flex max-w-3xl flex-col gap-12">
      <section aria-labelledby="mots-de-passe">
        <h2 id="mots-de-passe">Mots de passe</h2>
        <Passwords />
      </section>
      <section aria-labelledby="envoyer-les-codes" className="border-t border-mist pt-8">
        <h2 id="envoyer-les-codes">Envoyer les codes</h2>
        <Codes />
      </section>
    </div>
  );
}
