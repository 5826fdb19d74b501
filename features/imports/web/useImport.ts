import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ImportKind, STAY_PASSWORD_MIN } from '#features/stays/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useConfirm, useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { TABLES, useFileChoice } from '#platform/web/ui/files.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import type { AskedTitles, ImportPreview, ReadFile } from '../calls.ts';

/** A preview, with the corrections that it was made from. */
export interface Review {
  /** Unique name of the request that made it. */
  key: string;
  corrections: Correction[];
  preview: ImportPreview;
  /** Whether it was asked for as such, and takes the focus; otherwise the focus stays where the person works. */
  isAsked: boolean;
  /** The `key` of the last preview that was asked for. */
  askedKey: string;
}

/** An answer to a question of a file; with `ligne`, of one line. */
export interface Answer {
  question: string;
  ligne?: number | undefined;
  reponse: string;
}

/** What else of a file may be read: another sheet, hidden lines, another encoding. */
export type ReadingChoice = Partial<Pick<ReadFile, 'feuille' | 'encodage' | 'masquees_lues'>>;

/** What the person said of a file: what is sent beside it. */
interface Said {
  corrections: Correction[];
  answers: readonly Answer[];
  reading: ReadingChoice;
  /** What headers stand for; undefined while nothing is known of them. */
  titres: AskedTitles['titres'] | undefined;
}
const NOTHING_SAID: Said = { corrections: [], answers: [], reading: {}, titres: undefined };

/** What is known of a file: what was said of it, and the headers that the site does not know by itself. */
export interface Known extends Said, AskedTitles {
  titres: AskedTitles['titres'];
  file: File;
  /** What was read of it; undefined when it could not be opened. */
  lu: ReadFile | undefined;
  /** Why the file cannot be read as it is; undefined when it can. */
  missing: string | undefined;
  review: Review | undefined;
}

type ReadTitles = Pick<Known, 'titres' | 'libres' | 'lu' | 'missing'>;

export interface Sending {
  /** Name by which the server is asked for the progress. */
  key: string;
  /** Fraction of the file that was sent, from 0 to 1. */
  part: number;
}

const FAILURE = 'Erreur lors de l’import';
const CHANGED =
  'ce fichier a changé depuis que vous l’avez choisi, ou n’est plus là\u202f: choisissez-le de nouveau.';

