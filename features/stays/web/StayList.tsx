import { useId, useState } from 'react';
import { Link } from 'react-router';
import { rangeOf } from '#platform/shared/dates.ts';
import { useSite } from '#platform/web/site.tsx';
import { SearchBox } from '#platform/web/ui/SearchBox.tsx';
import { peopleOf } from './questions.ts';
import { type CountedStay, groupedStays, matchingStays, stayFormAddress, stayLabel } from './stays.ts';

/** Stays of a group shown at first: those of many years are rarely looked for. */
const SHOWN = 30;

/** The stays by where they stand, those of today first, with a search in their names and dates. */
export function StayList({ stays }: { stays: readonly CountedStay[] }) {
  const { locale, today } = useSite();
  const [typed, setTyped] = useState('');
  const found = matchingStays(stays, typed, locale);
  return (
    <>
      <div className="mb-8 max-w-xl">
        <SearchBox label="Rechercher un séjour" value={typed} onType={setTyped}>
          {found.length === 0
            ? `Aucun séjour ne contient «\u00a0${typed.trim()}\u00a0».`
            : `${found.length} séjour${found.length > 1 ? 's' : ''}`}
        </SearchBox>
      </div>
      <div className="flex flex-col gap-10">
        {groupedStays(found, today).map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </>
  );
}

function Group({ title, stays }: { title: string; stays: readonly CountedStay[] }) {
  const [isWhole, setWhole] = useState(false);
  const id = useId();
  const shown = isWhole ? stays : stays.slice(0, SHOWN);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-xl">
        {title} <span className="font-normal text-quiet">({stays.length})</span>
      </h2>
      <ul className="border-t border-mist">
        {shown.map((stay) => (
          <StayItem key={stay.id} stay={stay} />
        ))}
      </ul>
      {stays.length > SHOWN && (
        <button type="button" className="button quiet mt-4" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Afficher les ${SHOWN} premiers` : `Afficher les ${stays.length} séjours`}
        </button>
      )}
    </section>
  );
}

function StayItem({ stay }: { stay: CountedStay }) {
  const { locale } = useSite();
  const { id, nom_stage, date_debut, date_fin } = stay;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-mist py-3">
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <p className="font-semibold">{nom_stage}</p>
        <p className="text-quiet">
          <span className="inline-block first-letter:uppercase">{rangeOf(date_debut, date_fin, locale)}</span>
        </p>
        <p className="text-sm text-quiet">
          N° {id} · {peopleOf(stay)}
        </p>
      </div>
      <Link
        className="button quiet"
        to={stayFormAddress(id)}
        aria-label={`Modifier ${stayLabel(stay, locale)}`}
      >
        Modifier
      </Link>
    </li>
  );
}
