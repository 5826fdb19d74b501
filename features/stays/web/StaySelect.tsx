import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useInAddress, useSearch } from '#platform/web/history.tsx';
import { panelAddress, useMay } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { SelectField } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { useRequiredChoice, withTicks } from '#platform/web/ui/useForm.ts';
import { NewStayWays, useOnlyStay } from './stayPage.tsx';
import {
  groupedStays,
  matchingStays,
  type NamedStay,
  STAYS_ADDRESS,
  stayLabel,
  WORTH_FILTERING,
} from './stays.ts';

interface StaySelectProps<S extends NamedStay> {
  stays: readonly S[];
  value: number | undefined;
  onChoose(stay: S | undefined): void;
  error?: string | undefined;
  /** What it means to choose none, where no stay is required. */
  none?: string;
}

/** Dropdown of stays, current ones first, with a filter when there are many; nothing on the page of one stay. */
export function StaySelect<S extends NamedStay>(props: StaySelectProps<S>) {
  const only = useOnlyStay();
  return only ? <input type="hidden" name="stageId" value={only} /> : <StayDropdown {...props} />;
}

function StayDropdown<S extends NamedStay>({ stays, value, onChoose, error, none }: StaySelectProps<S>) {
  const { locale } = useSite();
  const [filter, setFilter] = useState('');
  const isOptional = none !== undefined;
  const matching = matchingStays(stays, filter, locale);
  // Where none means all stays, a choice must not be lost while typing.
  const chosen = isOptional
    ? stays.filter(({ id }) => id === value && !matching.some((one) => one.id === id))
    : [];
  const shown = [...chosen, ...matching];
  return (
    <>
      {stays.length > WORTH_FILTERING && (
        <SearchBox
          label="Filtrer les séjours"
          value={filter}
          onType={(text) => {
            setFilter(text);
            if (!isOptional) onChoose(undefined);
          }}
        />
      )}
      <SelectField
        label="Séjour"
        name="stageId"
        isRequired={!isOptional}
        help={stays.length > WORTH_FILTERING ? `${shown.length} dans la liste.` : undefined}
        error={error}
        value={value ?? ''}
        onChoose={(value) => onChoose(stays.find(({ id }) => String(id) === value))}
      >
        <option value="">{none ?? 'Choisissez…'}</option>
        <StayOptions stays={shown} />
      </SelectField>
    </>
  );
}

export function StayOptions({ stays }: { stays: readonly NamedStay[] }) {
  const { locale, today } = useSite();
  return groupedStays(stays, today).map((group) => (
    <optgroup key={group.title} label={group.title}>
      {group.stays.map((stay) => (
        <option key={stay.id} value={stay.id}>
          {stayLabel(stay, locale)}
        </option>
      ))}
    </optgroup>
  ));
}

interface StayListStateProps<S extends NamedStay> {
  query: UseQueryResult<S[]>;
  children(stays: S[]): ReactNode;
}

/** Loads the stays of a panel; when there is none, shows links to add the first one. */
export function StayListState<S extends NamedStay>({ query, children }: StayListStateProps<S>) {
  return (
    <ListState
      query={query}
      failed="Les séjours n’ont pas pu être chargés."
      drawing="campfire"
      empty={
        <>
          <p className="mb-4">Aucun séjour pour le moment.</p>
          <NewStayWays />
        </>
      }
    >
      {children}
    </ListState>
  );
}

interface TickedStaysProps<S extends NamedStay> {
  stays: readonly S[];
  /** Number of ticked stays, filtered out ones included. */
  count: number;
  error: string | undefined;
  children(shown: S[]): ReactNode;
}

export function TickedStays<S extends NamedStay>({ stays, count, error, children }: TickedStaysProps<S>) {
  const { locale } = useSite();
  const [filter, setFilter] = useState('');
  const id = useId();
  const shown = matchingStays(stays, filter, locale);
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 font-semibold">Séjours</legend>
      {stays.length > WORTH_FILTERING && (
        <SearchBox label="Filtrer les séjours" value={filter} onType={setFilter} />
      )}
      <p role="status" className="text-sm text-quiet">
        {`${count > 1 ? `${count} séjours cochés` : `${count} séjour coché`} sur ${stays.length}.`}
        {filter !== '' && ` ${shown.length} dans la liste.`}
      </p>
      {children(shown)}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
}

interface TickedStayProps {
  stay: NamedStay;
  isTicked: boolean;
  onTick(isTicked: boolean): void;
  isWrong?: boolean;
  children?: ReactNode;
}

export function TickedStay({ stay, isTicked, onTick, isWrong = false, children }: TickedStayProps) {
  const { locale } = useSite();
  return (
    <li className="border-b border-mist last:border-b-0">
      <label className="flex min-h-12 items-center gap-3 py-1.5 wrap-anywhere">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={isTicked}
          // Marks the field to correct, which takes the focus.
          aria-invalid={isWrong}
          onChange={({ target }) => onTick(target.checked)}
        />
        <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
          {stayLabel(stay, locale)}
          {children}
        </span>
      </label>
    </li>
  );
}

interface TickedGroupsProps<S extends NamedStay> {
  stays: readonly S[];
  ticked: readonly number[];
  onTick(ids: readonly number[], isTicked: boolean): void;
  error: string | undefined;
  detail?(stay: S): ReactNode;
}

