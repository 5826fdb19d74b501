import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type ImportKind, STAY_PASSWORD_MIN } from '#features/stays/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { TABLES, useFileChoice } from '#platform/web/ui/files.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import type { AskedTitles, ImportPreview, ReadFile } from '../calls.ts';

/** A preview, with the file and corrections that it was made from. */
export interface Review {
  /** Unique name of the request that made it. */
  key: string;
  file: File;
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

/** What is known of a file: the headers that the site does not know by itself, and what was answered. */
export interface Titles extends AskedTitles {
  file: File;
  /** What was read of it; undefined when it could not be opened. */
  lu: ReadFile | undefined;
  answers: readonly Answer[];
  /** Why the file cannot be read as it is; undefined when it can. */
  missing: string | undefined;
}

/** What else of a file may be read: another sheet, hidden lines, another encoding. */
export type ReadingChoice = Partial<Pick<ReadFile, 'feuille' | 'encodage' | 'masquees_lues'>>;

/** A file being sent, read or stored. */
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
export function useImport(texts: ImportTexts) {
  const choice = useFileChoice(TABLES);
  const [reviewed, setReviewed] = useState<Review>();
  const [done, setDone] = useState<ReplyOf<'POST /upload'>>();
  const [sending, setSending] = useState<Sending>();
  const [isTyped, setTyped] = useState(false);
  const [known, setKnown] = useState<Titles>();
  /** What the person said last of the file: it may change while it is being sent. */
  const wanted = useRef<Said>(NOTHING_SAID);
  const reading = useRef<ReadingChoice>({});
  const answers = useQueryClient();
  const confirm = useConfirm();
  const { say } = useNotices();
  const { run } = useAction();
  const { file } = choice;
  // A preview of another file no longer applies.
  const review = reviewed?.file === file ? reviewed : undefined;
  const titles = known?.file === file ? known : undefined;
  const stay = useSearch().get('sejour');
  const said: Said = titles ?? (stay ? { answers: [{ question: 'sejour', reponse: stay }] } : NOTHING_SAID);
  const hasCorrections = review !== undefined && (isTyped || review.corrections.length > 0);
  useUnsaved(hasCorrections, 'Vos corrections seront perdues.');
  useUnsaved(sending !== undefined, 'Le fichier en cours de traitement ne sera peut-être pas importé.');

  async function send<K extends ImportTexts['preview' | 'send']>(
    key: K,
    sent: File,
    corrections: readonly Correction[],
    said: Said,
  ): Promise<{ name: string; answer: ReplyOf<K> }> {
    await requireReadable(sent);
    const name = newName();
    const body = new FormData();
    body.append('suivi', name);
    if (corrections.length > 0) body.append('corrections', JSON.stringify(corrections));
    const { titres, answers: given } = said;
    if (titres)
      body.append('titres', JSON.stringify(titres.map(({ titre, colonne }) => ({ titre, colonne }))));
    if (given.length > 0) body.append('reponses', JSON.stringify(given));
    const { feuille, encodage, masquees_lues } = reading.current;
    if (feuille) body.append('feuille', feuille);
    if (encodage) body.append('encodage', encodage);
    if (masquees_lues) body.append('masquees', 'lire');
    body.append('file', sent);
    setSending({ key: name, part: 0 });
    try {
      const onSent = (part: number) => setSending({ key: name, part });
      return {
        name,
        answer: (await call<ImportTexts['preview' | 'send']>(key, { body, onSent })) as ReplyOf<K>,
      };
    } finally {
      setSending(undefined);
    }
  }

  /** Has a file previewed; when it lacks columns, but has headers to match, these are asked about instead. */
  async function verify(sent: File, corrections: Correction[], said: Said, isAsked = true): Promise<void> {
    wanted.current = said;
    const take = ({ titres, libres, lu }: Omit<Titles, 'file' | 'missing' | 'answers'>, missing?: string) => {
      if (wanted.current === said)
        setKnown({ file: sent, titres, libres, lu, missing, answers: said.answers });
      setTyped(false);
      setDone(undefined);
    };
    try {
      const { name, answer } = await send(texts.preview, sent, corrections, said);
      setReviewed((before) => ({
        ...{ key: name, file: sent, corrections, preview: inFrench(answer), isAsked },
        askedKey: isAsked ? name : (before?.askedKey ?? name),
      }));
      take(answer);
    } catch (error) {
      const asked = titlesIn(error);
      if (!asked) throw error;
      setReviewed(undefined);
      take(asked, asked.missing);
      // Beside the file, where there is no header to ask about.
      if (asked.titres.length === 0) throw error;
    }
  }

  /** Previews the file anew with what is said now; a preview under way is followed by one of what was said last. */
  function sayAnew(sent: File, said: Titles, corrections: Correction[]) {
    wanted.current = said;
    setKnown(said);
    return run(async () => {
      let tried: Said;
      do {
        tried = wanted.current;
        try {
          await verify(sent, corrections, tried, false);
        } catch (error) {
          // What is shown would be imported otherwise than it says now.
          setReviewed(undefined);
          throw error;
        }
      } while (wanted.current !== tried);
    }, FAILURE);
  }

  /** Whether corrections may be lost, if there are any. */
  const mayLoseCorrections = async (question: string, yes: string) =>
    !hasCorrections || (await confirm({ question, consequence: 'Vos corrections seront perdues.', yes }));

  const { form, errors } = useForm({
    send: async (element) => {
      if (!file || sending) return;
      const corrections = review ? correctionsIn(element, review.preview, review.corrections) : [];
      await verify(file, corrections, said);
    },
    onDone: () => {},
    failure: FAILURE,
  });

  return {
    form,
    error: choice.trouble ?? errors.file,
    file,
    review,
    titles,
    done,
    sending,
    onTyped: () => setTyped(true),
    async choose(chosen: File | undefined): Promise<void> {
      if (!(await mayLoseCorrections('Changer de fichier\u202f?', 'Changer'))) return;
      reading.current = {};
      choice.choose(chosen);
    },
    /** Has the file previewed anew as it is read otherwise; what was said of headers is that of another sheet then. */
    async readOtherwise(change: ReadingChoice): Promise<void> {
      if (!file || !(await mayLoseCorrections('Lire ce fichier autrement\u202f?', 'Lire autrement'))) return;
      reading.current = { ...reading.current, ...change };
      if (titles?.lu) setKnown({ ...titles, lu: { ...titles.lu, ...change } });
      const kept = 'feuille' in change ? NOTHING_SAID : said;
      await run(() => verify(file, [], kept, false), FAILURE);
    },
    /** Says what a header stands for, and previews the file anew. The cells of corrections are those of other columns. */
    async match(titre: string, colonne: string): Promise<void> {
      if (!file || !titles) return;
      if (!(await mayLoseCorrections('Changer ce que dit cette colonne\u202f?', 'Changer'))) return;
      const titres = titles.titres.map((one) =>
        one.titre === titre ? { ...one, colonne, retenu: false } : one,
      );
      await sayAnew(file, { ...titles, titres }, []);
    },
    /** Answers a question of the file, and previews it anew with the corrections made so far. */
    async answer(form: HTMLFormElement, { preview, corrections }: Review, answer: Answer): Promise<void> {
      if (!file || !titles) return;
      const others = titles.answers.filter(
        ({ question, ligne }) => question !== answer.question || ligne !== answer.ligne,
      );
      const typed = correctionsIn(form, preview, corrections, false);
      await sayAnew(file, { ...titles, answers: [...others, answer] }, typed);
    },
    /** Previews the file with all lines set aside that are faulty, but for those that were corrected since. */
    setAside: (form: HTMLFormElement, { file, preview, corrections }: Review) =>
      run(() => {
        const typed = correctionsIn(form, preview, corrections, false);
        const isMended = new Set(typed.map(({ ligne }) => ligne));
        const aside = preview.fautives.filter((ligne) => !isMended.has(ligne));
        const all = [...typed, ...aside.map((ligne) => ({ ligne, cellules: [] }))];
        return verify(file, all, said);
      }, FAILURE),
    /** Previews the file with the lines again that were set aside. */
    takeBack: (form: HTMLFormElement, { file, preview, corrections }: Review) =>
      run(() => {
        const all = correctionsIn(form, preview, corrections).filter(({ cellules }) => cellules.length > 0);
        return verify(file, all, said);
      }, FAILURE),
    importIt: (ready: Review) =>
      run(async () => {
        try {
          const { answer } = await send(texts.send, ready.file, ready.corrections, said);
          say(answer.message);
          setDone(answer);
          choice.reset();
          await answers.invalidateQueries();
        } catch (error) {
          // Data that the file refers to changed since the preview: a new preview shows which lines are faulty now.
          if (error instanceof CallError && error.status === 422)
            await verify(ready.file, ready.corrections, said);
          throw error;
        }
      }, FAILURE),
    /** Clears the preview and the result, which no longer apply. */
    forget(): void {
      setReviewed(undefined);
      setKnown(undefined);
      setDone(undefined);
    },
  };
}

/** What the person said of a file; no `titres` while nothing is known of its headers. */
type Said = Pick<Titles, 'answers'> & Partial<Pick<Titles, 'titres'>>;
const NOTHING_SAID: Said = { answers: [] };

/** What may be said of a file that is refused, so that it is read otherwise; undefined when there is nothing. */
function titlesIn(error: unknown): (Omit<Titles, 'file' | 'answers'> & { missing: string }) | undefined {
  if (!(error instanceof CallError)) return undefined;
  const { titres = [], libres = [], lu } = (error.answer ?? {}) as Partial<Titles>;
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
  { fautes, colonnes }: Pick<ImportPreview, 'fautes' | 'colonnes'>,
  before: readonly Correction[],
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
  preview: 'POST /uploadSejour/apercu' | 'POST /upload/apercu' | 'POST /uploadDirecteurs/apercu';
  send: 'POST /uploadSejour' | 'POST /upload' | 'POST /uploadDirecteurs';
  /** What one line of the file describes, in the singular. */
  noun: string;
  columns: readonly { name: string; isRequired: boolean; help: string }[];
  /** Links to the next tasks after an import. */
  next: readonly { to: string; label: string }[];
}

const DATES = 'Par exemple 06/07/2026.';
const PASSWORDS = `${STAY_PASSWORD_MIN} lettres et chiffres mêlés au moins, et un autre pour chaque colonne et chaque séjour. Sans lui, le site en crée un, ou garde celui qu’il a.`;

export const STAY_IMPORT: ImportTexts = {
  genre: 'sejours',
  preview: 'POST /uploadSejour/apercu',
  send: 'POST /uploadSejour',
  noun: 'séjour',
  columns: [
    {
      name: 'nom_stage',
      isRequired: true,
      help: 'Avec ses deux dates, il dit de quel séjour il s’agit\u202f: un séjour connu n’est pas créé deux fois.',
    },
    { name: 'date_debut', isRequired: true, help: DATES },
    { name: 'date_fin', isRequired: true, help: DATES },
    { name: 'mdp_formateur', isRequired: false, help: PASSWORDS },
    { name: 'mdp_stagiaire', isRequired: false, help: PASSWORDS },
  ],
  next: [
    { to: panelAddress('familles-importer'), label: 'Importer des familles' },
    { to: panelAddress('directeurs'), label: 'Nommer les directeurs' },
    { to: panelAddress('mots-de-passe'), label: 'Voir les mots de passe' },
  ],
};

const STAY_OF_CHILD =
  'Comme dans la liste des séjours. Sans cette colonne, le site demande de quel séjour il s’agit.';

const SOME_DATES = `${DATES} Où plusieurs séjours portent ce nom, elle dit lequel.`;
const NUMBER = 'Peut tenir lieu du nom et des dates du séjour.';

export const FAMILY_IMPORT: ImportTexts = {
  genre: 'familles',
  preview: 'POST /upload/apercu',
  send: 'POST /upload',
  noun: 'enfant',
  columns: [
    { name: 'nom', isRequired: true, help: 'Celui de l’enfant.' },
    { name: 'prenom', isRequired: true, help: 'Celui de l’enfant.' },
    {
      name: 'email',
      isRequired: true,
      help: 'Celui d’un responsable légal. Sans lui, la famille reçoit son code par étiquette.',
    },
    { name: 'email_2', isRequired: false, help: 'Celui d’un autre responsable légal.' },
    { name: 'consentement_image', isRequired: false, help: 'Oui ou non\u202f; sans réponse, inconnu.' },
    { name: 'nom_stage', isRequired: false, help: STAY_OF_CHILD },
    { name: 'date_debut', isRequired: false, help: SOME_DATES },
    { name: 'date_fin', isRequired: false, help: SOME_DATES },
    { name: 'stageId', isRequired: false, help: NUMBER },
  ],
  next: [
    { to: panelAddress('familles'), label: 'Voir les familles' },
    { to: panelAddress('direction-importer'), label: 'Importer des directeurs' },
    { to: panelAddress('codes-envoyer'), label: 'Envoyer les codes' },
  ],
};

const STAY_OF_DIRECTOR = 'Le séjour à lui confier, comme dans la liste des séjours. Une ligne par séjour.';

export const DIRECTOR_IMPORT: ImportTexts = {
  genre: 'directeurs',
  preview: 'POST /uploadDirecteurs/apercu',
  send: 'POST /uploadDirecteurs',
  noun: 'directeur',
  columns: [
    { name: 'nom', isRequired: true, help: 'Celui du directeur.' },
    { name: 'prenom', isRequired: true, help: 'Celui du directeur.' },
    {
      name: 'email',
      isRequired: true,
      help: 'Une adresse déjà connue est la même personne, qui est alors mise à jour.',
    },
    { name: 'telephone', isRequired: true, help: 'Pour le joindre pendant le séjour.' },
    { name: 'cat', isRequired: false, help: 'Centre ou séjour\u202f; sans réponse, séjour.' },
    { name: 'nom_stage', isRequired: false, help: STAY_OF_DIRECTOR },
    { name: 'date_debut', isRequired: false, help: SOME_DATES },
    { name: 'date_fin', isRequired: false, help: SOME_DATES },
    { name: 'stageId', isRequired: false, help: NUMBER },
  ],
  next: [
    { to: panelAddress('directeurs'), label: 'Voir les directeurs' },
    { to: panelAddress('codes-envoyer'), label: 'Envoyer les codes' },
  ],
};
