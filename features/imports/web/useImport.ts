import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportPreview } from '#features/imports/calls.ts';
import { type ImportKind, STAY_PASSWORD_MIN } from '#features/stays/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { TABLES, useFileChoice } from '#platform/web/ui/files.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';

/** A preview, with the file and corrections that it was made from. */
export interface Review {
  /** Unique name of the request that made it. */
  key: string;
  file: File;
  corrections: Correction[];
  preview: ImportPreview;
}

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
  const answers = useQueryClient();
  const confirm = useConfirm();
  const { say } = useNotices();
  const { run } = useAction();
  const { file } = choice;
  // A preview of another file no longer applies.
  const review = reviewed?.file === file ? reviewed : undefined;
  const hasCorrections = review !== undefined && (isTyped || review.corrections.length > 0);
  useUnsaved(hasCorrections, 'Vos corrections seront perdues.');
  useUnsaved(sending !== undefined, 'Le fichier en cours de traitement ne sera peut-être pas importé.');

  async function send<K extends ImportTexts['preview' | 'send']>(
    key: K,
    sent: File,
    corrections: readonly Correction[],
  ): Promise<{ name: string; answer: ReplyOf<K> }> {
    await requireReadable(sent);
    const name = newName();
    const body = new FormData();
    body.append('suivi', name);
    if (corrections.length > 0) body.append('corrections', JSON.stringify(corrections));
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

  async function verify(sent: File, corrections: Correction[]): Promise<void> {
    const { name, answer } = await send(texts.preview, sent, corrections);
    setReviewed({ key: name, file: sent, corrections, preview: answer });
    setTyped(false);
    setDone(undefined);
  }

  const { form, errors } = useForm({
    send: async (element) => {
      if (!file || sending) return;
      await verify(file, review ? correctionsIn(element, review.preview, review.corrections) : []);
    },
    onDone: () => {},
    failure: FAILURE,
  });

  return {
    form,
    error: choice.trouble ?? errors.file,
    file,
    review,
    done,
    sending,
    onTyped: () => setTyped(true),
    async choose(chosen: File | undefined): Promise<void> {
      const mayLose =
        !hasCorrections ||
        (await confirm({
          question: 'Changer de fichier\u202f?',
          consequence: 'Vos corrections seront perdues.',
          yes: 'Changer',
        }));
      if (mayLose) choice.choose(chosen);
    },
    importIt: (ready: Review) =>
      run(async () => {
        try {
          const { answer } = await send(texts.send, ready.file, ready.corrections);
          say(answer.message);
          setDone(answer);
          choice.reset();
          await answers.invalidateQueries();
        } catch (error) {
          // Data that the file refers to changed since the preview: a new preview shows which lines are faulty now.
          if (error instanceof CallError && error.status === 422) await verify(ready.file, ready.corrections);
          throw error;
        }
      }, FAILURE),
    /** Clears the preview and the result, which no longer apply. */
    forget(): void {
      setReviewed(undefined);
      setDone(undefined);
    },
  };
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

/** The corrections in the form, merged over those made before this preview. */
function correctionsIn(
  form: HTMLFormElement,
  { fautes, colonnes }: Pick<ImportPreview, 'fautes' | 'colonnes'>,
  before: readonly Correction[],
): Correction[] {
  const texts = textsOf(form);
  const corrections = new Map(before.map((correction) => [correction.ligne, correction]));
  for (const { ligne, cellules, raisons } of fautes) {
    const isAside = texts[asideName(ligne)] !== undefined;
    const typed = colonnes.map((_, column) => texts[cellName(ligne, column)] ?? '');
    if (isAside) corrections.set(ligne, { ligne, cellules: [] });
    // A fault of a whole line may come from cells that are not shown: the shown cells then count as its correction.
    else if (
      raisons.some(({ colonne }) => colonne === '') ||
      typed.some((text, column) => text !== cellules[column])
    ) {
      corrections.set(ligne, { ligne, cellules: typed });
    }
  }
  return [...corrections.values()];
}

/** « 3 séjours », « 1 200 séjours créés »: every word agrees. */
export function countOf(count: number, words: string): string {
  const agreed = count > 1 ? words.replace(/\S+/g, '$&s') : words;
  return `${count.toLocaleString('fr-FR')}\u00a0${agreed}`;
}

/** Ref for the heading of content that has just appeared: it takes the focus and scrolls to the top. */
export function useArrivalFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, []);
  return heading;
}

/** Calls and texts in which the imports of stays and families differ. */
export interface ImportTexts {
  genre: ImportKind;
  preview: 'POST /uploadSejour/apercu' | 'POST /upload/apercu';
  send: 'POST /uploadSejour' | 'POST /upload';
  /** What one line of the file describes, in the singular. */
  noun: string;
  columns: readonly { name: string; isRequired: boolean; help: string }[];
  /** Links to the next tasks after an import. */
  next: readonly { to: string; label: string }[];
}

const DATES = 'Par exemple 06/07/2026 ou 2026-07-06.';
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
  'Comme dans la liste des séjours. Avec ses deux dates, il dit de quel séjour il s’agit.';

export const FAMILY_IMPORT: ImportTexts = {
  genre: 'familles',
  preview: 'POST /upload/apercu',
  send: 'POST /upload',
  noun: 'enfant',
  columns: [
    { name: 'nom', isRequired: true, help: 'Celui de l’enfant.' },
    { name: 'prenom', isRequired: true, help: 'Celui de l’enfant.' },
    { name: 'email', isRequired: true, help: 'Celui d’un responsable légal.' },
    { name: 'email_2', isRequired: false, help: 'Celui d’un autre responsable légal.' },
    { name: 'consentement_image', isRequired: false, help: 'Oui ou non\u202f; sans réponse, inconnu.' },
    { name: 'nom_stage', isRequired: true, help: STAY_OF_CHILD },
    { name: 'date_debut', isRequired: true, help: DATES },
    { name: 'date_fin', isRequired: true, help: DATES },
    { name: 'stageId', isRequired: false, help: 'Peut tenir lieu du nom et des dates du séjour.' },
  ],
  next: [{ to: panelAddress('familles'), label: 'Voir les familles' }],
};
