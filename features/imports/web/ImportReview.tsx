import { useId } from 'react';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { useArrivalFocus } from '#platform/web/ui/arrival.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import type { ImportPreview } from '../calls.ts';
import { FaultyLines } from './FaultyLines.tsx';
import { type Correction, countOf, linesAsking, type Review } from './useImport.ts';

interface ImportReviewProps {
  review: Review;
  onTyped(): void;
  onSetAside(form: HTMLFormElement): void;
  onTakeBack(form: HTMLFormElement): void;
}

/** The preview of an import: what it would do, and the faults of its file. Takes the focus when it was asked for. */
export function ImportReview({ review, onTyped, onSetAside, onTakeBack }: ImportReviewProps) {
  const { preview, corrections, isAsked } = review;
  // Questions come first.
  const title = useArrivalFocus(isAsked && linesAsking(preview).size === 0);
  const id = useId();
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-6">
      <div>
        <h2 ref={title} id={`${id}-title`} tabIndex={-1} aria-describedby={`${id}-verdict`}>
          Ce que fera l’import
        </h2>
        <p id={`${id}-verdict`} className="mt-2">
          {verdictOn(preview)}
        </p>
        {preview.doublons > 1 && (
          <p className="mt-2 text-quiet">
            {countOf(preview.doublons, 'ligne')} en répètent ou en complètent une autre{'\u202f'}: elles n’en
            font qu’une avec elle.
          </p>
        )}
        {corrections.length > 0 && <p className="mt-2 text-quiet">{saidOf(corrections, preview)}</p>}
        {preview.laissees > 0 && (
          <p className="mt-2 text-quiet">
            {countOf(preview.laissees, 'ligne laissée')} de côté en tout{'\u202f'}: l’import en garde la
            liste, à télécharger et à reprendre.
          </p>
        )}
        {corrections.some(({ cellules }) => cellules.length === 0) && (
          <Button
            quiet
            className="mt-3"
            onClick={({ currentTarget }) => currentTarget.form && onTakeBack(currentTarget.form)}
          >
            Reprendre les lignes laissées de côté
          </Button>
        )}
        {preview.ignorees.length > 0 && (
          <p className="mt-2 wrap-anywhere">
            Colonnes inconnues, qui ne seront pas lues :{' '}
            {preview.ignorees.map((header) => `«\u00a0${header}\u00a0»`).join(', ')}.
          </p>
        )}
      </div>
      <Counts preview={preview} />
      <Warnings warnings={preview.avertissements} />
      {preview.fautes.length > 0 && (
        <FaultyLines preview={preview} onTyped={onTyped} onSetAside={onSetAside} />
      )}
      {preview.changements.length > 0 && <Changes preview={preview} />}
      {preview.erreurs === 0 && preview.extrait.length > 0 && <Extract preview={preview} />}
    </section>
  );
}

export function hasNews({ creer, modifier }: ImportPreview): boolean {
  return creer + modifier > 0;
}

function verdictOn(preview: ImportPreview): string {
  const { lignes, erreurs } = preview;
  if (erreurs > 0) {
    const first = linesAsking(preview).size > 0 ? 'répondez aux questions de ce fichier, ' : '';
    return `Sur ${countOf(lignes, 'ligne')}, ${countOf(erreurs, 'fautive')}\u202f: ${first}corrigez ici ou laissez de côté, puis vérifiez de nouveau. Rien n’est enregistré pour le moment.`;
  }
  if (!hasNews(preview))
    return 'Tout ce que dit ce fichier est déjà sur le site\u202f: il n’y a rien à importer.';
  return `Le fichier est prêt\u202f: ${countOf(lignes, 'ligne')}, aucune fautive. Rien n’est enregistré pour le moment.`;
}

