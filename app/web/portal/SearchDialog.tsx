import { Search, X } from 'lucide-react';
import { useDeferredValue, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { kindOfGenre } from '#features/content/shared/kinds.ts';
import { STAY_GENRE } from '#features/stays/shared/terms.ts';
import { stayFormAddress } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { folded } from '#platform/shared/fold.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { ITEM_PANELS, PANELS } from './panels.tsx';

/** A search result: its name, its kind and its address. */
interface Found {
  to: string;
  label: string;
  nature: string;
}

/** Finds a panel or a content by a few letters of its name. */
export function SearchDialog({ onClose }: { onClose(): void }) {
  const modal = useModal(onClose);
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const { found, state } = useFound(text);
  const current = Math.min(chosen, found.length - 1);

  async function open(one: Found | undefined) {
    if (!one) return;
    onClose();
    if (await confirmLeaving()) navigate(one.to);
  }

  return (
    <dialog {...modal} aria-label="Rechercher dans le portail" className="dialog mt-[12vh] max-w-xl p-0!">
      <div className="flex items-center gap-3 border-b border-mist px-4">
        <Search aria-hidden="true" className="size-5 shrink-0 text-quiet" />
        <input
          role="combobox"
          aria-label="Rechercher un panneau ou un contenu"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          data-first-focus
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          className="min-h-14 w-full bg-transparent text-lg outline-none"
          placeholder="Un panneau, un contenu…"
          value={text}
          maxLength={100}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') open(found[current]);
            else if (event.key === 'ArrowDown') setChosen(Math.min(current + 1, found.length - 1));
            else if (event.key === 'ArrowUp') setChosen(Math.max(current - 1, 0));
            else return;
            event.preventDefault();
          }}
        />
        <button type="button" className="round-button" onClick={onClose}>
          <X aria-hidden="true" />
          <span className="sr-only">Fermer</span>
        </button>
      </div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Résultats"
        className="max-h-[50vh] overflow-y-auto p-2"
      >
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above, as in any combobox
          <div
            key={one.to}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            className={`flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-[10px] px-3 py-1 ${index === current ? 'bg-mist' : ''}`}
            ref={index === current ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
            onClick={() => open(one)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="min-w-0">{one.label}</span>
            <span className="shrink-0 text-sm text-quiet">{one.nature}</span>
          </div>
        ))}
      </div>
      <p
        role="status"
        className={found.length > 0 && state !== 'failed' ? 'sr-only' : 'px-5 pb-4 text-quiet'}
      >
        {found.length > 0 && `${found.length} résultat${found.length > 1 ? 's' : ''}`}
        {found.length === 0 && state === 'asked' && 'Recherche…'}
        {found.length === 0 && state === 'answered' && `Aucun résultat pour «\u00a0${text.trim()}\u00a0».`}
        {state === 'failed' && 'La recherche dans les contenus n’a pas abouti.'}
      </p>
    </dialog>
  );
}

/** Search results: panels are matched here at once, contents come from the server. */
function useFound(text: string): { found: Found[]; state: 'asked' | 'answered' | 'failed' } {
  const asked = useDeferredValue(text.trim());
  const query = useQuestion({ key: 'GET /recherche', query: { q: asked } }, 'Erreur lors de la recherche:', {
    isAsked: asked !== '',
  });
  const words = folded(text).split(/\s+/);
  const panels = PANELS.filter(({ label, group }) =>
    words.every((word) => folded(`${group} ${label}`).includes(word)),
  ).map(({ key, label, group }) => ({ to: panelAddress(key), label, nature: group || 'Portail' }));
  const contents = asked === '' ? [] : (query.data ?? []).flatMap(foundOf);
  const state = query.isError ? 'failed' : asked !== '' && query.isPending ? 'asked' : 'answered';
  return { found: [...panels, ...contents], state };
}

/** Links a content to where it is managed: the bin, its form, or the panel of its kind; empty when there is none. */
function foundOf({ genre, id, titre, dans_la_corbeille }: ReplyOf<'GET /recherche'>[number]): Found[] {
  if (genre === STAY_GENRE) return [{ to: stayFormAddress(id), label: titre, nature: 'Séjour' }];
  const kind = kindOfGenre(genre);
  if (!kind) return [];
  if (dans_la_corbeille) {
    const to = `${panelAddress('corbeille')}&element=${genre}-${id}`;
    return [{ to, label: titre, nature: `${kind.label} (corbeille)` }];
  }
  const isEditable = ITEM_PANELS.some(({ path }) => path === kind.byId?.page);
  const isListed = PANELS.some(({ key }) => key === genre);
  const to = isEditable ? `${kind.byId?.page}/${id}` : `${panelAddress(genre)}&element=${id}`;
  return isEditable || isListed ? [{ to, label: titre, nature: kind.label }] : [];
}
