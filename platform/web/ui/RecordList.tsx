import { type ReactNode, useState } from 'react';
import { askedWords, wordsOf } from '#platform/shared/fold.ts';
import { useInAddress } from '#platform/web/history.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { Button } from './Button.tsx';
import { SearchInput } from './SearchBox.tsx';
import { withTicks } from './useForm.ts';

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

interface Group<T> {
  title: string;
  items: readonly T[];
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
  /** Divides the items under titles, as long as they stand in their own order. */
  groupsOf?(items: readonly T[]): Group<T>[];
  /** The content of a row. Its main link or button has the class `row-open`: a press anywhere on the row counts for it. */
  row(item: T): ReactNode;
  /** What is done with the ticked items; absent: nothing can be ticked. Ticked items that the search hides do not count. */
  onTicked?: ((ticked: readonly T[], untick: () => void) => ReactNode) | undefined;
  /** True for lists of people: what is typed stays out of the address, which histories and logs keep. */
  isPrivate?: boolean;
  /** Number of items from which they can be searched and sorted; by default 6. */
  searchedFrom?: number;
  /** What is done with the whole list; stands beside the search. */
  beside?: ReactNode;
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
  const {
    ownOrder = 'Plus récents d’abord',
    searchedFrom = WORTH_SEARCHING,
    row,
    onTicked,
    groupsOf,
    beside,
  } = props;
  const inAddress = useInAddress('q');
  const here = useState('');
  const [typed, setTyped] = props.isPrivate ? here : inAddress;
  const [part, setPart] = useInAddress('montrer');
  const [order, setOrder] = useInAddress('tri');
  const [ticks, setTicks] = useState<readonly number[]>([]);
  const [limit, setLimit] = useState(SHOWN);
  const inPart = items.filter(partNamed(parts, part));
  const compare = orders.find(({ key }) => key === order)?.compare;
  const found = foundIn(inPart, props.textOf, typed);
  if (compare) found.sort(compare);
  const groups = (!compare && groupsOf?.(found)) || [{ title: '', items: found }];
  const isTicked = new Set(ticks);
  const ticked = found.filter(({ id }) => isTicked.has(id));
  const tick = (ids: readonly number[], isOn: boolean) => setTicks(withTicks(ticks, ids, isOn));
  const searched = (set: (value: string) => void) => (value: string) => {
    set(value);
    setLimit(SHOWN);
  };
  // Also where few items are shown: a filter in the address, or items in another part, must be within reach.
  const hasTools = items.length >= searchedFrom || inPart.length < items.length || typed !== '';
  const isAllTicked = found.length > 0 && ticked.length === found.length;
  return (
    <section aria-label={label} className="flex flex-col gap-3">
      <div className="record-tools">
        {hasTools && (
          <>
            <search className="record-search">
              <SearchInput
                {...named(searchLabel)}
                placeholder={searchLabel}
                maxLength={100}
                value={typed}
                onChange={({ target }) => searched(setTyped)(target.value)}
              />
            </search>
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
          </>
        )}
        {beside}
      </div>
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
        {onTicked?.(ticked, () => setTicks([]))}
      </div>
      {firstOf(groups, limit).map(({ title, items, shown }) => (
        <section key={title} aria-label={title || undefined} className="mb-4">
          {title && (
            <h2 className="mb-2 text-xl">
              {title} <span className="font-normal text-quiet">({items.length})</span>
            </h2>
          )}
          <ul className="border-t border-mist">
            {shown.map((item) => (
              <li key={item.id} className="record">
                {onTicked && (
                  <input
                    type="checkbox"
                    className="record-tick"
                    aria-label={`Cocher ${nameOf(item)}`}
                    checked={isTicked.has(item.id)}
                    onChange={({ target }) => tick([item.id], target.checked)}
                  />
                )}
                {row(item)}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.length > limit && (
        <Button quiet className="w-fit" onClick={() => setLimit(limit + SHOWN)}>
          Afficher la suite ({numberText(found.length - limit)})
        </Button>
      )}
    </section>
  );
}

/** A name that is not written beside its field, whose content says it: also for who points at it. */
const named = (label: string) => ({ 'aria-label': label, title: label });

interface ChoiceProps {
  label: string;
  value: string;
  onChoose(value: string): void;
  children: ReactNode;
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  return (
    <select
      {...named(label)}
      className="input"
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {children}
    </select>
  );
}

/** The groups with their items among the first `limit` of all, without groups that have none of these. */
function firstOf<T>(groups: readonly Group<T>[], limit: number): (Group<T> & { shown: readonly T[] })[] {
  let left = limit;
  return groups.flatMap((group) => {
    const shown = group.items.slice(0, left);
    left -= shown.length;
    return shown.length > 0 ? [{ ...group, shown }] : [];
  });
}

function partNamed<T>(parts: readonly Part<T>[], key: string): (item: T) => boolean {
  const part = parts.find((one) => one.key === key) ?? parts[0];
  return (item) => part?.has(item) ?? true;
}

function foundIn<T>(items: readonly T[], textOf: (item: T) => string, typed: string): T[] {
  const words = askedWords(typed);
  return items.filter((item) => {
    const text = words.length > 0 ? wordsOf(textOf(item)).join(' ') : '';
    return words.every((word) => text.includes(word));
  });
}

function countOf(found: number, all: number, [one, many]: readonly [string, string]): string {
  const total = `${numberText(all)} ${all > 1 ? many : one}`;
  if (found === all) return `${total}.`;
  return found === 0 ? `Rien ne correspond, sur ${total}.` : `${numberText(found)} sur ${total}.`;
}
