import { useId, useState } from 'react';
import type { Director } from '#features/stays/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { DirectorItem } from './DirectorItem.tsx';
import { matchingDirectors } from './directors.ts';

interface DirectorListProps {
  directors: readonly Director[];
  onEdit(director: Director): void;
  onGone(): void;
}

/** All directors, with a search through names, addresses and stays. */
export function DirectorList({ directors, onEdit, onGone }: DirectorListProps) {
  const { locale } = useSite();
  const [typed, setTyped] = useState('');
  const id = useId();
  const shown = matchingDirectors(directors, typed, locale);
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-5">
        Tous les directeurs
      </h2>
      {directors.length === 0 ? (
        <p className="well">Aucun directeur pour le moment.</p>
      ) : (
        <>
          <div className="max-w-xl">
            <SearchBox label="Rechercher un nom, une adresse ou un séjour" value={typed} onType={setTyped}>
              {counted(shown.length, directors.length)}
            </SearchBox>
          </div>
          <ul className="mt-4 border-t border-mist">
            {shown.map((director) => (
              <DirectorItem key={director.id} director={director} onEdit={onEdit} onGone={onGone} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function counted(shown: number, all: number): string {
  const directors = all > 1 ? `${all} directeurs` : '1 directeur';
  if (shown === all) return `${directors}.`;
  return shown === 0 ? `Aucun ne correspond, sur ${directors}.` : `${shown} sur ${directors}.`;
}
