import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { employees, genreOf, kindOfGenre } from '#features/content/shared/kinds.ts';
import { CHILD_GENRE, DIRECTOR_GENRE, STAY_GENRE } from '#features/stays/shared/terms.ts';
import {
  childAddress,
  directorAddress,
  mailingAddress,
  photosAddress,
  sendCodesAddress,
  stayAddress,
  stayFormAddress,
} from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { rank } from '#platform/shared/meant.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { type Panel, rightsToOpen } from '#platform/web/pages.tsx';
import { panelAddress, useMay } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { RoundButton } from '#platform/web/ui/Button.tsx';
import { useConfirmLeaving, useModal } from '#platform/web/ui/dialogs.tsx';
import { PANELS } from './panels.tsx';

/** A search result: where it opens, and what else can be done from here. */
interface Found {
  label: string;
  /** Other words by which it is found here. */
  words?: string | undefined;
  /** Tells it from others of its label. */
  detail?: string | undefined;
  /** The name of its group. */
  nature: string;
  /** Where it opens, then its other ways; never empty. */
  ways: readonly Way[];
}

interface Way {
  to: string;
  label: string;
}

/** The chosen cell of the results: a result, and one of its ways. */
interface Place {
  row: number;
  way: number;
}

/** Finds people, stays, contents, messages and panels by a few letters. */
export function SearchDialog({ onClose }: { onClose(): void }) {
  const modal = useModal(onClose);
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Place>({ row: 0, way: 0 });
  /** Until the arrow keys have moved among the results, screen readers leave what is typed to the field. */
  const [hasMoved, setMoved] = useState(false);
  const id = useId();
  const { found, state, how } = useFound(text);
  const row = Math.min(chosen.row, found.length - 1);
  const way = Math.min(chosen.way, (found[row]?.ways.length ?? 1) - 1);

  async function open(to: string | undefined) {
    if (to === undefined) return;
    onClose();
    if (await confirmLeaving()) navigate(to);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { selectionStart, value } = event.currentTarget;
    const ways = found[row]?.ways ?? [];
    if (event.key === 'Enter') open(ways[way]?.to);
    else if (event.key === 'ArrowDown') setChosen({ row: Math.min(row + 1, found.length - 1), way: 0 });
    else if (event.key === 'ArrowUp') setChosen({ row: Math.max(row - 1, 0), way: 0 });
    // Within the text, these keys move the cursor.
    else if (event.key === 'ArrowRight' && selectionStart === value.length && way < ways.length - 1)
      setChosen({ row, way: way + 1 });
    else if (event.key === 'ArrowLeft' && way > 0) setChosen({ row, way: way - 1 });
    else return;
    if (event.key !== 'Enter') setMoved(true);
    event.preventDefault();
  }

  return (
    <dialog {...modal} aria-label="Rechercher dans le portail" className="dialog mt-[8vh] max-w-2xl p-0!">
      <div className="flex items-center gap-3 border-b border-mist px-4">
        <Search className="size-5 shrink-0 text-quiet" />
        <input
          role="combobox"
          aria-label={SEARCHED}
          aria-haspopup="grid"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          data-first-focus
          aria-activedescendant={hasMoved && found.length > 0 ? `${id}-${row}-${way}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          className="min-h-14 w-full bg-transparent text-lg outline-none"
          placeholder={`${SEARCHED}…`}
          value={text}
          maxLength={100}
          onChange={(event) => {
            setText(event.target.value);
            setChosen({ row: 0, way: 0 });
            setMoved(false);
          }}
          onKeyDown={onKeyDown}
        />
        <RoundButton label="Fermer" onClick={onClose}>
          <X />
        </RoundButton>
      </div>
      <p
        role="status"
        className={
          how === 'all' && found.length > 0 && state !== 'failed' ? 'sr-only' : 'px-5 pt-4 text-quiet'
        }
      >
        {state === 'failed' && 'La recherche n’a pas abouti\u202f: seuls les panneaux sont montrés. '}
        {how === 'all' &&
          found.length > 0 &&
          `${found.length} résultat${found.length > 1 ? 's' : ''}. Entrée\u202f: ${found[0]?.label}`}
        {how !== 'all' && state === 'asked' && 'Recherche…'}
        {how === 'nothing' &&
          state !== 'asked' &&
          `Aucun résultat pour «\u00a0${text.trim()}\u00a0». Voici où commencer\u202f:`}
        {how === 'some' &&
          state === 'answered' &&
          `Rien n’a tous ces mots. Voici ce qui s’en approche\u202f:`}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a grid is not a table of data */}
      <div
        id={`${id}-list`}
        role="grid"
        aria-label="Résultats"
        aria-busy={state === 'asked'}
        className="max-h-[60vh] overflow-y-auto p-2"
      >
        {groupsOf(found).map(([nature, results]) => (
          // biome-ignore lint/a11y/useSemanticElements: a grid is not a table of data
          <div key={nature} role="rowgroup" aria-label={nature}>
            <p aria-hidden="true" className="px-3 pt-3 pb-1 text-sm font-semibold text-quiet">
              {nature}
            </p>
            {results.map((one) => {
              const index = found.indexOf(one);
              return (
                <ResultRow
                  key={one.ways[0]?.to}
                  id={`${id}-${index}`}
                  result={one}
                  way={index === row ? way : undefined}
                  onPoint={(way) => setChosen({ row: index, way })}
                  onOpen={open}
                />
              );
            })}
          </div>
        ))}
      </div>
    </dialog>
  );
}

const SEARCHED = 'Rechercher une personne, un séjour, un contenu';

interface ResultRowProps {
  id: string;
  result: Found;
  /** Its chosen way; undefined when another result is chosen. */
  way: number | undefined;
  onPoint(way: number): void;
  onOpen(to: string): void;
}

/** A result: its name, which opens it, then its other ways. The keys are those of the field, as in any combobox. */
function ResultRow({ id, result: { label, detail, ways }, way: chosen, onPoint, onOpen }: ResultRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid is not a table of data
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    <div
      role="row"
      className={`flex flex-wrap items-center gap-x-1 rounded-control ${chosen === undefined ? '' : 'bg-mist'}`}
      ref={chosen === undefined ? undefined : (row) => row?.scrollIntoView({ block: 'nearest' })}
    >
      {ways.map((way, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        // biome-ignore lint/a11y/useSemanticElements: a grid is not a table of data
        <div
          key={way.to}
          id={`${id}-${index}`}
          role="gridcell"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={`cursor-pointer rounded-control px-3 ${index === 0 ? 'min-h-11 min-w-0 flex-1 basis-64 py-1.5' : 'flex min-h-11 items-center text-sm text-lake underline underline-offset-3 max-sm:min-h-9'} ${index === chosen ? 'outline-2 -outline-offset-2 outline-lake' : ''} ${index > 0 && chosen === undefined ? 'max-sm:hidden' : ''}`}
          onClick={() => onOpen(way.to)}
          onPointerMove={() => onPoint(index)}
        >
          {index > 0 ? (
            way.label
          ) : (
            <>
              <span className="block wrap-anywhere">{label}</span>
              {detail && <span className="block truncate text-sm text-quiet">{detail}</span>}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** Results by group, in the order in which the first of each comes. */
function groupsOf(found: readonly Found[]): [string, Found[]][] {
  return [...groupBy(found, ({ nature }) => nature)];
}

/** Who and what is looked for by name, before all else that the server finds. */
const FIRST = [CHILD_GENRE, DIRECTOR_GENRE, STAY_GENRE, genreOf(employees)];
/** As many as are read at a glance: only so many that have some of the words, where no more have them all. */
const NEAR_MAX = 3;

/**
 * Panels and settings are found here at once, the rest by the server: those found by their names, people and stays, what
 * other words find, contents and mails. Where little has every word, what has some of them follows.
 */
function useFound(text: string) {
  const typed = text.trim();
  const asked = useDeferredValue(typed);
  const may = useMay();
  const panels = PANELS.filter((panel) => may(rightsToOpen(panel)));
  const { ranked, others } = rank(text, panels.flatMap(placesOf));
  const whole = useSearch(asked);
  const isFirst = ({ genre }: Answered) => FIRST.includes(genre);
  // « supprimer Léa Dupont »: what no panel knows is a name.
  const named = useSearch(whole.data && !whole.data.some(isFirst) ? others.join(' ') : '');
  const answers = typed === '' ? [] : ((named.data?.length ? named.data : whole.data) ?? []);
  const results = (some: readonly Answered[]) => some.flatMap((one) => resultOf(one, may));
  const all = ranked.filter(({ hasAll }) => hasAll);
  const exact = [
    ...all.filter(({ isNamed }) => isNamed).map(({ one }) => one),
    ...results(answers.filter(isFirst)),
    ...all.filter(({ isNamed }) => !isNamed).map(({ one }) => one),
    ...results(answers.filter((one) => !isFirst(one))),
  ];
  const some = ranked.filter(({ hasAll, score }) => !hasAll && score > (ranked[0]?.score ?? 0) / 2);
  const near = all.length < NEAR_MAX ? some.slice(0, NEAR_MAX).map(({ one }) => one) : [];
  const isAsked = whole.isLoading || named.isLoading || asked !== typed;
  const state = whole.isError ? 'failed' : isAsked ? 'asked' : 'answered';
  const isNothing = exact.length + near.length === 0;
  // Where nothing is found, there is still where to begin.
  const entries = panels.filter(({ within }) => within === undefined);
  const firsts = entries.filter(({ group }, index) => group !== entries[index - 1]?.group);
  const shown = typed === '' ? panels : isNothing && state !== 'asked' ? firsts : [];
  const how = typed === '' || exact.length > 0 ? 'all' : isNothing ? 'nothing' : 'some';
  // In the order of their groups, as the keys go.
  const groups = groupsOf([...exact, ...near, ...shown.map(panelResult)]);
  return { found: groups.flatMap(([, group]) => group), state, how };
}

type Answered = ReplyOf<'GET /recherche'>[number];

const useSearch = (q: string) => useQuestion({ key: 'GET /recherche', query: { q } }, { isAsked: q !== '' });

function panelResult({ key, label, group, words }: Panel): Found {
  const to = panelAddress(key);
  return { label, detail: group, nature: 'Panneaux', ways: [{ to, label }], words };
}

/** A panel, and the fields of its form. */
function placesOf(panel: Panel): Found[] {
  const fields = (panel.fields ?? []).map(({ name, label, words }) => {
    const to = `${panelAddress(panel.key)}#${name}`;
    return { label, detail: panel.label, nature: 'Réglages', ways: [{ to, label }], words };
  });
  return [panelResult(panel), ...fields];
}

