import { useState } from 'react';
import { StayOptions } from '#features/stays/web/StaySelect.tsx';
import { STAYS } from '#features/stays/web/stays.ts';
import { ENCODINGS, type Encoding } from '#platform/shared/encodings.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useArrivalFocus } from '#platform/web/ui/arrival.ts';
import { Dropdown, Options, Tick } from '#platform/web/ui/Field.tsx';
import type { ImportPreview, ImportQuestion, ReadFile } from '../calls.ts';
import { namedLines } from './ImportReview.tsx';
import { type Answer, countOf, linesAsking, type ReadingChoice } from './useImport.ts';

/* What the site made of a file, for the person to say otherwise: what was read of it, and what it asks. */

interface WhatWasReadProps {
  lu: ReadFile;
  onChoose(change: ReadingChoice): void;
}

/** Which sheet of a file was read, from which line on, and what else it has, to be read instead. */
export function WhatWasRead({ lu, onChoose }: WhatWasReadProps) {
  const { feuille, feuilles, encodage, masquees, masquees_lues } = lu;
  const others = feuilles.filter(({ nom }) => nom !== feuille);
  return (
    <section className="well">
      <h2 className="text-xl">Ce qui est lu</h2>
      <p className="mt-2 max-w-prose wrap-anywhere">{sentencesOn(lu, others).join(' ')}</p>
      <div className="mt-3 grid gap-x-8 gap-y-4 empty:hidden sm:grid-cols-2">
        {others.length > 0 && (
          <Dropdown
            label="Lire une autre feuille"
            value={feuille ?? ''}
            onChoose={(nom) => onChoose({ feuille: nom })}
          >
            {feuilles.map(({ nom, lignes, masquee }) => (
              <option key={nom} value={nom}>
                {`${nom} (${countOf(lignes, 'ligne')}${masquee ? ', masquée' : ''})`}
              </option>
            ))}
          </Dropdown>
        )}
        {encodage && encodage !== 'utf-8' && (
          <Dropdown
            label="Encodage"
            value={encodage}
            help="À changer si les accents ne sont pas les bons."
            onChoose={(value) => onChoose({ encodage: value as Encoding })}
          >
            <Options labels={ENCODINGS} />
          </Dropdown>
        )}
        {masquees.length > 0 && (
          <Tick
            checked={masquees_lues}
            onChange={({ target }) => onChoose({ masquees_lues: target.checked })}
          >
            Lire aussi les lignes masquées
          </Tick>
        )}
      </div>
    </section>
  );
}

function sentencesOn(
  { feuille, encodage, ligne_titres, passees, masquees, masquees_lues, colonnes_masquees }: ReadFile,
  others: ReadFile['feuilles'],
): string[] {
  const where = [
    feuille !== null && `Feuille ${quoted([feuille])}`,
    encodage && `Texte en ${ENCODINGS[encodage]}`,
    ligne_titres !== null && `titres à la ligne ${ligne_titres}`,
  ];
  return [
    `${where.filter(Boolean).join(', ')}.`,
    passees.length > 0 && `Au-dessus, sans être lu\u202f: ${quoted(passees)}.`,
    masquees.length > 0 &&
      `${masquees_lues ? 'Lues aussi, quoique masquées' : 'Masquées dans le tableur, et laissées de côté'}\u202f: ${masquees.length > 1 ? 'lignes' : 'ligne'} ${namedLines(masquees)}.`,
    colonnes_masquees.length > 0 &&
      `Masquées dans le tableur, et lues comme les autres\u202f: colonnes ${new Intl.ListFormat('fr').format(colonnes_masquees)}.`,
    others.length > 0 && `D’autres feuilles ne sont pas lues\u202f: ${quoted(others.map(({ nom }) => nom))}.`,
  ].filter((sentence) => sentence !== false);
}

function quoted(texts: readonly string[]): string {
  return new Intl.ListFormat('fr').format(texts.map((text) => `«\u00a0${text}\u00a0»`));
}

interface QuestionsProps {
  preview: ImportPreview;
  /** The answers given since, which the questions may not have yet. */
  answers: readonly Answer[];
  onAnswer(answer: Answer): void;
}

