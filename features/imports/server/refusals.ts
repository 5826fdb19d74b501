import type { ImportReason } from '#features/imports/calls.ts';
import { HttpError } from '#platform/server/http/errors.ts';

/** A file that cannot be taken as a whole, because of one of its lines where `ligne` is given. */
export function refusedFile(raison: string, ligne?: number): HttpError {
  const said = ligne === undefined ? raison : `ligne ${ligne}, ${raison}`;
  return new HttpError(422, `Fichier\u00a0: ${said}`, {
    champs: { file: said },
    extra: { lignes: ligne === undefined ? [] : [{ ligne, colonne: '', raison }] },
  });
}

/** A file with faulty lines, of which nothing is kept. */
export function refusedLines(erreurs: number, lignes: ImportReason[]): HttpError {
  const count = erreurs === 1 ? 'Une ligne est fautive' : `${erreurs} lignes sont fautives`;
  return new HttpError(422, `${count}\u202f: rien n’a été importé.`, { extra: { lignes } });
}
