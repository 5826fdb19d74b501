import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, FileText } from 'lucide-react';
import { useDeferredValue, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { MINUTES_ACCESS } from '#features/site/web/questions.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { askedWords } from '#platform/shared/fold.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { CallError, call } from '#platform/web/api.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { storeToken, useIsSignedIn } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Marked } from '#platform/web/ui/Marked.tsx';
import { SearchInput } from '#platform/web/ui/SearchBox.tsx';
import { TokenForm } from '#platform/web/ui/TokenForm.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';

/**
 * The page of the minutes, behind their password; not asked for when the browser has a token that opens them, nor while
 * there is nothing to read or no password to give.
 */
export function MinutesPage() {
  const answers = useQueryClient();
  const isSignedIn = useIsSignedIn('reader');
  const isStaff = useIsSignedIn('portal');
  const [isJustOpened, setJustOpened] = useState(false);
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const words = askedWords(asked);
  const query = useQuestion(
    { key: 'GET /documents', query: words.length > 0 ? { recherche: asked } : {}, as: 'reader' },
    { failure: 'Erreur lors de la récupération des documents:', isAsked: isSignedIn, keepsLast: true },
  );
  const access = useQuestion(MINUTES_ACCESS, { failure: 'Erreur lors de la récupération des documents:' });
  const isClosed = access.data?.etat === 'sans_mot_de_passe';
  const status = query.error instanceof CallError ? query.error.status : undefined;

  if (!isSignedIn || status === 401) {
    return (
      <div className="flex grow flex-col">
        <Drawing name="horizon" className="h-[clamp(8.5rem,22vw,24vh)] w-full" />
        <div className="page -mt-16 max-w-md">
          <div className="card p-6 sm:p-8">
            <h1 className="text-3xl">Compte rendus</h1>
            {access.data?.etat === 'aucun' || isClosed ? (
              <div className="mt-4 flex flex-col items-center gap-4 text-center">
                <Drawing name="notebook" className="h-28 w-40" />
                <p>{isClosed ? CLOSED : 'Aucun compte rendu n’est encore publié.'}</p>
                <p>
                  <Link to="/" className="button quiet">
                    Retour à l’accueil
                  </Link>
                </p>
              </div>
            ) : (
              <>
                <p className="mt-2 mb-6 text-quiet">
                  Réservés aux salariés, avec le mot de passe que le CSE vous a donné.
                </p>
                <AccessForm
                  hasEnded={isSignedIn}
                  onOpened={() => {
                    setJustOpened(true);
                    void answers.resetQueries();
                  }}
                />
              </>
            )}
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="page max-w-4xl">
      <h1>Compte rendus</h1>
      {isClosed && isStaff && (
        <p className="well mt-6">
          {CLOSED} <Link to={panelAddress('reglages')}>Choisir le mot de passe</Link>
        </p>
      )}
      {!(text === '' && query.data?.length === 0) && (
        <SearchField text={text} onText={setText} takesFocus={isJustOpened} />
      )}
      <MinutesList query={query} asked={asked} words={words} />
    </div>
  );
}

const CLOSED = 'L’accès aux comptes rendus n’est pas encore ouvert\u202f: aucun mot de passe n’a été choisi.';

interface AccessFormProps {
  /** True when this browser's token opened the minutes earlier and no longer does. */
  hasEnded: boolean;
  onOpened(): void;
}

export function AccessForm({ hasEnded, onOpened }: AccessFormProps) {
  return (
    <TokenForm
      send={({ password = '' }) => call('POST /documents/acces', { body: { password } })}
      onDone={({ token }) => {
        if (!storeToken('tokenLecture', token)) {
          return 'Ce navigateur refuse de garder l’accès. Quittez le mode privé, ou autorisez ce site à enregistrer des données.';
        }
        onOpened();
        return '';
      }}
      action="Ouvrir"
      busy="Ouverture…"
      trouble={hasEnded ? 'Votre accès a expiré\u202f: saisissez de nouveau le mot de passe.' : ''}
      takesFocus={hasEnded}
    />
  );
}

interface SearchFieldProps {
  text: string;
  onText(text: string): void;
  /** True when it replaces the element that had the focus. */
  takesFocus: boolean;
}

export function SearchField({ text, onText, takesFocus }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <search className="mt-6 flex flex-col gap-1.5 print:hidden">
      <label htmlFor={id} className="font-semibold">
        Rechercher dans les comptes rendus
      </label>
      <SearchInput
        ref={input}
        id={id}
        className="max-w-xl"
        maxLength={100}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </search>
  );
}

interface MinutesListProps {
  query: UseQueryResult<ReplyOf<'GET /documents'>>;
  /** The search text as typed, and its words; without words all minutes are shown. */
  asked: string;
  words: readonly string[];
}

export function MinutesList({ query, asked, words }: MinutesListProps) {
  const isSearch = words.length > 0;
  // Placeholder data are the result of the previous search: their count says nothing of this one.
  const count = query.isPlaceholderData ? undefined : query.data?.length;
  return (
    <>
      <p role="status" className="mt-4 mb-5 min-h-6 text-quiet">
        {count !== undefined && count > 0 && countOf(count, isSearch)}
        {count === 0 && isSearch && `Aucun compte rendu ne contient «\u00a0${asked}\u00a0».`}
      </p>
      {!(isSearch && query.data?.length === 0) && (
        <ListState
          query={query}
          failed="Les comptes rendus n’ont pas pu être chargés."
          empty="Aucun compte rendu pour le moment."
        >
          {(items) => (
            <ul className="flex flex-col gap-5">
              {items.map((item, index) => (
                <li key={item.id}>
                  <MinutesItem item={item} words={words} isOpenAtFirst={index === 0 && !isSearch} />
                </li>
              ))}
            </ul>
          )}
        </ListState>
      )}
    </>
  );
}

function countOf(count: number, isSearch: boolean): string {
  const plural = count > 1 ? 's' : '';
  return `${count} compte${plural} rendu${plural}${isSearch ? ` trouvé${plural}` : ''}`;
}

interface MinutesItemProps {
  item: ReplyOf<'GET /documents'>[number];
  words: readonly string[];
  isOpenAtFirst: boolean;
}

/** One item: title, date, passages with the words, and the PDF, in the page or in a new tab. */
export function MinutesItem({ item, words, isOpenAtFirst }: MinutesItemProps) {
  const { nom, date_ajout, url, passages = [] } = item;
  const { locale } = useSite();
  const id = useId();
  const showsPdfs = useShowsPdfs();
  // The frame exists only while open: sixty PDFs at once would be too many for any machine.
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const address = `${addressOfFolder('doc_stage_formateur')}${url}`;
  return (
    <article className="card p-5">
      <h2 className="text-xl">
        <Marked text={nom} asked={words} />
      </h2>
      <p className="mt-1 text-quiet">
        {/* A plain day, the same in every time zone. */}
        Ajouté le <time dateTime={date_ajout}>{dayOf(date_ajout, locale, 'UTC')}</time>
      </p>
      {passages.length > 0 && (
        <ul className="mt-3 flex max-w-[70ch] flex-col gap-5">
          {passages.map(({ page, extrait }) => (
            <li key={page} className="border-l-4 border-mist pl-3 wrap-anywhere">
              <a
                href={`${address}#page=${page}`}
                target="_blank"
                rel="noopener"
                // A large target, without widening the gap between lines.
                className="-my-2.5 inline-block py-2.5 font-semibold"
              >
                Page {page}
                <span className="sr-only"> : {nom} (nouvel onglet)</span>
              </a>
              {'\u202f: '}
              <Marked text={extrait} asked={words} />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 flex flex-wrap gap-3 print:hidden">
        <a className="button" href={address} target="_blank" rel="noopener">
          <FileText className="size-5" />
          Voir le PDF
          <span className="sr-only">
            {'\u202f'}: {nom} (nouvel onglet)
          </span>
        </a>
        {showsPdfs && (
          <Button quiet aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            <ChevronDown className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
            Aperçu
            <span className="sr-only"> : {nom}</span>
          </Button>
        )}
      </p>
      {showsPdfs && (
        <div id={id} className="print:hidden">
          {isOpen && (
            <iframe
              src={`${address}#view=FitH&navpanes=0`}
              title={`Aperçu\u202f: ${nom}`}
              loading="lazy"
              className="mt-4 h-[70vh] w-full rounded-control border border-mist bg-mist"
            />
          )}
        </div>
      )}
    </article>
  );
}

/** On narrower screens a PDF in a frame is too small to read. */
const WIDE = '(min-width: 48rem)';

function subscribe(listener: () => void): () => void {
  const width = window.matchMedia(WIDE);
  width.addEventListener('change', listener);
  return () => width.removeEventListener('change', listener);
}

/** True where a PDF can be shown within the page: phones and some browsers only open or download it. */
export function useShowsPdfs(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.pdfViewerEnabled && window.matchMedia(WIDE).matches,
    () => false,
  );
}
