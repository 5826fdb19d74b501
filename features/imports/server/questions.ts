import type { ImportQuestion } from '../calls.ts';

/** What a file asks of its sender: which stay it means, what a word says, whether something may be taken back. */
export interface Questions {
  /** Counts a line that asks, and returns the answer that holds for it; blank for none. */
  ask(asked: Asked, line: AskingLine): string;
  list(): ImportQuestion[];
  /** The answers to be remembered for other files, by question. */
  kept(): [question: string, reponse: string][];
}

export interface Asked {
  /** Its name, the same in every file for a question that is remembered. */
  question: string;
  texte: string;
  /** As in `ImportQuestion`. */
  choix: ImportQuestion['choix'];
  /** Without an answer its lines are faulty; otherwise they do without what is asked for. */
  obligatoire?: boolean;
  /** Each line may have an answer of its own. */
  une_a_une?: boolean;
  isKept?: boolean;
}

export interface AskingLine {
  ligne: number;
  /** What it is about, as one reads it: « Léa Martin : oui → non ». */
  texte: string;
}

/** The answer to a required question that leaves its lines aside, and why they are. */
export const LEAVE = 'laisser';
export const LEAVING = { valeur: LEAVE, texte: 'Laisser de côté' };
export const LEFT = 'laissée de côté avec ce qui était demandé.';

/** Number of lines that a question names; `nombre` counts all of them. */
const LINES_NAMED = 1_000;

/** Answers by `answerKey`; a blank one is none, even where one is remembered. */
export type Answers = ReadonlyMap<string, string>;

export function answerKey(question: string, ligne?: number): string {
  return ligne === undefined ? question : `${question} ${ligne}`;
}

/** `remembered`: what was answered for earlier files. */
export function openQuestions(answers: Answers, remembered: Answers): Questions {
  const asked = new Map<string, ImportQuestion & { isKept: boolean }>();
  return {
    ask({ question, isKept = false, ...about }, { ligne, texte }) {
      const { choix, obligatoire = false, une_a_une = false } = about;
      const said = answers.get(question);
      const recalled = isKept ? remembered.get(question) : undefined;
      const reponse = said ?? recalled ?? '';
      const found: ImportQuestion & { isKept: boolean } = asked.get(question) ?? {
        ...{ question, texte: about.texte, choix, obligatoire, une_a_une, reponse, isKept },
        ...{ retenu: said === undefined && recalled !== undefined, nombre: 0, lignes: [] },
      };
      asked.set(question, found);
      found.nombre++;
      const own = une_a_une ? answers.get(answerKey(question, ligne)) : undefined;
      if (found.lignes.length < LINES_NAMED) found.lignes.push({ ligne, texte, reponse: own ?? '' });
      return own || reponse;
    },
    list: () => [...asked.values()].map(({ isKept: _, ...one }) => one),
    kept: () =>
      [...asked.values()].flatMap(({ isKept, question, reponse }) =>
        isKept && reponse !== LEAVE ? [[question, reponse]] : [],
      ),
  };
}