function saidOf(corrections: readonly Correction[], { fautes }: ImportPreview): string {
  const faulty = new Set(fautes.map(({ ligne }) => ligne));
  const aside = corrections.filter(({ cellules }) => cellules.length === 0).map(({ ligne }) => ligne);
  const mended = corrections.filter(
    ({ ligne, cellules }) => cellules.length > 0 && !faulty.has(ligne),
  ).length;
  return [
    mended > 0 && `${countOf(mended, 'ligne corrigée')} ici.`,
    aside.length > 0 && `${countOf(aside.length, 'ligne laissée')} de côté\u202f: ${namedLines(aside)}.`,
    'Votre fichier, lui, ne change pas\u202f; le choisir de nouveau oublie ces corrections.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Maximum number of lines that are named; further ones are counted. */
const LINES_NAMED = 20;

/** Line numbers as « 2, 7 et 12 »; those beyond `LINES_NAMED` are only counted. */
export function namedLines(lines: readonly number[]): string {
  const named = lines.slice(0, LINES_NAMED).map(String);
  const rest = lines.length - named.length;
  return new Intl.ListFormat('fr').format(rest > 0 ? [...named, countOf(rest, 'autre')] : named);
}

function Counts({ preview }: { preview: ImportPreview }) {
  const counts = [
    { label: 'À créer', count: preview.creer },
    { label: 'À modifier', count: preview.modifier },
    { label: 'Déjà à jour', count: preview.inchangees },
    { label: 'Fautives', count: preview.erreurs, colour: preview.erreurs > 0 ? 'text-coral' : undefined },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {counts.map(({ label, count, colour = 'text-pine' }) => (
        <div key={label} className="card flex-col-reverse! p-4">
          <dt className="text-sm text-quiet">{label}</dt>
          <dd className={`font-title text-3xl leading-tight font-bold ${colour}`}>{numberText(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Maximum number of warnings shown: more would be skipped rather than read. */
const WARNINGS_SHOWN = 20;

function Warnings({ warnings }: { warnings: ImportPreview['avertissements'] }) {
  if (warnings.length === 0) return null;
  const rest = warnings.length - WARNINGS_SHOWN;
  return (
    <section className="rounded-card border-2 border-sun bg-card p-4">
      <h3>À vérifier</h3>
      <ul className="mt-2 flex flex-col gap-1 wrap-anywhere">
        {warnings.slice(0, WARNINGS_SHOWN).map(({ ligne, raison }) => (
          <li key={`${ligne} ${raison}`}>
            <span className="font-semibold">Ligne {ligne}</span> : {raison}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mt-2">Et {numberText(rest)} de plus.</p>}
    </section>
  );
}

/** Changed lines that are shown openly; more are folded away. */
const CHANGES_SHOWN = 20;

function Changes({ preview: { changements, modifier } }: { preview: ImportPreview }) {
  const rest = changements.slice(CHANGES_SHOWN);
  const untold = modifier - changements.length;
  return (
    <section>
      <h3 className="mb-3">Ce qui change sur le site</h3>
      <ChangeList changes={changements.slice(0, CHANGES_SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer py-2.5">Voir {countOf(rest.length, 'autre')}</summary>
          <ChangeList changes={rest} />
        </details>
      )}
      {untold > 0 && <p className="mt-2">Et {numberText(untold)} de plus.</p>}
    </section>
  );
}

function ChangeList({ changes }: { changes: ImportPreview['changements'] }) {
  return (
    <ul className="border-t border-mist">
      {changes.map(({ ligne, qui, valeurs }) => (
        <li
          key={ligne}
          className="grid gap-x-4 border-b border-mist py-2 wrap-anywhere sm:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]"
        >
          <span>
            <span className="font-semibold">{qui}</span> <span className="text-quiet">ligne {ligne}</span>
          </span>
          <span>
            {valeurs.map(({ colonne, avant, apres }) => (
              <span key={colonne} className="block">
                {COLUMN_LABELS[colonne] ?? colonne}
                {'\u202f'}: <s className="text-quiet">{avant || 'rien'}</s>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> devient </span>
                <b className="font-semibold">{apres || 'rien'}</b>
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

const STATES: Record<ImportPreview['extrait'][number]['etat'], string> = {
  creer: 'À\u00a0créer',
  modifier: 'À\u00a0modifier',
};

/** Number of example lines shown: enough to see that the columns were understood. */
const SHOWN = 8;
/** Matches a word long enough to widen its column at the expense of all others. */
const LONG_WORD = /\S{9}/;

/** The first lines that would be imported, as they were understood; on a narrow screen each is a card. */
function Extract({ preview }: { preview: ImportPreview }) {
  const { extrait, colonnes } = preview;
  const labels = ['Ligne', 'État', ...colonnes.map((column) => COLUMN_LABELS[column] ?? column)];
  return (
    <section>
      <h3 className="mb-3">Premières lignes à importer</h3>
      <div className="lines-frame">
        <table className="lines">
          <thead>
            <tr>
              {labels.map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {extrait.slice(0, SHOWN).map(({ ligne, etat, cellules }) => (
              <tr key={ligne}>
                {[String(ligne), STATES[etat], ...cellules].map((cell, index) => (
                  <td
                    key={labels[index]}
                    data-label={labels[index]}
                    className={LONG_WORD.test(cell) ? 'wrap-anywhere' : undefined}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