/** State of an import: a file is chosen, previewed and corrected as often as needed, then imported. */
export function useImport({ send: sendKey }: ImportTexts) {
  const choice = useFileChoice(TABLES);
  const [last, setKnown] = useState<Known>();
  const [done, setDone] = useState<ReplyOf<'POST /upload'>>();
  const [sending, setSending] = useState<Sending>();
  const [isTyped, setTyped] = useState(false);
  /** What the person said last of the file: it may change while it is being sent. */
  const wanted = useRef(NOTHING_SAID);
  const answers = useQueryClient();
  const confirm = useConfirm();
  const { say } = useNotices();
  const { run } = useAction();
  const stay = useSearch().get('sejour');
  const { file } = choice;
  // What is known of another file no longer applies.
  const known = last?.file === file ? last : undefined;
  const review = known?.review;
  const said = known
    ? saidOf(known)
    : { ...NOTHING_SAID, answers: stay ? [{ question: 'sejour', reponse: stay }] : [] };
  const hasCorrections = review !== undefined && (isTyped || review.corrections.length > 0);
  useUnsaved(hasCorrections, 'Vos corrections seront perdues.');
  useUnsaved(sending !== undefined, 'Le fichier en cours de traitement ne sera peut-être pas importé.');

  async function send<K extends SentAs>(key: K, sent: File, said: Said): Promise<[string, ReplyOf<K>]> {
    await requireReadable(sent);
    const name = newName();
    const body = new FormData();
    body.append('suivi', name);
    const { corrections, titres, answers: given, reading } = said;
    if (corrections.length > 0) body.append('corrections', JSON.stringify(corrections));
    if (titres)
      body.append('titres', JSON.stringify(titres.map(({ titre, colonne }) => ({ titre, colonne }))));
    if (given.length > 0) body.append('reponses', JSON.stringify(given));
    if (reading.feuille) body.append('feuille', reading.feuille);
    if (reading.encodage) body.append('encodage', reading.encodage);
    if (reading.masquees_lues) body.append('masquees', 'lire');
    body.append('file', sent);
    const onSent = (part: number) => setSending({ key: name, part });
    onSent(0);
    try {
      return [name, (await call<SentAs>(key, { body, onSent })) as ReplyOf<K>];
    } finally {
      setSending(undefined);
    }
  }

  /** Has a file previewed; when it lacks columns, but has headers to match, these are asked about instead. */
  async function verify(sent: File, said: Said, isAsked = true): Promise<void> {
    wanted.current = said;
    const take = (
      { titres, libres, lu, missing }: ReadTitles,
      review?: (before: Review | undefined) => Review,
    ) => {
      // What was said since is previewed next.
      if (wanted.current === said)
        setKnown((before) => ({
          ...{ ...said, file: sent, titres, libres, lu, missing },
          review: review?.(before?.review),
        }));
      setTyped(false);
      setDone(undefined);
    };
    try {
      const [key, answer] = await send(`${sendKey}/apercu`, sent, said);
      take({ ...answer, missing: undefined }, (before) => ({
        ...{ key, corrections: said.corrections, preview: inFrench(answer), isAsked },
        askedKey: isAsked ? key : (before?.askedKey ?? key),
      }));
    } catch (error) {
      const asked = titlesIn(error);
      if (asked) take(asked);
      // What is shown would be imported otherwise than it says now.
      else if (!isAsked) setKnown((before) => before && { ...before, review: undefined });
      // Beside the file, where there is no header to ask about.
      if (!asked || asked.titres.length === 0) throw error;
    }
  }

  /** Shows what is said now, and previews the file anew; a preview under way is followed by one of what was said last. */
  function sayAnew(sent: File, said: Said) {
    wanted.current = said;
    setKnown(
      (before) =>
        before && {
          ...{ ...before, ...said, titres: said.titres ?? before.titres },
          lu: before.lu && { ...before.lu, ...said.reading },
        },
    );
    return run(async () => {
      let tried: Said;
      do {
        tried = wanted.current;
        await verify(sent, tried, false);
      } while (wanted.current !== tried);
    }, FAILURE);
  }

  const verifyWith = (corrections: Correction[]) =>
    run(async () => {
      if (file) await verify(file, { ...said, corrections });
    }, FAILURE);

  /** Whether corrections may be lost, if there are any. */
  const mayLoseCorrections = async (question: string, yes: string) =>
    !hasCorrections || (await confirm({ question, consequence: 'Vos corrections seront perdues.', yes }));

  const { form, errors } = useForm({
    send: async (element) => {
      if (!file || sending) return;
      const corrections = review ? correctionsIn(element, review) : [];
      await verify(file, { ...said, corrections });
    },
    onDone: () => {},
    failure: FAILURE,
  });

  return {
    form,
    error: choice.trouble ?? errors.file,
    file,
    known,
    done,
    sending,
    onTyped: () => setTyped(true),
    async choose(chosen: File | undefined): Promise<void> {
      if (await mayLoseCorrections('Changer de fichier\u202f?', 'Changer')) choice.choose(chosen);
    },
    /** Has the file previewed anew as it is read otherwise; what was said of headers is that of another sheet then. */
    async readOtherwise(change: ReadingChoice): Promise<void> {
      if (!file || !(await mayLoseCorrections('Lire ce fichier autrement\u202f?', 'Lire autrement'))) return;
      const kept = 'feuille' in change ? NOTHING_SAID : said;
      await sayAnew(file, { ...kept, corrections: [], reading: { ...said.reading, ...change } });
    },
    /** Says what a header stands for, and previews the file anew. The cells of corrections are those of other columns. */
    async match(titre: string, colonne: string): Promise<void> {
      if (!file || !known) return;
      if (!(await mayLoseCorrections('Changer ce que dit cette colonne\u202f?', 'Changer'))) return;
      const titres = known.titres.map((one) =>
        one.titre === titre ? { ...one, colonne, retenu: false } : one,
      );
      await sayAnew(file, { ...said, titres, corrections: [] });
    },
    /** Answers a question of the file, and previews it anew with the corrections made so far. */
    async answer(form: HTMLFormElement, review: Review, answer: Answer): Promise<void> {
      if (!file) return;
      const others = said.answers.filter(
        ({ question, ligne }) => question !== answer.question || ligne !== answer.ligne,
      );
      const corrections = correctionsIn(form, review, false);
      await sayAnew(file, { ...said, answers: [...others, answer], corrections });
    },
    /** Previews the file with all lines set aside that are faulty, but for those that were corrected since. */
    setAside(form: HTMLFormElement, review: Review) {
      const typed = correctionsIn(form, review, false);
      const isMended = new Set(typed.map(({ ligne }) => ligne));
      const aside = review.preview.fautives.filter((ligne) => !isMended.has(ligne));
      return verifyWith([...typed, ...aside.map((ligne) => ({ ligne, cellules: [] }))]);
    },
    takeBack: (form: HTMLFormElement, review: Review) =>
      verifyWith(correctionsIn(form, review).filter(({ cellules }) => cellules.length > 0)),
    importIt: ({ corrections }: Review) =>
      run(async () => {
        if (!file) return;
        const ready = { ...said, corrections };
        try {
          const [, answer] = await send(sendKey, file, ready);
          say(answer.message);
          setDone(answer);
          choice.reset();
          await answers.invalidateQueries();
        } catch (error) {
          // Data that the file refers to changed since the preview: a new preview shows which lines are faulty now.
          if (error instanceof CallError && error.status === 422) await verify(file, ready);
          throw error;
        }
      }, FAILURE),
    /** Clears the preview and the result, which no longer apply. */
    forget(): void {
      setKnown(undefined);
      setDone(undefined);
    },
  };
}

