import { ChevronDown, Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { folded } from '#platform/shared/fold.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { PANELS } from './panels.tsx';
import { SearchDialog } from './SearchDialog.tsx';

/** The menu of the portal: its panels by group, a filter, the search. On a phone it folds up. */
export function Rail({ current }: { current: string | undefined }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const [filter, setFilter] = useState('');
  const [isSearching, setSearching] = useState(false);
  const { key } = useLocation();
  const id = useId();
  // A choice was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what tells a new place
  useEffect(() => setUnfolded(false), [key]);
  useSearchKey(() => setSearching(true));

  const label = PANELS.find((panel) => panel.key === current)?.label ?? 'Menu du portail';
  return (
    <div className="rail">
      <button
        type="button"
        className="flex min-h-12 w-full items-center justify-between gap-2 font-semibold lg:hidden"
        aria-expanded={isUnfolded}
        aria-controls={id}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {label}
        <ChevronDown
          aria-hidden="true"
          className={`transition-transform ${isUnfolded ? 'rotate-180' : ''}`}
        />
      </button>
      <nav
        id={id}
        aria-label="Panneaux du portail"
        className={`flex-col gap-5 max-lg:py-3 lg:flex ${isUnfolded ? 'flex' : 'hidden'}`}
      >
        <button type="button" className="button quiet justify-between" onClick={() => setSearching(true)}>
          <span className="flex items-center gap-2">
            <Search aria-hidden="true" className="size-5" />
            Rechercher
          </span>
          <kbd className="hidden text-sm font-normal text-quiet lg:inline">{shortcut()}</kbd>
        </button>
        <input
          type="search"
          className="input"
          placeholder="Filtrer le menu"
          aria-label="Filtrer le menu"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Groups current={current} filter={filter} />
      </nav>
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
    </div>
  );
}

function Groups({ current, filter }: { current: string | undefined; filter: string }) {
  const found = PANELS.filter(({ label, group }) => folded(`${group} ${label}`).includes(folded(filter)));
  const groups = [...new Set(found.map(({ group }) => group))].map(
    (group) => [group, found.filter((panel) => panel.group === group)] as const,
  );
  if (groups.length === 0) return <p className="text-sm text-quiet">Aucun panneau ne porte ce nom.</p>;
  return groups.map(([group, panels]) => (
    <div key={group}>
      {group && <p className="mb-1 px-3 text-sm font-semibold text-quiet">{group}</p>}
      <ul aria-label={group || undefined}>
        {panels.map(({ key, label }) => (
          <li key={key}>
            <Link
              to={panelAddress(key)}
              ref={key === current ? showInRail : undefined}
              className="menu-link text-[0.9rem]"
              aria-current={key === current ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Within the rail alone: the page stays where it is. */
function showInRail(link: HTMLElement | null): void {
  const rail = link?.closest<HTMLElement>('.rail');
  if (!link || !rail || getComputedStyle(rail).position !== 'sticky') return;
  const { top, bottom } = link.getBoundingClientRect();
  const seen = rail.getBoundingClientRect();
  if (top < seen.top || bottom > seen.bottom) rail.scrollTop += top - seen.top - seen.height / 2;
}

/** Ctrl K, or ⌘ K on a Mac, from anywhere in the portal. */
function useSearchKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Another dialog waits for an answer first.
      if (!document.querySelector('dialog[open]')) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

function shortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}
