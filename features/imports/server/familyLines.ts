import { childKey, stayKey } from '#features/stays/server/staysStore.ts';
import { consent, firstName, lastName, mailAddress } from '#features/stays/shared/fields.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import { emailAddress } from '#platform/shared/text.ts';
import { readAddresses } from './cells.ts';
import { type Cell, type Fault, readCell, stayCells } from './columns.ts';
import type { KnownStay, KnownStays } from './importsStore.ts';
import type { Checked, Checker } from './table.ts';

/** A child and its family, read from a line of the file. */
export interface FamilyLine {
  stage_id: number;
  nom: string;
  prenom: string;
  cle: string;
  email: string;
  /** Null, here and in `consentement_image`: the stored value is kept. */
  email_2: string | null;
  consentement_image: Consent | null;
}

const secondAddress = emailAddress(254);

export function familyChecker(stays: KnownStays): Checker<FamilyLine> {
  const stayOf = openStayFinder(stays);
  return {
    keyOf: ({ stage_id, cle }) => `${stage_id}|${cle}`,
    // Lists are often put together from several, in which a child comes twice.
    wholeOf: ({ nom, prenom, email, email_2, consentement_image }) =>
      [nom, prenom, email, email_2, consentement_image].join('\n'),
    check(cell): Checked<FamilyLine> {
      const faults: Fault[] = [];
      const nom = readCell(lastName, cell, 'nom', faults) ?? '';
      const prenom = readCell(firstName, cell, 'prenom', faults) ?? '';
      const [first = '', other = ''] = readAddresses(cell('email'));
      const addressed = (colonne: string) => (colonne === 'email' ? first : cell('email_2') || other);
      const email = readCell(mailAddress, addressed, 'email', faults) ?? '';
      const second =
        addressed('email_2') === '' ? null : readCell(secondAddress, addressed, 'email_2', faults);
      const consentement_image = consentCell(cell, faults);
      const found = unlessErased(stayOf(cell), cell);
      if ('faults' in found) faults.push(...found.faults);
      if ('faults' in found || faults.length > 0) return { faults };
      const cle = childKey({ nom, prenom });
      return {
        value: { stage_id: found.id, nom, prenom, cle, email, email_2: second ?? null, consentement_image },
      };
    },
  };
}

function consentCell(cell: Cell, faults: Fault[]): Consent | null {
  const text = cell('consentement_image');
  if (text === '') return null;
  const said = consent.safeParse(text);
  if (!said.success) faults.push({ colonne: 'consentement_image', raison: 'oui, non ou rien est attendu.' });
  return said.data ?? null;
}

type Found = KnownStay | { faults: Fault[] };

const NAMING = ['stageId', 'nom_stage', 'date_debut', 'date_fin'];

/** Whether a line names a stay at all. */
export function namesStay(cell: Cell): boolean {
  return NAMING.some((colonne) => cell(colonne) !== '');
}

/** Returns a function that finds the stay of a line. The lines of a file name few stays, so results are cached. */
export function openStayFinder(stays: KnownStays): (cell: Cell) => Found {
  const found = new Map<string, Found>();
  return (cell) => {
    const naming = NAMING.map(cell).join('\n');
    const known = found.get(naming) ?? findStay(stays, cell);
    found.set(naming, known);
    return known;
  };
}

function findStay(stays: KnownStays, cell: Cell): Found {
  const number = cell('stageId');
  if (number !== '') {
    const stay = /^\d{1,15}$/.test(number) ? stays.byId(Number(number)) : undefined;
    if (!stay) return { faults: [{ colonne: 'stageId', raison: 'aucun séjour n’a ce numéro.' }] };
    if (isOtherwiseNamed(stay, cell))
      return { faults: [{ colonne: 'stageId', raison: 'ce numéro n’est pas celui de ce séjour.' }] };
    return stay;
  }
  const faults: Fault[] = [];
  const named = stayCells(cell, faults);
  if (faults.length > 0) return { faults };
  const stay = stays.byKey(named);
  if (stay) return stay;
  return { faults: [{ colonne: 'nom_stage', raison: unknownStay(stays.byName(named.nom_stage)) }] };
}

function unlessErased(found: Found, cell: Cell): Found {
  if ('faults' in found || found.efface_le === null) return found;
  const colonne = cell('stageId') === '' ? 'nom_stage' : 'stageId';
  const raison = 'les photos de ce séjour ne sont plus en ligne\u202f: il ne reçoit plus de familles.';
  return { faults: [{ colonne, raison }] };
}

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
