import { useState } from 'react';
import { NewStayWays } from '#features/stays/web/stayPage.tsx';
import { photosAddress, STAYS_ADDRESS, stayAddress } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { useMay } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import type { Preparation } from '../calls.ts';
import { momentOf, NEED_RIGHTS, NEEDS, type Need, type NeedKey, needsOf } from './needs.ts';

export function Board() {
  const may = useMay();
  const query = useQuestion(
    { key: 'GET /preparation' },
    'Erreur lors de la récupération de la préparation des séjours:',
    { isRefreshed: true },
  );
  return (
    <section aria-labelledby="preparer">
      <h2 id="preparer" className="mb-4 text-xl">
        Préparer l’été
      </h2>
      <ListState
        query={query}
        failed="La préparation des séjours n’a pas pu être chargée."
        drawing="campfire"
        empty={
          <>
            <p className="mb-4">Aucun séjour en cours ou à venir.</p>
            {may(['sejours']) && <NewStayWays />}
          </>
        }
      >
        {(stays) => <Stays stays={stays} />}
      </ListState>
    </section>
  );
}

/** Returns the needs that whoever works here meets. */
function useOwnNeeds(): (stay: Preparation) => Need[] {
  const may = useMay();
  const { today } = useSite();
  return (stay) => needsOf(stay, today).filter(({ key }) => may([NEED_RIGHTS[key]]));
}

/** Number of stays shown at first: those of a month or two. */
const SHOWN = 12;

function Stays({ stays }: { stays: readonly Preparation[] }) {
  const [isWhole, setWhole] = useState(false);
  const may = useMay();
  const needs = useOwnNeeds();
  const shown = isWhole ? stays : stays.slice(0, SHOWN);
  const lacking = stays.filter((stay) => needs(stay).some(({ state }) => state === 'missing')).length;
  return (
    <>
      <p className="mb-3 text-quiet">
        {lacking === 0
          ? `Rien ne manque à ${stays.length === 1 ? 'ce séjour' : `ces ${stays.length} séjours`}.`
          : `Il manque quelque chose à ${lacking} séjour${lacking > 1 ? 's' : ''} sur ${stays.length}.`}{' '}
        {may(['sejours']) && (
          <Link to={STAYS_ADDRESS} className="whitespace-nowrap">
            Tous les séjours
          </Link>
        )}
      </p>
      <table className="board">
        <thead>
          <tr>
            <th scope="col">Séjour</th>
            {(Object.keys(NEEDS) as NeedKey[])
              .filter((key) => may([NEED_RIGHTS[key]]))
              .map((key) => (
                <th key={key} scope="col">
                  {NEEDS[key]}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((stay) => (
            <StayRow key={stay.id} stay={stay} />
          ))}
        </tbody>
      </table>
      {stays.length > SHOWN && (
        <button type="button" className="button quiet mt-4" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Afficher les ${SHOWN} premiers` : `Afficher les ${stays.length} séjours`}
        </button>
      )}
    </>
  );
}

function StayRow({ stay }: { stay: Preparation }) {
  const { locale, today } = useSite();
  const may = useMay();
  const needs = useOwnNeeds();
  return (
    <tr>
      <th scope="row">
        <Link
          to={may(['sejours']) ? stayAddress(stay.id) : photosAddress(stay.id)}
          className="font-semibold wrap-anywhere"
        >
          {stay.nom_stage}
        </Link>
        <span className="block text-sm font-normal text-quiet first-letter:uppercase">
          {rangeOf(stay.date_debut, stay.date_fin, locale)}, {momentOf(stay, today)}
        </span>
      </th>
      {needs(stay).map((need) => (
        <td key={need.key} data-title={NEEDS[need.key]}>
          <NeedLink need={need} />
        </td>
      ))}
    </tr>
  );
}

/** A cell of the board: what is there or lacks, and the way to it. Its shape tells the state as well as its colour. */
function NeedLink({ need: { key, state, short, to } }: { need: Need }) {
  return (
    <Link to={to} className={`need ${state}`}>
      <span className="sr-only">{`${NEEDS[key]}\u202f: `}</span>
      {short}
    </Link>
  );
}
