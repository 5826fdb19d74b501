import { type ReactNode, useId, useState } from 'react';
import { askedWords, wordsOf } from '#platform/shared/fold.ts';
import { useInAddress } from '#platform/web/history.tsx';
import { SearchBox } from './SearchBox.tsx';

/** A part of a list, such as what has one state. */
interface Part<T> {
  /** Its name in the address. */
  key: string;
  label: string;
  has(item: T): boolean;
}

interface Order<T> {
  /** Its name in the address. */
  key: string;
  label: string;
  compare(one: T, other: T): number;
}

export interface RecordListProps<T> {
  items: readonly T[];
  /** What is counted: « 1 actualité », « 12 actualités ». */
  nouns: readonly [one: string, many: string];
  searchLabel: string;
  /** The text that a search looks through. */
  textOf(item: T): string;
  /** Names an item for its tick box. */
  nameOf(item: T): string;
  /** Parts that can be shown alone. The first one, whose key is blank, is shown at first. */
  parts?: readonly Part<T>[];
  /** Further orders; the one of `items` comes first, named by `ownOrder`. */
  orders?: readonly Order<T>[];
  ownOrder?: string;
  /** The content of a row. Its main link or button has the class `row-open`: a press anywhere on the row counts for it. */
  row(item: T): ReactNode;
  /** What is done with the ticked items; absent: nothing can be ticked. Ticked items that the search hides do not count. */
  onTicked?(ticked: readonly T[], untick: () => void): ReactNode;
  /** True for lists of people: what is typed stays out of the address, which histories and logs keep. */
  isPrivate?: boolean;
  /** Number of items from which they can be searched and sorted; by default 6. */
  searchedFrom?: number;
  /** Names the list to screen readers. */
  label: string;
}

/** Rows shown at first, and added by each « Afficher la suite »: a page stays light with thousands of items. */
const SHOWN = 50;
const WORTH_SEARCHING = 6;

/**
 * A list of records with a search, a filter, an order and actions on several rows. What is searched, shown and sorted
 * stands in the address (`q`, `montrer`, `tri`), so that Back and a copied address find the list as it was.
 */
export function RecordList<T extends { id: number }>(props: RecordListProps<T>) {
  const { items, nouns, searchLabel, nameOf, parts = [], orders = [], label } = props;
  const { ownOrder = 'Plus récents d’abord', searchedFrom = WORTH_SEARCHING, row, onTicked } = props;
  const inAddress = useInAddress('q');
  const here = useState('');
  const [typed, setTyped] = props.isPrivate ? here : inAddress;
  const [part, setPart] = useInAddress('montrer');
  const [order, setOrder] = useInAddress('tri');
  const [ticks, setTicks] = useState<ReadonlySet<number>>(new Set());
  const [limit, setLimit] = useState(SHOWN);
  const inPart = items.filter(partNamed(parts, part));
  const found = foundIn(inPart, props, typed, order);
  const shown = found.slice(0, limit);
  const ticked = found.filter(({ id }) => ticks.has(id));
  const tick = (ids: readonly number[], isTicked: boolean) => {
    const next = new Set(ticks);
    for (const id of ids) isTicked ? next.add(id) : next.delete(id);
    setTicks(next);
  };
  const searched = (set: (value: string) => void) => (value: string) => {
    set(value);
    setLimit(SHOWN);
  };
  // Also where few items are shown: a filter in the address, or items in another part, must be within reach.
  const hasTools = items.length >= searchedFrom || inPart.length < items.length || typed !== '';
  const isAllTicked = found.length > 0 && ticked.length === found.length;
  return (
    <section aria-label={label} className="flex flex-col gap-3">
      {hasTools && (
        <div className="record-tools">
          <SearchBox label={searchLabel} value={typed} onType={searched(setTyped)} />
          {parts.length > 0 && (
            <Choice label="Montrer" value={part} onChoose={searched(setPart)}>
              {parts.map(({ key, label, has }) => (
                <option key={key} value={key}>
                  {label} ({items.filter(has).length})
                </option>
              ))}
            </Choice>
          )}
          {orders.length > 0 && (
            <Choice label="Trier" value={order} onChoose={setOrder}>
              <option value="">{ownOrder}</option>
              {orders.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </Choice>
          )}
        </div>
      )}
      <div className={onTicked && `record-bar ${ticked.length > 0 ? 'ticked' : ''}`}>
        {onTicked && found.length > 0 && (
          <label className="flex min-h-11 items-center gap-3 pr-2">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={isAllTicked}
              onChange={({ target }) =>
                tick(
                  found.map(({ id }) => id),
                  target.checked,
                )
              }
            />
            Tout cocher
          </label>
        )}
        <p role="status" className="text-sm text-quiet">
          {countOf(found.length, inPart.length, nouns)}
          {ticked.length > 0 && ` Sélection\u202f: ${ticked.length}.`}
        </p>
        {onTicked?.(ticked, () => setTicks(new Set()))}
      </div>
      <ul className="border-t border-mist">
        {shown.map((item) => (
          <li key={item.id} className="record">
            {onTicked && (
              <input
                type="checkbox"
                className="record-tick"
                aria-label={`Cocher ${nameOf(item)}`}
                checked={ticks.has(item.id)}
                onChange={({ target }) => tick([item.id], target.checked)}
              />
            )}
            {row(item)}
          </li>
        ))}
      </ul>
      {found.length > limit && (
        <button type="button" className="button quiet w-fit" onClick={() => setLimit(limit + SHOWN)}>
          Afficher la suite ({(found.length - limit).toLocaleString('fr-FR')})
        </button>
      )}
    </section>
  );
}

function partNamed<T>(parts: readonly Part<T>[], key: string): (item: T) => boolean {
  const part = parts.find((one) => one.key === key) ?? parts[0];
  return (item) => part?.has(item) ?? true;
}

/** The items whose text has every typed word, in the order asked for. */
function foundIn<T>(
  items: readonly T[],
  { orders = [], textOf }: RecordListProps<T>,
  typed: string,
  order: string,
): T[] {
  const words = askedWords(typed);
  const found = items.filter((item) => {
    const text = words.length > 0 ? wordsOf(textOf(item)).join(' ') : '';
    return words.every((word) => text.includes(word));
  });
  const compare = orders.find(({ key }) => key === order)?.compare;
  return compare ? found.sort(compare) : found;
}

function countOf(found: number, all: number, [one, many]: readonly [string, string]): string {
  const total = `${all.toLocaleString('fr-FR')} ${all > 1 ? many : one}`;
  if (found === all) return `${total}.`;
  return found === 0 ? `Rien ne correspond, sur ${total}.` : `${found.toLocaleString('fr-FR')} sur ${total}.`;
}

interface ChoiceProps {
  label: string;
  value: string;
  onChoose(value: string): void;
  children: ReactNode;
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={({ target }) => onChoose(target.value)}>
        {children}
      </select>
    </div>
  );
}
