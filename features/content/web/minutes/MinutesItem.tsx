import { ChevronDown, FileText } from 'lucide-react';
import { useId, useState } from 'react';
import { addressOfFolder } from '#features/content/shared/kind.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useSite } from '#platform/web/site.tsx';
import { Marked } from '#platform/web/ui/SearchBox.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useShowsPdfs } from './useShowsPdfs.ts';

interface MinutesItemProps {
  item: ReplyOf<'GET /documents'>[number];
  /** What was looked for. */
  words: readonly string[];
  isOpenAtFirst: boolean;
}

/** Minutes: their title, their day, where the words stand, and their PDF, here or in a tab of its own. */
export function MinutesItem({ item, words, isOpenAtFirst }: MinutesItemProps) {
  const { nom, date_ajout, url, passages = [] } = item;
  const { locale } = useSite();
  const id = useId();
  const showsPdfs = useShowsPdfs();
  // A frame is only there while it is open: sixty PDFs at once would be too many for any machine.
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const address = `${addressOfFolder('doc_stage_formateur')}${url}`;
  return (
    <article className="card p-5">
      <h2 className="text-xl">
        <Marked text={nom} asked={words} />
      </h2>
      <p className="mt-1 text-quiet">
        {/* A plain day: the same on all clocks. */}
        <time dateTime={date_ajout}>{dayOf(date_ajout, locale, 'UTC')}</time>
      </p>
      {passages.length > 0 && (
        <ul className="mt-3 flex max-w-[70ch] flex-col gap-5">
          {passages.map(({ page, extrait }) => (
            <li key={page} className="border-l-4 border-mist pl-3 wrap-anywhere">
              <a
                href={`${address}#page=${page}`}
                target="_blank"
                rel="noopener"
                // Easy to hit, without a gap between the lines of the text.
                className="-my-2.5 inline-block py-2.5 font-semibold"
              >
                Page {page}
                <span className="sr-only"> de {nom} (nouvel onglet)</span>
              </a>
              {'\u202f: '}
              <Marked text={extrait} asked={words} />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 flex flex-wrap gap-3 print:hidden">
        <a className="button" href={address} target="_blank" rel="noopener">
          <FileText aria-hidden="true" className="size-5" />
          Voir le PDF
          <span className="sr-only">
            {'\u202f'}: {nom} (nouvel onglet)
          </span>
        </a>
        {showsPdfs && (
          <button
            type="button"
            className="button quiet"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown
              aria-hidden="true"
              className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
            />
            Aperçu
            <span className="sr-only"> de {nom}</span>
          </button>
        )}
      </p>
      {showsPdfs && (
        <div id={id} className="print:hidden">
          {isOpen && (
            <iframe
              src={`${address}#view=FitH&navpanes=0`}
              title={`Aperçu de ${nom}`}
              loading="lazy"
              className="mt-4 h-[70vh] w-full rounded-[10px] border border-mist bg-mist"
            />
          )}
        </div>
      )}
    </article>
  );
}
