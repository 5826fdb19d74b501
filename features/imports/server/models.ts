import type { ImportKind } from '#features/stays/shared/terms.ts';
import { MadeFile } from '#platform/server/http/serve.ts';

/**
 * Files to be filled in. Their example line is faulty on purpose, by its missing dates or stay: sent back as it is,
 * nothing fictitious gets in.
 */
const LINES: Record<ImportKind, readonly string[]> = {
  sejours: [
    'nom_stage;date_debut;date_fin;mdp_formateur;mdp_stagiaire',
    'Exemple à remplacer;jj/mm/aaaa;jj/mm/aaaa;;',
  ],
  familles: [
    'nom;prenom;email;email_2;consentement_image;nom_stage;date_debut;date_fin',
    'Exemple;À remplacer;famille@example.org;;oui;Nom du séjour;jj/mm/aaaa;jj/mm/aaaa',
  ],
};

export function modelFile(kind: ImportKind): MadeFile {
  // With this mark a spreadsheet reads the accents as they are.
  const text = `\ufeff${LINES[kind].join('\r\n')}\r\n`;
  return new MadeFile(Buffer.from(text), `modele-${kind}.csv`);
}
