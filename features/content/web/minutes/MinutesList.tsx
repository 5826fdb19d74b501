import type { UseQueryResult } from '@tanstack/react-query';
import type { ReplyOf } from '#platform/shared/call.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { MinutesItem } from './MinutesItem.tsx';

interface MinutesListProps {
  query: UseQueryResult<ReplyOf<'GET /documents'>>;
  /** What is looked for, as it was typed, and its words; none: all are shown. */
  asked: string;
  words: readonly string[];
}

export function MinutesList({ query, asked, words }: MinutesListProps) {
  const isSearch = words.length > 0;
  // Of the words before, what is shown says nothing of these.
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
