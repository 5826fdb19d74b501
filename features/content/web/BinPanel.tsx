import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { kindOfGenre } from '../shared/kinds.ts';
import { BIN_DAYS } from '../shared/limits.ts';

export function BinPanel() {
  const query = useQuestion({ key: 'GET /corbeille' });
  // Set when the portal's search led to an item of the bin.
  const wanted = useSearch().get('element');
  const title = useRef<HTMLHeadingElement>(null);
  return (
    <div className="max-w-3xl">
      <h1 ref={title} tabIndex={-1}>
        Corbeille
      </h1>
      <p className="mt-3 mb-6 text-quiet">
        Ce que vous y mettez reste ici {BIN_DAYS} jours, puis est effacé définitivement avec ses fichiers.
      </p>
      <ListState
        query={query}
        failed="La corbeille n’a pas pu être chargée."
        empty="La corbeille est vide : ce que vous y mettrez pourra être restauré d’ici."
      >
        {(items) => (
          <ul className="border-t border-mist">
            {items.map((item) => (
              <BinItem
                key={`${item.genre} ${item.id}`}
                item={item}
                isWanted={wanted === `${item.genre}-${item.id}`}
                onGone={() => title.current?.focus({ preventScroll: true })}
              />
            ))}
          </ul>
        )}
      </ListState>
    </div>
  );
}

interface BinItemProps {
  item: ReplyOf<'GET /corbeille'>[number];
  isWanted: boolean;
  /** Called when the item is about to leave the list, which would lose the keyboard’s focus. */
  onGone(): void;
}

function BinItem({ item, isWanted, onGone }: BinItemProps) {
  const { genre, id, titre, supprime_le, efface_le } = item;
  const { locale, timeZone } = useSite();
  const answers = useQueryClient();
  const { say } = useNotices();
  // All queries: a restored item is back in its list and on public pages.
  const { isBusy, run } = useAction(() => answers.invalidateQueries());
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isWanted) opener.current?.focus();
  }, [isWanted]);
  const restore = () =>
    run(async () => {
      const { message } = await call('POST /corbeille/:genre/:id/restaurer', { params: { genre, id } });
      say(message);
      onGone();
    }, 'Erreur lors de la restauration');
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-mist py-4">
      <div className="min-w-0 grow basis-64 wrap-anywhere">
        <p className="text-sm text-quiet">{kindOfGenre(genre)?.label ?? genre}</p>
        <p className="font-semibold">{titre}</p>
        <p className="text-sm text-quiet">
          À la corbeille depuis le {dayOf(supprime_le, locale, timeZone)},{' '}
          <span className="whitespace-nowrap">effacé définitivement le</span>{' '}
          {dayOf(efface_le, locale, timeZone)}
        </p>
      </div>
      <Button quiet ref={opener} aria-label={`Restaurer : ${titre}`} aria-disabled={isBusy} onClick={restore}>
        <Undo2 className="size-5" />
        {isBusy ? 'Restauration…' : 'Restaurer'}
      </Button>
    </li>
  );
}