/** What a file asks: which stay it means, what a word says, whether something may be taken back. */
export function Questions({ preview, answers, onAnswer }: QuestionsProps) {
  const { questions } = preview;
  const [isFirstAsked] = useState(linesAsking(preview).size > 0);
  const heading = useArrivalFocus(isFirstAsked);
  return (
    <section className="well [&_select]:max-w-xl">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl">
        Ce fichier pose des questions
      </h2>
      <ul className="mt-3 flex flex-col gap-5">
        {questions.map((question) => (
          <li key={question.question}>
            <Question
              question={question}
              answerOf={(ligne) => {
                const said = answers.find(
                  (one) => one.question === question.question && one.ligne === ligne,
                )?.reponse;
                const known =
                  ligne === undefined ? question : question.lignes.find((one) => one.ligne === ligne);
                return said ?? known?.reponse ?? '';
              }}
              onAnswer={(reponse, ligne) => onAnswer({ question: question.question, ligne, reponse })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Lines of a question that are shown openly, as samples. */
const SAMPLES = 3;

interface QuestionProps {
  question: ImportQuestion;
  answerOf(ligne?: number): string;
  onAnswer(reponse: string, ligne?: number): void;
}

function Question({ question, answerOf, onAnswer }: QuestionProps) {
  const { texte, choix, lignes, nombre, retenu, obligatoire, une_a_une } = question;
  const [isOpen, setOpen] = useState(false);
  const isSeveral = une_a_une && nombre > 1;
  const isMissing = obligatoire && answerOf() === '' && lignes.some(({ ligne }) => answerOf(ligne) === '');
  const all = nombre > 1 ? `Pour les ${countOf(nombre, 'ligne')}` : `Ligne ${lignes[0]?.ligne}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="font-semibold wrap-anywhere">
        {texte}
        {isMissing && <span className="font-normal text-coral"> Une réponse est attendue.</span>}
      </p>
      <Choice
        label={all}
        choix={choix}
        value={answerOf()}
        help={retenu ? 'Reconnu d’après un import précédent.' : undefined}
        onChoose={(reponse) => onAnswer(reponse)}
      />
      {isSeveral ? (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="w-fit cursor-pointer py-2.5">Voir chaque ligne, ou répondre autrement</summary>
          {isOpen && (
            <ul className="flex flex-col gap-3">
              {lignes.map(({ ligne, texte: about }) => (
                <li key={ligne}>
                  <Choice
                    label={`Ligne ${ligne}\u202f: ${about}`}
                    choix={choix}
                    value={answerOf(ligne) || (choix.length === 1 ? answerOf() : '')}
                    unsaid="Comme les autres"
                    onChoose={(reponse) => onAnswer(reponse, ligne)}
                  />
                </li>
              ))}
            </ul>
          )}
        </details>
      ) : (
        <p className="text-sm text-quiet wrap-anywhere">
          {lignes
            .slice(0, SAMPLES)
            .map(({ ligne, texte: about }) => (nombre > 1 ? `${about} (ligne ${ligne})` : about))
            .join(', ')}
          {nombre > SAMPLES && '…'}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  choix: ImportQuestion['choix'];
  value: string;
  help?: string | undefined;
  /** What the dropdown says while nothing is chosen. */
  unsaid?: string;
  onChoose(reponse: string): void;
}

/** One answer: a tick where there is one choice, else a dropdown; of stays where there is none. */
function Choice({ label, choix, value, help, unsaid = 'Choisissez…', onChoose }: ChoiceProps) {
  const { data: stays = [] } = useQuestion(STAYS, { isAsked: choix.length === 0 });
  const [only, ...others] = choix;
  if (only && others.length === 0)
    return (
      <Tick
        className="wrap-anywhere"
        checked={value === only.valeur}
        onChange={({ target }) => onChoose(target.checked ? only.valeur : 'non')}
      >
        {only.texte}, {label.charAt(0).toLowerCase() + label.slice(1)}
      </Tick>
    );
  return (
    <Dropdown label={label} value={value} help={help} onChoose={onChoose}>
      <option value="">{unsaid}</option>
      {choix.map(({ valeur, texte }) => (
        <option key={valeur} value={valeur}>
          {texte}
        </option>
      ))}
      {!only && (
        <>
          <StayOptions stays={stays} />
          <option value="laisser">Laisser de côté</option>
        </>
      )}
    </Dropdown>
  );
}