/** A result with the ways that its kind has; empty for what the portal cannot open. */
function resultOf(one: Answered, may: ReturnType<typeof useMay>): Found[] {
  const { genre, id, titre: label, detail, stageId, dans_la_corbeille } = one;
  const result = (nature: string, to: string, others: Way[] = []): Found[] => [
    { label, detail, nature, ways: [{ to, label }, ...others] },
  ];
  const photosOf = (stay: number) => (may(['photos']) ? [photosWay(stay)] : []);
  const stay = stageId === undefined ? [] : [{ to: stayAddress(stageId), label: 'Le séjour' }];
  if (genre === CHILD_GENRE && stageId !== undefined)
    return result('Enfants', childAddress({ id, stageId }), [
      ...stay,
      codesWay(stageId),
      ...photosOf(stageId),
    ]);
  if (genre === DIRECTOR_GENRE) return result('Directeurs', directorAddress(id), stay);
  if (genre === STAY_GENRE && !may(['sejours'])) return result('Séjours', photosAddress(id));
  if (genre === STAY_GENRE)
    return result('Séjours', stayAddress(id), [
      { to: stayAddress(id, 'directeurs'), label: 'Directeurs' },
      { to: stayAddress(id, 'codes'), label: 'Mots de passe' },
      codesWay(id),
      ...photosOf(id),
      { to: stayFormAddress(id), label: 'Réglages' },
    ]);
  if (genre === 'messages') return result('Messages de contact', panelAddress('messages'));
  if (genre === 'envois') return result('E-mails envoyés', mailingAddress(id));
  const kind = kindOfGenre(genre);
  if (!kind) return [];
  if (dans_la_corbeille) {
    const inBin = result(kind.plural, `${panelAddress('corbeille')}&element=${genre}-${id}`);
    return inBin.map((found) => ({ ...found, detail: 'Dans la corbeille' }));
  }
  return result(kind.plural, `${kind.byId.page}/${id}`);
}

const codesWay = (stageId: number): Way => ({
  to: sendCodesAddress({ stageIds: [stageId] }),
  label: 'Envoyer les codes',
});
const photosWay = (stageId: number): Way => ({ to: photosAddress(stageId), label: 'Photos' });
