import { domainToASCII } from 'node:url';
import { decodeHTMLStrict } from 'entities';
import iconv from 'iconv-lite';
import type { Consent } from '#features/stays/shared/terms.ts';
import { NO_RESULT } from '#platform/server/sheets/sheets.ts';
import { folded, wordsOf } from '#platform/shared/fold.ts';
import { dayAfter, dayAt, daysBetween, isDay, readInstant } from '#platform/shared/time.ts';

/*
 * What a cell means, for every door by which lists come in: spreadsheets, and the site that is taken over. A function
 * that is not sure of the meaning says undefined, and the text stays as it is for a person to see.
 */

/** UTF-8 that was read as Windows-1252, once or twice: « LefÃ¨vre ». */
const MOJIBAKE = /[ÂÃÅâ][\u0080-¿€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;
/** Signs that show nothing and that nobody types: they come with what is copied. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * A text as its author saw it: HTML entities and an encoding that was mistaken are undone, signs that show nothing are
 * left out, letters are composed.
 */
export function plainText(text: string): string {
  let plain = text.includes('&') ? decodeHTMLStrict(text) : text;
  for (let times = 0; times < 2 && MOJIBAKE.test(plain); times++) {
    const bytes = iconv.encode(plain, 'win1252');
    const read = iconv.decode(bytes, 'utf8');
    if (read.includes('\ufffd') || iconv.decode(bytes, 'win1252') !== plain) break;
    plain = read;
  }
  return plain.replace(UNSEEN, '').normalize('NFC');
}

/** A cell as most are: French words with one blank between, nothing that stands for something else. */
const BARE = /^(?!['#])[!-%'->@-~ÀÇ-ÏÑ-ÖÙ-Üà-áç-öù-ü]+(?: [!-%'->@-~ÀÇ-ÏÑ-ÖÙ-Üà-áç-öù-ü]+)*$/;

/** The text of a cell of a list, without the apostrophe that keeps a spreadsheet from computing it, or quotes around it. */
function cellText(cell: string): string {
  if (BARE.test(cell)) return cell;
  return plainText(cell)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .replace(/^'(?=[=+\-@\d])/, '')
    .replace(/^[“«]\s?([^“”«»]*?)\s?[”»]$/, '$1');
}

/** Whether a text still shows an encoding that was mistaken. */
export function isGarbled(text: string): boolean {
  return text.includes('\ufffd') || MOJIBAKE.test(text);
}

/** Why nothing can be read from a cell; undefined when something can. */
export function whyUnreadable(cell: string): string | undefined {
  const text = cell.trim();
  if (text === '' || (BARE.test(text) && !text.startsWith('Err'))) return undefined;
  if (text === NO_RESULT)
    return 'la formule de cette cellule n’a jamais été calculée\u202f: ouvrez le classeur dans votre tableur et enregistrez-le, ou tapez la valeur.';
  if (/^(#(N\/A|N\/D|[A-ZÀ-Ý0-9/]+[!?])|Err\s?:\s?\d{3})$/i.test(text))
    return `la formule de cette cellule donne une erreur (${text})\u202f: tapez la valeur.`;
  return isGarbled(plainText(text)) || /\p{L}\?\p{L}/u.test(text)
    ? 'des accents de cette cellule sont perdus\u202f: retapez-la.'
    : undefined;
}

/** Columns that hold days, or addresses; those of passwords are read sign for sign. */
export const DAYS: readonly string[] = ['date_debut', 'date_fin'];
const ADDRESSES = ['email', 'email_2'];

/** How a file counts and writes days, and where the site is. */
export interface Reading {
  timeZone: string;
  is1904: boolean;
  isMonthFirst?: boolean;
}

/** Returns what a cell of a column says, in the form that the site keeps; a text that is not sure stays as it is. */
export function meaningIn(colonne: string, reading: Reading): (cell: string) => string {
  if (colonne.startsWith('mdp_')) return (cell) => cell.trim();
  // One line each, one child each.
  if (colonne === 'prenom') return (cell) => cellText(cell.trim().replace(/\s*[\n\u2028]\s*/g, ' / '));
  const read = readerOf(colonne, reading);
  return (cell) => read(cellText(cell));
}

function readerOf(colonne: string, { timeZone, ...how }: Reading): (text: string) => string {
  if (DAYS.includes(colonne)) return remembered((text) => readDay(text, timeZone, how) ?? text);
  if (ADDRESSES.includes(colonne)) return (text) => readAddresses(text).join(' ; ');
  if (colonne === 'telephone') return (text) => readTelephone(text) ?? text;
  if (colonne === 'consentement_image') return remembered((text) => readConsent(text) ?? text);
  return colonne === 'stageId' ? (text) => text.replace(/[.,]0+$/, '') : (text) => text;
}

/** Most different things whose meaning is kept. */
const KEPT_MAX = 500;

/** Reads a thing once, as few different ones come again and again. */
export function remembered<T, M>(read: (thing: T) => M): (thing: T) => M {
  const known = new Map<T, { meaning: M }>();
  return (thing) => {
    let found = known.get(thing);
    if (!found) {
      if (known.size === KEPT_MAX) known.clear();
      found = { meaning: read(thing) };
      known.set(thing, found);
    }
    return found.meaning;
  };
}

/* Days. */

/** Names of months in French and English; a beginning of one, of three letters or more, that no other has is enough. */
const MONTHS =
  'janvier january,fevrier february,mars march,avril april,mai may,juin june,juillet july,aout august,septembre september,octobre october,novembre november,decembre december'
    .split(',')
    .map((names) => names.split(' '));
const NUMERIC = /^(\d{1,2})\s?[/.\- ]\s?(\d{1,2})\s?[/.\- ]\s?(\d{4}|\d{2})$/;
const IN_WORDS =
  /^(?:\p{L}+\.?,?\s)?(?:le\s)?(\d{1,2})(?:er)?[\s\-./]*(\p{L}{3,})\.?,?[\s\-./]*(\d{4}|\d{2})$/u;
/** A time behind a day. */
const TIME = /(?:\s+|T)(?:a |à )?\d{1,2}\s?[:h]\s?(?:\d{2})?(?::\d{2})?(?:[.,]\d+)?\s?(?:[ap]m)?$/i;
/** Days that spreadsheets count from the end of 1899, of this century. */
const COUNTED = { from: 36_526, to: 73_050, origin: '1899-12-30', more1904: 1_462 };

/**
 * The day that is meant, as `2026-06-20`. Programs write a day as the instant at which it begins where they run, in UTC:
 * `2026-07-05T22:00:00.000Z` is 6 July in Paris; others as midnight in UTC. Two-digit years are in this century.
 */
export function readDay(
  cell: string,
  timeZone: string,
  { is1904 = false, isMonthFirst = false }: Partial<Reading> = {},
): string | undefined {
  const iso = cell
    .trim()
    .replace(/^(20\d\d)[/.]?(\d\d)[/.]?(\d\d)(?!\d)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, '$1T');
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(iso)) {
    const instant = readInstant(iso, timeZone);
    if (!instant) return undefined;
    return /T00:00(:00(\.0+)?)?Z$/.test(iso) ? iso.slice(0, 10) : dayAt(instant, timeZone);
  }
  if (/^\d{5}([.,]\d+)?$/.test(iso)) {
    const count = Math.floor(Number(iso.replace(',', '.'))) + (is1904 ? COUNTED.more1904 : 0);
    return count >= COUNTED.from && count <= COUNTED.to ? dayAfter(COUNTED.origin, count) : undefined;
  }
  const text = iso.replace(TIME, '');
  const numeric = NUMERIC.exec(text);
  const [, first, second, year] = numeric ?? wordedDay(text) ?? [];
  if (!first || !second || !year) return isDay(text) ? text : undefined;
  const [day, month] = numeric && isMonthFirst ? [second, first] : [first, second];
  const read = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(read) ? read : undefined;
}

/** Whether a cell writes the month before the day for sure, or could as well; undefined: neither. */
export const monthFirstIn = remembered((cell: string): 'surely' | 'maybe' | undefined => {
  const [, first = '', second = ''] = NUMERIC.exec(cell.trim().replace(TIME, '')) ?? [];
  const [one, other] = [Number(first), Number(second)];
  if (one < 1 || one > 12 || one === other) return undefined;
  return other > 12 && other < 32 ? 'surely' : other > 0 && other < 13 ? 'maybe' : undefined;
});

/** What stands between two days; a dash alone only between whole ones. */
const UNTIL = /\s(?:jusqu['’])?(?:au|à|a)\s(?:le\s)?|\s?[–—→]\s?|\s-\s|(?<=[/.]\d{2,4})-(?=\d)/i;

/** The two days of « du 13 au 20 février 2027 », as texts; the first one borrows what only the last one says. */
export function splitDays(cell: string): [from: string, to: string] {
  const text = cellText(cell);
  const [from = '', to = '', ...others] = text.replace(/^(?:du|de|le)\s/i, '').split(UNTIL);
  if (others.length > 0 || !readDay(to, 'UTC')) return [text, ''];
  const endings = ['', ...[...to.matchAll(/[\s/.-]/g)].map(({ index }) => to.slice(index))];
  return [endings.map((ending) => from + ending).find((one) => readDay(one, 'UTC')) ?? from, to];
}

/** « samedi 12 juillet 2026 » and « 12-juil.-26 » in the parts of a numeric day. */
function wordedDay(text: string): string[] | undefined {
  const [, day = '', word = '', year = ''] = IN_WORDS.exec(text) ?? [];
  const name = folded(word);
  const months = MONTHS.flatMap((names, index) =>
    names.some((one) => one.startsWith(name)) ? [index + 1] : [],
  );
  return name !== '' && months.length === 1 ? [text, day, String(months[0]), year] : undefined;
}

/** Days that a stay lasts at most, and years around today in which one begins, unless somebody mistyped. */
export const STAY_DAYS = 62;
const YEARS = { before: 2, ahead: 3 };

/** What is strange in the days of a stay, as a French sentence; undefined: nothing. */
export function strangeDays(
  stay: { date_debut: string; date_fin: string },
  today: string,
): string | undefined {
  const days = daysBetween(stay.date_debut, stay.date_fin) + 1;
  if (days > STAY_DAYS) return `ce séjour durerait ${days} jours\u202f: vérifiez ses dates.`;
  const years = Number(stay.date_debut.slice(0, 4)) - Number(today.slice(0, 4));
  return years > YEARS.ahead || years < -YEARS.before
    ? `ce séjour serait en ${stay.date_debut.slice(0, 4)}\u202f: vérifiez ses dates.`
    : undefined;
}

/* Names. */

/**
 * The last and the first name of a cell that holds both: the last one is in capitals, or before a comma, or told by the
 * order of two words. Where neither says it, all of it is the last name, and the first one is missing.
 */
export function splitName(cell: string, isLastFirst: boolean): [last: string, first: string] {
  const text = cellText(cell);
  const [, before, after] = /^([^,]+), ?([^,]+)$/.exec(text) ?? [];
  if (before && after) return [before, after];
  const words = text.split(' ');
  const areCapitals = words.map((word) => /\p{Lu}/u.test(word) && !/\p{Ll}/u.test(word));
  const at = areCapitals.findIndex((is) => is !== areCapitals[0]);
  const isTold = at > 0 && !areCapitals.slice(at).includes(areCapitals[0] as boolean);
  if (!isTold && words.length !== 2) return [text, ''];
  const parts = [words.slice(0, isTold ? at : 1), words.slice(isTold ? at : 1)].map((part) => part.join(' '));
  const [one = '', other = ''] = parts;
  return (isTold ? areCapitals[0] : isLastFirst) ? [one, other] : [other, one];
}

/* Telephones. */

/** A French number as « 06 12 34 56 78 », also where a spreadsheet took its 0; undefined for any other text. */
export function readTelephone(cell: string): string | undefined {
  const text = cell.replace(/[.,]0$/, '').replace(/\(0\)/, '');
  if (!/^[+\d][\d\s.\-/\u2010-\u2013]*$/.test(text)) return undefined;
  const national = /^(?:\+33|0033|33|0)?0?([1-9]\d{8})$/.exec(text.replace(/[^+\d]/g, ''))?.[1];
  return national && `0${national}`.replace(/\d\d(?=\d)/g, '$& ');
}

/** Whether a spreadsheet has rounded a telephone number: « 3.36E+21 », « 6,12E+08 ». */
export function isRounded(cell: string): boolean {
  return /^\d+([.,]\d+)?e\+?\d+$/i.test(cell.trim());
}

/* Addresses. */

/** A cell as most are. */
const ONE_ADDRESS = /^[a-z\d][\w.+-]*@(?:[a-z\d-]+\.)+[a-z]{2,}$/i;

/** The e-mail addresses of a cell, in their order, each once; a text without any stays as it is, alone. */
export function readAddresses(cell: string): string[] {
  if (ONE_ADDRESS.test(cell)) return [cell];
  const text = cell.replace(/\p{Cf}/gu, '').trim();
  if (text === '') return [];
  const words = text.split(/[;,/|\s<>()[\]"]+|mailto:/i);
  const parts = words.filter((word) => word.includes('@'));
  // Without an @, or with two, or beside what seems an address without one, nobody knows what is meant.
  const isUnsure = words.some((word) => word.split('@').length > 2 || /^[^@]+\.\p{L}{2,}$/u.test(word));
  if (parts.length === 0 || isUnsure) return [text];
  const addresses = parts.map((part) => {
    const [name = '', domain = ''] = part.replace(/^[.:']+|[.:']+$/g, '').split('@');
    return `${name}@${/[^\0-\x7f]/.test(domain) ? domainToASCII(domain) || domain : domain}`;
  });
  return [...new Map(addresses.map((one) => [one.toLowerCase(), one])).values()];
}

/* Consents. */

/** Words and signs, between commas. */
const CONSENT_WORDS: Record<Consent, string> = {
  oui: 'oui,o,y,yes,vrai,true,1,x,ok,d accord,accord,favorable,✓,✔,☑,✅',
  non: 'non,n,no,faux,false,0,pas d accord,desaccord,defavorable,✗,✘,❌',
  inconnu: 'inconnu,nsp,ne sait pas,sans reponse,non renseigne,a demander,en attente,?',
};
/** Words of a sentence that says yes or no. With any word that is not among these, it is nobody's guess. */
const AGREEING = /^(oui|ok|autorise(e|es|s|nt)?|autorisons|accepte(e|es|s|nt)?|acceptons|accord|consens)$/;
const REFUSING = /^(non|refuse(e|es|s|nt)?|refusons|refus|interdit(e|s)?|interdis|oppose(e|es|s)?)$/;
const NEGATION = /^(ne|n|pas)$/;
const FILLING =
  /^(j|je|nous|on|suis|est|a|d|l|m|y|le|la|les|de|du|des|mon|ma|mes|notre|donne|droit|images?|photos?|enfants?|fils|fille|publication|diffusion|autorisation|consentement)$/;

/** The consent that a cell says; undefined for words of which it is not sure. */
export function readConsent(cell: string): Consent | undefined {
  const words = wordsOf(cell);
  const said = words.join(' ') || cell.replace(/\ufe0f/g, '').trim();
  const known = (Object.keys(CONSENT_WORDS) as Consent[]).find((one) =>
    CONSENT_WORDS[one].split(',').includes(said),
  );
  if (known || words.length === 0) return known;
  const countOf = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length;
  const [agrees, refuses, negates] = [countOf(AGREEING), countOf(REFUSING), countOf(NEGATION)];
  if (agrees + refuses + negates + countOf(FILLING) < words.length) return undefined;
  const isNo = refuses === 1 ? negates === 0 : agrees > 0 && negates > 0;
  if (isNo) return refuses + negates > 0 && words.includes('oui') ? undefined : 'non';
  return agrees > 0 && refuses === 0 && negates === 0 ? 'oui' : undefined;
}