function saidOf({ corrections, answers, reading, titres }: Said): Said {
  return { corrections, answers, reading, titres };
}

/** What may be said of a file that is refused, so that it is read otherwise; undefined when there is nothing. */
function titlesIn(error: unknown): ReadTitles | undefined {
  if (!(error instanceof CallError)) return undefined;
  const { titres = [], libres = [], lu } = (error.answer ?? {}) as Partial<Known>;
  return titres.length > 0 || lu ? { titres, libres, lu, missing: error.champs.file ?? '' } : undefined;
}

const DAYS = ['date_debut', 'date_fin'];

/** A preview in which days are written as people write them, not as a workbook stores them. */
function inFrench(preview: ImportPreview): ImportPreview {
  const shown = <L extends { cellules: string[] }>(line: L): L => ({
    ...line,
    cellules: line.cellules.map((cell, place) =>
      DAYS.includes(preview.colonnes[place] ?? '') ? frenchDate(cell) : cell,
    ),
  });
  return { ...preview, fautes: preview.fautes.map(shown), extrait: preview.extrait.map(shown) };
}

/** « 20/06/2026 » for `2026-06-20`; any other text stays as it is. */
function frenchDate(text: string): string {
  return text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1');
}

/**
 * Throws when the file was saved again or removed since it was chosen: browsers refuse to read it then, and the upload
 * would only fail as if the server had not answered.
 */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new CallError(0, CHANGED, { file: CHANGED });
  }
}

/** A random name, made without `randomUUID`, which is missing where the site is not under https. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** A line as corrected on screen; a line without cells is left out of the import. */
export interface Correction {
  ligne: number;
  cellules: string[];
}

/** Names of the form controls of a faulty line: its cells, and below, its checkbox for leaving it out. */
export function cellName(line: number, column: number): string {
  return `ligne-${line}-${column}`;
}
export function asideName(line: number): string {
  return `ligne-${line}-de-cote`;
}

/**
 * The corrections in the form, merged over those made before this preview. A fault of a whole line may come from cells
 * that are not shown: with `isSeen` the cells shown then count as its correction, even unchanged.
 */
function correctionsIn(
  form: HTMLFormElement,
  { preview: { fautes, colonnes }, corrections: before }: Review,
  isSeen = true,
): Correction[] {
  const texts = textsOf(form);
  const corrections = new Map(before.map((correction) => [correction.ligne, correction]));
  for (const { ligne, cellules, raisons } of fautes) {
    // A line that only waits for an answer has no fields.
    if (texts[cellName(ligne, 0)] === undefined) continue;
    const isAside = texts[asideName(ligne)] !== undefined;
    const typed = colonnes.map((_, column) => texts[cellName(ligne, column)] ?? '');
    if (isAside) corrections.set(ligne, { ligne, cellules: [] });
    else if (
      (isSeen && raisons.some(({ colonne }) => colonne === '')) ||
      typed.some((text, column) => text !== cellules[column])
    ) {
      corrections.set(ligne, { ligne, cellules: typed });
    }
  }
  return [...corrections.values()];
}

