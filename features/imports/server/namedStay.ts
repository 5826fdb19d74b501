import { stayKey } from '#features/stays/server/staysStore.ts';
import { folded } from '#platform/shared/fold.ts';
import { type Cell, type Fault, stayCells } from './columns.ts';
import type { KnownStay, KnownStays } from './importsStore.ts';
import { type AskingLine, LEAVE, LEFT, type Questions } from './questions.ts';
import { faulty } from './table.ts';

/** Finding the stay that a line names, or asking for it. */

type Found = KnownStay | { faults: Fault[] };

const NAMING = ['stageId', 'nom_stage', 'date_debut', 'date_fin'];

export function namesStay(cell: Cell): boolean {
  return NAMING.some((colonne) => cell(colonne) !== '');
}

/**
 * Returns a function that finds the stay of a line, and asks for it where it may be none or several. The lines of a file
 * name few stays, so results are cached. `isForFamilies`: one that receives no families any more is none.
 */
export function openStayFinder(stays: KnownStays, questions: Questions, isForFamilies = false) {
  const found = new Map<string, Found & { isAsked?: boolean }>();
  const receives = (stay: KnownStay) => !isForFamilies || stay.efface_le === null;
  return (cell: Cell, line: AskingLine): Found | { aside: string } => {
    const naming = NAMING.map(cell);
    const key = naming.join('\n');
    const known = found.get(key) ?? findStay(stays, cell, receives);
    if (!found.has(key)) found.set(key, known);
    if (!('faults' in known) || !known.isAsked) return known;
    const named = naming.filter((text) => text !== '').map(readable);
    const above = cell('intertitre');
    const said = questions.ask(
      {
        question: `sejour ${folded(named.join(', ') || above)}`.trim(),
        texte:
          named.length > 0
            ? `Quel est le séjour «\u00a0${named.join(', ')}\u00a0»\u202f?`
            : above === ''
              ? 'À quel séjour vont les lignes qui n’en nomment aucun\u202f?'
              : `À quel séjour vont les lignes sous «\u00a0${above}\u00a0»\u202f?`,
        choix: [],
        obligatoire: true,
      },
      line,
    );
    if (said === LEAVE) return { aside: LEFT };
    const chosen = stays.byId(Number(said));
    return chosen && receives(chosen) ? chosen : known;
  };
}

function readable(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? french(text) : text;
}

/** `isAsked`: which stay is meant may be answered. */
function findStay(
  stays: KnownStays,
  cell: Cell,
  receives: (stay: KnownStay) => boolean,
): Found & { isAsked?: boolean } {
  const asked = (colonne: string, raison: string) => ({ ...faulty(colonne, raison), isAsked: true });
  const number = cell('stageId');
  if (number !== '') {
    const stay = /^\d{1,15}$/.test(number) ? stays.byId(Number(number)) : undefined;
    if (!stay) return asked('stageId', 'aucun séjour n’a ce numéro.');
    if (isOtherwiseNamed(stay, cell)) return asked('stageId', 'ce numéro n’est pas celui de ce séjour.');
    return receives(stay) ? stay : asked('stageId', ERASED);
  }
  if (!namesStay(cell)) return asked('nom_stage', 'aucun séjour n’est nommé.');
  const read: Fault[] = [];
  const { nom_stage, ...days } = stayCells(cell, read);
  // A name may be enough.
  const faults = read.filter(({ colonne }) => colonne === 'nom_stage' || cell(colonne) !== '');
  if (faults.length > 0) return { faults };
  const sameName = stays.byName(nom_stage);
  const meant = sameName.filter((stay) =>
    (['date_debut', 'date_fin'] as const).every((day) => days[day] === '' || days[day] === stay[day]),
  );
  const open = meant.filter(receives);
  const [stay] = open;
  if (open.length === 1 && stay) return stay;
  if (open.length > 1) return asked('nom_stage', 'plusieurs séjours portent ce nom.');
  return asked('nom_stage', meant.length > 0 ? ERASED : unknownStay(sameName));
}

const ERASED = 'les photos de ce séjour ne sont plus en ligne\u202f: il ne reçoit plus de familles.';

/** Whether the name or a date given beside the stay number contradicts that stay; blank cells are ignored. */
function isOtherwiseNamed(stay: KnownStay, cell: Cell): boolean {
  const day = (colonne: 'date_debut' | 'date_fin') => cell(colonne) || stay[colonne];
  const named = {
    nom_stage: cell('nom_stage') || stay.nom_stage,
    date_debut: day('date_debut'),
    date_fin: day('date_fin'),
  };
  return stayKey(named) !== stayKey(stay);
}

function unknownStay(sameName: readonly KnownStay[]): string {
  const [stay, ...others] = sameName;
  if (!stay) return 'ce séjour n’existe pas.';
  const dates = `du ${french(stay.date_debut)} au ${french(stay.date_fin)}`;
  return `ce séjour n’existe pas à ces dates\u202f; il est connu ${dates}${others.length > 0 ? ', entre autres' : ''}.`;
}

function french(day: string): string {
  return day.split('-').reverse().join('/');
}
