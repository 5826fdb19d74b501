import { CodesForm } from './CodesForm.tsx';
import { MailService } from './MailService.tsx';
import { StaysWithCodes } from './StayCounts.tsx';

/** Panel to mail the codes of stays to their families or directors. */
export function SendCodesPanel() {
  return (
    <div className="max-w-3xl">
      <h1>Envoyer les codes</h1>
      <p className="mt-3 mb-6 text-quiet">
        Chaque adresse reçoit un message à elle seule{'\u202f'}: le numéro du séjour, son mot de passe et un
        lien pour se connecter.
      </p>
      <MailService />
      <StaysWithCodes>{(stays) => <CodesForm stays={stays} />}</StaysWithCodes>
    </div>
  );
}
