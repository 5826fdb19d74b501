import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { askedWords } from '#platform/shared/fold.ts';
import { CallError } from '#platform/web/api.ts';
import { useInAddress } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useIsSignedIn } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Marked } from '#platform/web/ui/Marked.tsx';
import { Day, Moment } from '#platform/web/ui/Time.tsx';
import { countOf, dayOf } from '#platform/web/ui/texts.ts';
import { MINUTES_ACCESS, readAsked, siteQuestion } from '../questions.ts';
import { SearchForm } from './SearchForm.tsx';

export function SearchPage() {
  // Anew at each navigation: the bar leads here from here too.
  return <SiteSearch key={useLocation().key} />;
}

/** Time, in ms, without a further key after which what is typed is searched. */
const PAUSE_MS = 150;

function SiteSearch() {
  const [inAddress, setInAddress] = useInAddress('q');
  const asked = readAsked(inAddress);
  const words = askedWords(asked);
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<number>(undefined);
  const isByLink = useNavigationType() !== 'POP';
  const [takesFocus] = useState(isByLink && asked === '');

  const searchNow = (text: string) => {
    window.clearTimeout(pause.current);
    setInAddress(readAsked(text));
  };
  const searchSoon = (text: string) => {
    window.clearTimeout(pause.current);
    pause.current = window.setTimeout(searchNow, PAUSE_MS, text);
  };
  useEffect(() => () => window.clearTimeout(pause.current), []);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before the scripts had come
  useEffect(() => {
    const typed = input.current?.value ?? '';
    if (readAsked(typed) !== asked) searchNow(typed);
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are pressed in the field and on the links
    <div className="page max-w-4xl" onKeyDown={(event) => goThrough(event, input.current)}>
      <h1 className="mb-6">Recherche</h1>
      <SearchForm input={input} asked={asked} onType={searchSoon} onSearch={searchNow} />
      <Answers asked={asked} words={words} />
    </div>
  );
}

/** Moves the focus by the arrows: from the field to the results, from one to the next, and back. */
function goThrough(event: KeyboardEvent<HTMLElement>, input: HTMLInputElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = [input, ...event.currentTarget.querySelectorAll<HTMLElement>('.results a')];
  const place = stops.indexOf(event.target as HTMLElement);
  const next = stops[place + step];
  if (place < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

function Answers({ asked, words }: { asked: string; words: readonly string[] }) {
  const isAsked = words.length > 0;
  const open = useQuestion(siteQuestion(asked), { isAsked, keepsLast: true });
  const minutes = useMinutes(asked, isAsked);
  const access = useQuestion(MINUTES_ACCESS);
  const queries = minutes.isOpen ? [open, minutes.query] : [open];
  // Placeholder data are what the search before found: their count says nothing of this one.
  const isAnswered = queries.every(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData);
  const found = open.data ?? [];
  const read = minutes.isOpen ? minutes.query.data : undefined;
  const count = found.reduce((sum, { nombre }) => sum + nombre, read?.nombre ?? 0);
  const isNothing = isAsked && isAnswered && count === 0;
  return (
    <>
      <p role="status" className={isNothing ? 'sr-only' : 'mt-4 mb-5 min-h-6 text-quiet'}>
        {isAsked && isAnswered && (isNothing ? 'Aucun résultat' : countOf(count, 'résultat'))}
      </p>
      {isAsked ? (
        <div className="flex flex-col gap-8">
          {isNothing && <Nothing asked={asked} />}
          <LoadState query={open} failed="La recherche n’a pas abouti.">
            {(groups) =>
              groups.map(({ genre, ...things }) => (
                <Group key={genre} genre={genre} things={things} words={words} />
              ))
            }
          </LoadState>
          {read && read.nombre > 0 && <Group genre="documents" things={read} words={words} />}
          {minutes.isOpen && minutes.query.isError && (
            <LoadState query={minutes.query} failed="La recherche dans les comptes rendus n’a pas abouti.">
              {() => null}
            </LoadState>
          )}
          {!minutes.isOpen && access.data?.etat === 'ouvert' && (
            <div className="well flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
              <p className="min-w-0 flex-1 basis-64">
                Pour chercher aussi dans les comptes rendus, saisissez d’abord leur mot de passe.
              </p>
              <Link to="/compte-rendus" className="button quiet">
                Ouvrir les comptes rendus
              </Link>
            </div>
          )}
        </div>
      ) : (
        <div className="flex flex-col items-start gap-6">
          <p className="max-w-[70ch]">
            Une actualité, un événement, un avantage, une personne du CSE{'\u202f'}: un mot ou deux suffisent,
            avec ou sans accents.
          </p>
          <Ways />
        </div>
      )}
    </>
  );
}

/** What is found in the minutes, for those who may read them; `isOpen` is false once their access has ended. */
function useMinutes(asked: string, isAsked: boolean) {
  const isReader = useIsSignedIn('reader');
  const [hasEnded, setEnded] = useState(false);
  const isOpen = isReader && !hasEnded;
  const query = useQuestion(
    { key: 'GET /documents/recherche', query: { q: asked }, as: 'reader' },
    {
      isAsked: isAsked && isOpen,
      keepsLast: true,
    },
  );
  const isRefused = query.error instanceof CallError && query.error.status === 401;
  useEffect(() => {
    if (isRefused) setEnded(true);
  }, [isRefused]);
  return { isOpen: isOpen && !isRefused, query };
}

type Things = ReplyOf<'GET /documents/recherche'>;

const TITLES: Record<string, string> = {
  actualites: 'Actualités',
  alaune: 'À la Une',
  events: 'Événements',
  avantage: 'Avantages',
  employes: 'Membres du CSE',
  documents: 'Comptes rendus',
};

interface GroupProps {
  genre: string;
  things: Things;
  words: readonly string[];
}

function Group({ genre, things: { nombre, resultats }, words }: GroupProps) {
  const id = `trouve-${genre}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-2xl">
        {TITLES[genre]} <span className="font-text text-base font-normal text-quiet">({nombre})</span>
      </h2>
      <ul className="results card">
        {resultats.map((thing) => (
          <Result key={thing.id} genre={genre} thing={thing} words={words} />
        ))}
      </ul>
      {nombre > resultats.length && (
        <p className="mt-2 text-sm text-quiet">
          Seuls les {resultats.length} plus proches sont affichés. Ajoutez un mot pour préciser.
        </p>
      )}
    </section>
  );
}

interface ResultProps extends Pick<GroupProps, 'genre' | 'words'> {
  thing: Things['resultats'][number];
}

function Result({ genre, thing, words }: ResultProps) {
  const { adresse, titre, extrait, date, passe, page } = thing;
  const title = <Marked text={titre} asked={words} />;
  // The link fills its row.
  const link = 'text-lg font-semibold after:absolute after:inset-0';
  return (
    <li className="relative border-t border-mist px-4 py-3 wrap-anywhere first:border-t-0 hover:bg-mist">
      {genre === 'documents' ? (
        <a href={adresse} target="_blank" rel="noopener" className={link}>
          {title}
          <span className="sr-only"> (PDF, nouvel onglet)</span>
        </a>
      ) : (
        <Link to={adresse} className={link}>
          {title}
        </Link>
      )}
      {date !== null && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-quiet">
          <span className="inline-block first-letter:uppercase">
            <FoundDate genre={genre} date={date} />
          </span>
          {passe && <span className="state">Passé</span>}
        </p>
      )}
      {extrait !== '' && (
        <p className="mt-1 line-clamp-3">
          {page !== undefined && `Page ${page}\u202f: `}
          <Marked text={extrait} asked={words} />
        </p>
      )}
    </li>
  );
}

function FoundDate({ genre, date }: { genre: string; date: string }) {
  const { locale } = useSite();
  if (genre === 'events') return <Moment value={date} />;
  // A plain day, the same in every time zone.
  if (genre === 'documents') return <time dateTime={date}>{dayOf(date, locale, 'UTC')}</time>;
  return (
    <span>
      Publié le <Day value={date} />
    </span>
  );
}

const LISTS = [
  { to: '/?actualites=1', label: 'Toutes les actualités' },
  { to: '/Evenements', label: 'Nos événements' },
  { to: '/avantages', label: 'Avantages du CSE' },
  { to: '/contact', label: 'Écrire au CSE' },
];

function Ways() {
  return (
    <ul className="flex flex-wrap gap-3 in-[.text-center]:justify-center">
      {LISTS.map(({ to, label }) => (
        <li key={to}>
          <Link to={to} className="button quiet">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Nothing({ asked }: { asked: string }) {
  return (
    <div className="flex flex-col items-center gap-4 pt-6 pb-2 text-center">
      <Drawing name="lostTent" className="h-auto w-72" />
      <h2 className="text-2xl wrap-anywhere">
        Rien ne correspond à «{'\u00a0'}
        {asked}
        {'\u00a0'}».
      </h2>
      <p className="max-w-prose">Essayez un mot plus court ou plus courant, ou regardez ici{'\u202f'}:</p>
      <Ways />
    </div>
  );
}