export function TickedGroups<S extends NamedStay>(props: TickedGroupsProps<S>) {
  const { stays, ticked, error } = props;
  const { today } = useSite();
  return (
    <TickedStays stays={stays} count={ticked.length} error={error}>
      {(shown) => (
        <div
          className={`flex max-h-112 flex-col gap-4 overflow-y-auto rounded-control border bg-card px-3 py-2 ${error ? 'border-coral' : 'border-edge'}`}
        >
          {groupedStays(shown, today).map((group) => (
            <TickedGroup key={group.title} {...props} {...group} />
          ))}
          {shown.length === 0 && <p className="py-2 text-quiet">Aucun séjour ne correspond.</p>}
        </div>
      )}
    </TickedStays>
  );
}

function TickedGroup<S extends NamedStay>(props: TickedGroupsProps<S> & { title: string }) {
  const { title, stays, ticked, onTick, error, detail } = props;
  const id = useId();
  const ids = stays.map((stay) => stay.id);
  const areAllTicked = ids.every((one) => ticked.includes(one));
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-mist">
        <p id={id} className="font-semibold">
          {title}
        </p>
        <button
          type="button"
          className="min-h-11 px-2 text-sm text-lake underline underline-offset-3"
          aria-describedby={id}
          onClick={() => onTick(ids, !areAllTicked)}
        >
          {areAllTicked ? 'Tout décocher' : 'Tout cocher'}
        </button>
      </div>
      <ul>
        {stays.map((stay) => (
          <TickedStay
            key={stay.id}
            stay={stay}
            isTicked={ticked.includes(stay.id)}
            onTick={(isTicked) => onTick([stay.id], isTicked)}
            isWrong={error !== undefined}
          >
            {detail?.(stay)}
          </TickedStay>
        ))}
      </ul>
    </section>
  );
}

export const NOTHING_CHOSEN = 'Veuillez sélectionner un séjour.';

/** The stay chosen in a dropdown, required by what follows; see `useRequiredChoice`. */
export function useStayChoice<S extends NamedStay>(
  stays: readonly S[],
  state: readonly [number | undefined, (id: number | undefined) => void],
  nothingChosen = NOTHING_CHOSEN,
) {
  const { clear } = useNotices();
  return useRequiredChoice(stays, state, nothingChosen, clear);
}

/** Id of the stay named in the address, and a function to choose another; see `useInAddress`. */
export function useChosenStay(): [number | undefined, (id: number | undefined) => void] {
  const [named, choose] = useInAddress('sejour');
  return [Number(named) || undefined, (id) => choose(id ? String(id) : '')];
}

interface OneOrSeveral {
  /** Warning and error when no single stay is chosen. */
  nothingChosen?: string;
  onChoose?(): void;
}

/**
 * The stay chosen in a dropdown, or several that are ticked: a button changes between the two ways. It is not there on the
 * page of one stay, nor where there are no two stays. Those that the address names are chosen at first.
 */
export function useOneOrSeveral<S extends NamedStay>(
  stays: readonly S[],
  { nothingChosen, onChoose }: OneOrSeveral = {},
) {
  const { today } = useSite();
  const only = useOnlyStay();
  const one = useStayChoice(stays, useChosenStay(), nothingChosen);
  const named = useSearch().getAll('sejour').map(Number);
  const [isSeveral, setSeveral] = useState(named.length > 1);
  const [ids, setIds] = useState<readonly number[]>(named);
  const [isMissed, setMissed] = useState(false);
  const { warn } = useNotices();
  const ticked = groupedStays(stays, today).flatMap((group) =>
    group.stays.filter(({ id }) => ids.includes(id)),
  );
  return {
    isSeveral,
    chosen: isSeveral ? ticked : one.chosen ? [one.chosen] : [],
    /** Ref around the field, used to move the focus to it. */
    place: one.place,
    field: (
      <>
        {isSeveral ? (
          <TickedGroups
            stays={stays}
            ticked={ids}
            onTick={(some, isTicked) => setIds(withTicks(ids, some, isTicked))}
            error={isMissed && ticked.length === 0 ? NOTHING_CHOSEN : undefined}
          />
        ) : (
          <StaySelect
            stays={stays}
            value={one.chosen?.id}
            error={one.error}
            onChoose={(stay) => {
              onChoose?.();
              one.choose(stay);
            }}
          />
        )}
        {only === undefined && stays.length > 1 && (
          <p>
            <Button quiet aria-pressed={isSeveral} onClick={() => setSeveral(!isSeveral)}>
              {isSeveral ? 'Un seul séjour' : 'Plusieurs séjours à la fois'}
            </Button>
          </p>
        )}
      </>
    ),
    withChosen(work: (chosen: readonly S[]) => void): void {
      setMissed(ticked.length === 0);
      if (!isSeveral) one.withChosen((stay) => work([stay]));
      else if (ticked.length > 0) work(ticked);
      else warn(NOTHING_CHOSEN);
    },
  };
}

export function BackToList() {
  const may = useMay();
  return (
    <p>
      <Link
        className="inline-flex min-h-11 items-center"
        to={may(['sejours']) ? STAYS_ADDRESS : panelAddress('photos')}
      >
        Tous les séjours
      </Link>
    </p>
  );
}
