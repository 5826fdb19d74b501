import { useState } from 'react';
import { NewStayWays } from '#features/stays/web/stayPage.tsx';
import { photosAddress, STAYS_ADDRESS, stateOf, stayAddress } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import type { Right } from '#platform/shared/roles.ts';
import { daysBetween } from '#platform/shared/time.ts';
import { useMay } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { countOf } from '#platform/web/ui/texts.ts';
import type { Preparation } from '../calls.ts';

export function Board() {
  const may = useMay();
  const query = useQuestion({ key: 'GET /preparation' }, { isRefreshed: true });
  return (
    <Section id="preparer" title="Préparer les séjours" look="mb-4 text-xl">
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
    </Section>
  );
}

function useOwnNeeds(): (stay: Preparation) => Need[] {
  const may = useMay();
  const { today } = useSite();
  return (stay) => needsOf(stay, today).filter(({ key }) => may([rightOf(key)]));
}

/** Number of stays shown at first: those of a month or two. */
const SHOWN = 12;

function Stays({ stays }: { stays: readonly Preparation[] }) {
  const [isWhole, setWhole] = useState(false);
  const may = useMay();
  const needs = useOwnNeeds();
  const shown = isWhole ? stays : stays.slice(0, SHOWN);
  const lacking = stays.filter((stay) => needs(stay).some(({ state }) => state === 'missing')).length;
  const all = stays.length === 1 ? 'ce séjour' : `ces ${stays.length} séjours`;
  return (
    <>
      <p className="mb-3 text-quiet">
        {lacking === 0
          ? `Rien ne manque à ${all}.`
          : `Il manque quelque chose à ${lacking === stays.length ? all : `${countOf(lacking, 'séjour')} sur ${stays.length}`}.`}{' '}
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
              .filter((key) => may([rightOf(key)]))
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
        <Button quiet className="mt-4" onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Afficher les ${SHOWN} premiers` : `Afficher les ${stays.length} séjours`}
        </Button>
      )}
    </>
  );
}

function StayRow({ stay }: { stay: Preparation }) {
  const { locale, today } = useSite();
  const may = useMay();
  const needs = useOwnNeeds()(stay);
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
        <span className="board-lacks">
          {needs
            .filter(({ state }) => state === 'missing')
            .map(({ key, short, to }) => (
              <Link key={key} to={to}>
                {NEEDS[key]}
                <span className="sr-only">{`\u202f: ${short}`}</span>
              </Link>
            ))}
        </span>
      </th>
      {needs.map((need) => (
        <td key={need.key}>
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

/* What a stay needs before, while and after it takes place: how far each need is met, and where it is met. */

export type NeedKey = 'directeurs' | 'enfants' | 'codes' | 'accords' | 'informations' | 'photos';

export interface Need {
  key: NeedKey;
  /** `missing`: somebody has to act; `none`: nothing to say yet. */
  state: 'done' | 'missing' | 'none';
  /** Complete by itself: « 3 accords inconnus ». */
  text: string;
  /** As short as a cell of a table: « 3 inconnus ». */
  short: string;
  to: string;
}

/** Titles of the needs, in the order in which a stay is prepared. */
const NEEDS: Record<NeedKey, string> = {
  directeurs: 'Directeur',
  enfants: 'Enfants',
  codes: 'Codes envoyés',
  accords: 'Droit à l’image',
  informations: 'Infos pratiques',
  photos: 'Photos',
};

const rightOf = (key: NeedKey): Right => (key === 'photos' ? 'photos' : 'sejours');

/** `today` decides what still matters: a past stay needs no practical information, one without photos no codes. */
export function needsOf(stay: Preparation, today: string): Need[] {
  const { id, enfants, directeurs, codes, consentements_inconnus: unknown, informations_manquantes } = stay;
  const { adresses, recu } = codes.stagiaire;
  const missing = informations_manquantes.length;
  const isOver = stay.photos_finies;
  const isPast = isOver || stateOf(stay, today) === 'past';
  const peopled = (count: number, noun: string, to: string): Omit<Need, 'key'> => ({
    state: count > 0 ? 'done' : isPast ? 'none' : 'missing',
    text: count > 0 ? countOf(count, noun) : `Aucun ${noun}`,
    short: count > 0 ? String(count) : 'Aucun',
    to,
  });
  const needs: Record<NeedKey, Omit<Need, 'key'>> = {
    directeurs: peopled(directeurs, 'directeur', stayAddress(id, 'directeurs')),
    enfants: peopled(enfants, 'enfant', stayAddress(id)),
    codes: {
      state: adresses === 0 || isOver ? 'none' : recu < adresses ? 'missing' : 'done',
      text:
        adresses === 0
          ? 'Pas encore d’adresse de famille'
          : `Codes reçus par ${recu} sur ${countOf(adresses, 'adresse')}`,
      short: adresses === 0 ? '–' : `${recu} sur ${adresses}`,
      to: stayAddress(id, 'codes'),
    },
    accords: {
      state: enfants === 0 || isOver ? 'none' : unknown > 0 ? 'missing' : 'done',
      text: unknown > 0 ? countOf(unknown, 'accord inconnu', 'accords inconnus') : 'Accords tous connus',
      short: enfants === 0 ? '–' : unknown > 0 ? countOf(unknown, 'inconnu') : 'Connu',
      to: stayAddress(id),
    },
    informations: {
      state: isPast ? 'none' : missing > 0 ? 'missing' : 'done',
      text: missing > 0 ? 'Informations pratiques à compléter' : 'Informations pratiques complètes',
      short: missing > 0 ? `Il en manque ${missing}` : 'Complètes',
      to: stayAddress(id, 'reglages'),
    },
    photos: photosNeed(stay),
  };
  return (Object.keys(NEEDS) as NeedKey[]).map((key) => ({ key, ...needs[key] }));
}

function photosNeed({ id, photos, photos_a_verifier, photos_demandees }: Preparation): Omit<Need, 'key'> {
  const to = photosAddress(id);
  if (photos_demandees > 0) {
    const text = countOf(photos_demandees, 'retrait demandé', 'retraits demandés');
    return { state: 'missing', text, short: text, to };
  }
  if (photos_a_verifier > 0) {
    const text = `${countOf(photos_a_verifier, 'photo')} à vérifier`;
    return { state: 'missing', text, short: `${photos_a_verifier} à vérifier`, to };
  }
  const text = photos > 0 ? countOf(photos, 'photo') : 'Pas encore de photo';
  return { state: photos > 0 ? 'done' : 'none', text, short: photos > 0 ? String(photos) : '–', to };
}

/** « dans 12 jours », « en cours, 3ᵉ jour », « fini depuis 4 jours ». */
export function momentOf(stay: Preparation, today: string): string {
  const { date_debut, date_fin } = stay;
  const state = stateOf(stay, today);
  if (state === 'running') {
    const day = daysBetween(date_debut, today) + 1;
    return `en cours, ${day === 1 ? '1er' : `${day}\u1d49`} jour`;
  }
  if (state === 'coming') {
    const days = daysBetween(today, date_debut);
    return days === 1 ? 'demain' : `dans ${days} jours`;
  }
  return `fini depuis ${countOf(daysBetween(date_fin, today), 'jour')}`;
}
