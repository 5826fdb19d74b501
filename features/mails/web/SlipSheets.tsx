import type { ReplyOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { QrCode } from '#platform/web/ui/QrCode.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';

export type SlipContent = ReplyOf<'GET /stages/:id/etiquettes'>;

export const SLIPS_A_SHEET = 8;

/** Whoever prints them, families read French. */
const LOCALE = 'fr-FR';

/** Sheets of paper with as many slips as asked for, on screen as they are printed. */
export function SlipSheets({ slips, count }: { slips: SlipContent; count: number }) {
  const sheets = Array.from({ length: Math.ceil(count / SLIPS_A_SHEET) }, (_, sheet) =>
    Math.min(SLIPS_A_SHEET, count - sheet * SLIPS_A_SHEET),
  );
  return (
    <div className="slips">
      {sheets.map((length, sheet) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is its place
        <div key={sheet} className="slip-sheet">
          {Array.from({ length }, (_, place) => (
            // All alike: one is enough for whoever listens.
            // biome-ignore lint/suspicious/noArrayIndexKey: a slip is its place
            <div key={place} className="slip" aria-hidden={sheet + place > 0 || undefined}>
              <Slip slips={slips} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Slip({ slips }: { slips: SlipContent }) {
  const { id, nom_stage: name, date_debut, date_fin, adresse_site, mot_de_passe: password, qr } = slips;
  return (
    <>
      <div className="slip-steps">
        <p>{slips.organisation || 'Comité social et économique'}</p>
        <p className="slip-name" style={{ fontSize: millimetres(name.length > 60 ? 3.2 : 4.2) }}>
          {name}
        </p>
        <p>{rangeOf(date_debut, date_fin, LOCALE)}</p>
        <p className="slip-step">
          1. Allez sur <strong>{adresse_site}/connexion</strong>
        </p>
        <p className="slip-step">
          2. Numéro du séjour{'\u202f'}: <strong>{id}</strong>
        </p>
      </div>
      <div className="slip-code">
        <QrCode qr={qr} />
        <p>Ou visez ce code avec un téléphone.</p>
      </div>
      <div className="slip-whole">
        <p>3. Mot de passe{'\u202f'}:</p>
        <p className="slip-password" style={{ fontSize: millimetres(passwordSize(password)) }}>
          {password}
        </p>
        <p className="slip-rules">
          Il est commun aux familles du séjour{'\u202f'}: ne le transmettez à personne. Photos en ligne
          jusqu’au {dayOf(slips.photos_jusquau, LOCALE, 'UTC')}.
        </p>
      </div>
    </>
  );
}

/** Of paper, which are smaller on a screen that is narrower than it. */
function millimetres(length: number): string {
  return `calc(${length} * var(--mm))`;
}

/** Height in millimetres of the letters of a password: on one line when it can be, at most as large as there is room. */
function passwordSize(password: string): number {
  const room = 90;
  const widthOfLetter = 0.61;
  return Math.min(8, Math.max(2.6, room / (widthOfLetter * password.length)));
}
