import { FileDown } from 'lucide-react';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { download } from '#platform/web/api.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import type { ImportTexts } from './useImport.ts';

/** What a file must be, and one to start from. */
export function ImportGuide({ texts }: { texts: ImportTexts }) {
  const { isBusy, run } = useAction();
  const fetchModel = () =>
    run(
      () => download('GET /modeles-csv/:genre', { params: { genre: texts.genre } }),
      'Erreur lors du téléchargement du modèle',
    );
  return (
    <section className="well">
      <h2 className="text-xl">Préparer le fichier</h2>
      <p className="mt-2 max-w-prose">
        Un tableau enregistré au format CSV ou Excel (.xlsx) : une ligne de titres, puis une ligne par{' '}
        {texts.noun}.
      </p>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer py-2.5 font-semibold">
          Les {texts.columns.length} colonnes possibles
        </summary>
        <p className="max-w-prose">Elles peuvent se suivre dans n’importe quel ordre.</p>
        <dl className="mt-3 grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {texts.columns.map(({ name, isRequired, help }) => (
            <div key={name}>
              <dt className="wrap-anywhere">
                <span className="font-semibold">{COLUMN_LABELS[name]}</span>{' '}
                <span className="text-sm text-quiet">
                  {name}
                  {!isRequired && ' (facultatif)'}
                </span>
              </dt>
              <dd className="text-sm">{help}</dd>
            </div>
          ))}
        </dl>
      </details>
      <button type="button" className="button quiet mt-4" aria-disabled={isBusy} onClick={fetchModel}>
        <FileDown aria-hidden="true" className="size-5" />
        Télécharger un fichier modèle
      </button>
    </section>
  );
}