/** Numbers of the lines that are faulty until a question is answered. */
export function linesAsking({ questions }: ImportPreview): Set<number> {
  const waiting = questions.filter(({ obligatoire, reponse }) => obligatoire && reponse === '');
  return new Set(
    waiting.flatMap(({ lignes }) => lignes.flatMap(({ ligne, reponse }) => (reponse === '' ? [ligne] : []))),
  );
}

/** « 3 séjours », « 1 200 séjours créés »: every word agrees. */
export function countOf(count: number, words: string): string {
  const agreed = count > 1 ? words.replace(/\S+/g, '$&s') : words;
  return `${numberText(count)}\u00a0${agreed}`;
}

/** Calls and texts in which the imports of the kinds differ. */
export interface ImportTexts {
  genre: ImportKind;
  send: 'POST /uploadSejour' | 'POST /upload' | 'POST /uploadDirecteurs';
  /** What one line of the file describes, in the singular. */
  noun: string;
  /** What columns hold, by their wire names. */
  required: Readonly<Record<string, string>>;
  optional: Readonly<Record<string, string>>;
  next: readonly { to: string; label: string }[];
}
type SentAs = ImportTexts['send'] | `${ImportTexts['send']}/apercu`;

const DATES = 'Par exemple 06/07/2026.';
const PASSWORDS = `${STAY_PASSWORD_MIN} lettres et chiffres mêlés au moins, et un autre pour chaque colonne et chaque séjour. Sans lui, le site en crée un, ou garde celui qu’il a.`;
const SOME_DATES = `${DATES} Où plusieurs séjours portent ce nom, elle dit lequel.`;

const stayOf = (nom_stage: string) => ({
  nom_stage,
  date_debut: SOME_DATES,
  date_fin: SOME_DATES,
  stageId: 'Peut tenir lieu du nom et des dates du séjour.',
});

export const STAY_IMPORT: ImportTexts = {
  genre: 'sejours',
  send: 'POST /uploadSejour',
  noun: 'séjour',
  required: {
    nom_stage:
      'Avec ses deux dates, il dit de quel séjour il s’agit\u202f: un séjour connu n’est pas créé deux fois.',
    date_debut: DATES,
    date_fin: DATES,
  },
  optional: { mdp_formateur: PASSWORDS, mdp_stagiaire: PASSWORDS },
  next: [
    { to: panelAddress('familles-importer'), label: 'Importer des familles' },
    { to: panelAddress('directeurs'), label: 'Nommer les directeurs' },
    { to: panelAddress('mots-de-passe'), label: 'Voir les mots de passe' },
  ],
};

export const FAMILY_IMPORT: ImportTexts = {
  genre: 'familles',
  send: 'POST /upload',
  noun: 'enfant',
  required: {
    nom: 'Celui de l’enfant.',
    prenom: 'Celui de l’enfant.',
    email: 'Celui d’un responsable légal. Sans lui, la famille reçoit une étiquette.',
  },
  optional: {
    email_2: 'Celui d’un autre responsable légal.',
    consentement_image: 'Oui ou non\u202f; sans réponse, inconnu.',
    ...stayOf(
      'Comme dans la liste des séjours. Sans cette colonne, le site demande de quel séjour il s’agit.',
    ),
  },
  next: [
    { to: panelAddress('familles'), label: 'Voir les familles' },
    { to: panelAddress('direction-importer'), label: 'Importer des directeurs' },
    { to: panelAddress('codes-envoyer'), label: 'Envoyer les codes' },
  ],
};

export const DIRECTOR_IMPORT: ImportTexts = {
  genre: 'directeurs',
  send: 'POST /uploadDirecteurs',
  noun: 'directeur',
  required: {
    nom: 'Celui du directeur.',
    prenom: 'Celui du directeur.',
    email: 'Une adresse déjà connue est la même personne, qui est alors mise à jour.',
    telephone: 'Pour le joindre pendant le séjour.',
  },
  optional: {
    cat: 'Centre ou séjour\u202f; sans réponse, séjour.',
    ...stayOf('Le séjour à lui confier, comme dans la liste des séjours. Une ligne par séjour.'),
  },
  next: [
    { to: panelAddress('directeurs'), label: 'Voir les directeurs' },
    { to: panelAddress('codes-envoyer'), label: 'Envoyer les codes' },
  ],
};
