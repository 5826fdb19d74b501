import { useQueryClient } from '@tanstack/react-query';
import { FileDown, FileSpreadsheet, FileUp, Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { COLUMN_LABELS } from '#features/stays/shared/terms.ts';
import { atMost, TABLE_BYTES } from '#platform/shared/bytes.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { download } from '#platform/web/download.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useArrivalFocus } from '#platform/web/ui/arrival.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Dropdown } from '#platform/web/ui/Field.tsx';
import { FileZone } from '#platform/web/ui/FileZone.tsx';
import { namedFile, TABLES } from '#platform/web/ui/files.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import type { ImportPreview } from '../calls.ts';
import { hasNews, ImportReview } from './ImportReview.tsx';
import { Questions, WhatWasRead } from './Questions.tsx';
import {
  countOf,
  DIRECTOR_IMPORT,
  FAMILY_IMPORT,
  type ImportTexts,
  type Known,
  type Sending,
  STAY_IMPORT,
  useImport,
} from './useImport.ts';

/** Panel to choose a spreadsheet, preview it before anything is stored, correct it, import it, and undo the import. */
export function ImportPanel({ title, texts }: { title: string; texts: ImportTexts }) {
  const work = useImport(texts);
  const { form, file, error, known, sending, done } = work;
  const review = known?.review;
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const isBusy = sending !== undefined;
  return (
    <div className="flex max-w-4xl flex-col gap-8">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <ImportGuide texts={texts} />
      <form {...form} className="flex flex-col gap-8">
        <div inert={isBusy}>
          <FileZone
            label="Fichier à importer"
            name="file"
            accept={TABLES.accept}
            isRequired
            isFilled={file !== undefined}
            action={file ? 'Changer de fichier' : 'Choisir un fichier'}
            Icon={FileUp}
            opener={opener}
            help={`Déposez un fichier ici. CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods), ${atMost(TABLE_BYTES)}.`}
            errors={[error]}
            onFiles={([chosen]) => work.choose(chosen)}
          >
            {file && (
              <p className="flex items-center gap-2 wrap-anywhere">
                <FileSpreadsheet className="size-6 shrink-0 text-pine" />
                {namedFile(file)}
              </p>
            )}
          </FileZone>
        </div>
        {known?.lu && (
          <div inert={isBusy}>
            <WhatWasRead lu={known.lu} onChoose={work.readOtherwise} />
          </div>
        )}
        {known && known.titres.length > 0 && <TitleMatches known={known} onMatch={work.match} />}
        {known && review && review.preview.questions.length > 0 && (
          <Questions
            key={review.askedKey}
            preview={review.preview}
            answers={known.answers}
            onAnswer={(answer) => form.ref.current && work.answer(form.ref.current, review, answer)}
          />
        )}
        {review && (
          // The scroll margin keeps a focused field from being hidden under the bar at the bottom.
          <div inert={isBusy} className="[&_:is(input,select,textarea,summary)]:scroll-mb-32">
            <ImportReview
              key={review.key}
              review={review}
              onTyped={work.onTyped}
              onSetAside={(form) => work.setAside(form, review)}
              onTakeBack={(form) => work.takeBack(form, review)}
            />
          </div>
        )}
        <div
          className={
            review && 'sticky bottom-(--phone-bar) z-10 -mx-2 border-t border-mist bg-paper px-2 py-3'
          }
        >
          <ImportProgress sending={sending} />
          <div className="flex flex-wrap items-center gap-3">
            {(!review || review.preview.erreurs > 0) && (
              <Button type="submit" aria-disabled={isBusy}>
                {review ? 'Vérifier de nouveau' : 'Vérifier le fichier'}
              </Button>
            )}
            {review && (
              <ImportButton
                obstacle={obstacleTo(review.preview)}
                isBusy={isBusy}
                onImport={() => work.importIt(review)}
              />
            )}
          </div>
        </div>
      </form>
      {done && <ImportDone key={done.id} done={done} texts={texts} />}
      <LastImport
        texts={texts}
        onUndone={() => {
          work.forget();
          heading.current?.focus({ preventScroll: true });
        }}
      />
    </div>
  );
}

/**
 * The headers that the site does not know, each with a dropdown of what it may stand for. Folded while all of them may
 * stay unread: most files have columns that are nobody's business here.
 */
function TitleMatches({ known, onMatch }: { known: Known; onMatch(titre: string, colonne: string): void }) {
  const { titres, libres, missing } = known;
  const unread = titres.filter(({ colonne }) => colonne === '');
  const [isOpen, setOpen] = useState(missing !== undefined || unread.length < titres.length);
  const [isFirstAsked] = useState(missing !== undefined);
  const heading = useArrivalFocus(isFirstAsked);
  return (
    <section className="well">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20 text-xl">
        Titres à reconnaître
      </h2>
      <p role="status" className="mt-2 max-w-prose wrap-anywhere">
        {missing ? sentence(missing) : 'Le fichier a toutes les colonnes nécessaires.'}
      </p>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="mt-1">
        <summary className="w-fit cursor-pointer py-2.5 font-semibold">
          {unread.length > 1 ? `${unread.length} titres ne sont pas lus` : TITLE_COUNTS[unread.length]}
        </summary>
        <p className="max-w-prose text-sm text-quiet">
          Dites ce que contient chaque colonne dont le site ne connaît pas le titre{'\u202f'}: il s’en
          souviendra après l’import.
        </p>
        <ul className="mt-3 grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {titres.map((title) => (
            <li key={title.titre}>
              <TitleMatch
                title={title}
                isGuess={missing !== undefined && libres.includes(title.colonne)}
                columns={libres}
                onChoose={(colonne) => onMatch(title.titre, colonne)}
              />
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

const TITLE_COUNTS = ['Tous les titres sont reconnus', '1 titre n’est pas lu'];

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface TitleMatchProps {
  title: Known['titres'][number];
  /** Whether what it stands for is only seen by its cells. */
  isGuess: boolean;
  /** Wire names of the columns that are free. */
  columns: readonly string[];
  onChoose(colonne: string): void;
}

function TitleMatch({ title, isGuess, columns, onChoose }: TitleMatchProps) {
  const { titre, colonne, retenu, exemples } = title;
  const helps = [
    retenu && 'Reconnu d’après le dernier import.',
    isGuess && 'Deviné d’après ses cellules\u202f: à confirmer, en vérifiant de nouveau.',
    exemples.length > 0 && `Par exemple\u202f: ${exemples.join(' · ')}`,
  ].filter((help) => help !== false);
  // The column chosen for this title is not free any more.
  const names = colonne === '' || columns.includes(colonne) ? columns : [colonne, ...columns];
  return (
    <Dropdown
      label={titre}
      value={colonne}
      help={helps.length > 0 ? helps.join(' ') : undefined}
      onChoose={onChoose}
    >
      <option value="">Ne pas importer</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {COLUMN_LABELS[name] ?? name}
        </option>
      ))}
    </Dropdown>
  );
}

function obstacleTo(preview: ImportPreview): string | undefined {
  if (preview.erreurs > 0) return 'Impossible tant qu’il reste des lignes fautives ou sans réponse.';
  return hasNews(preview) ? undefined : 'Il n’y a rien à importer.';
}

interface ImportButtonProps {
  obstacle: string | undefined;
  isBusy: boolean;
  onImport(): void;
}

function ImportButton({ obstacle, isBusy, onImport }: ImportButtonProps) {
  const id = useId();
  const mayImport = !isBusy && !obstacle;
  return (
    <>
      <Button
        aria-disabled={!mayImport}
        aria-describedby={obstacle && id}
        onClick={() => mayImport && onImport()}
      >
        Importer
      </Button>
      {obstacle && (
        <p id={id} className="text-sm text-quiet">
          {obstacle}
        </p>
      )}
    </>
  );
}

/** The result of an import, with links to the next tasks. Takes the focus when it appears. */
function ImportDone({ done, texts }: { done: ReplyOf<'POST /upload'>; texts: ImportTexts }) {
  const { id, creer, modifier, inchangees, laissees } = done;
  const title = useArrivalFocus();
  return (
    <section className="card p-5">
      <h2 ref={title} tabIndex={-1} className="scroll-mt-20 text-xl">
        Import terminé
      </h2>
      <p className="mt-2">
        {countOf(creer, `${texts.noun} créé`)}, {countOf(modifier, 'modifié')}, {numberText(inchangees)} déjà
        à jour.
      </p>
      {laissees > 0 && <LeftLines id={id} count={laissees} />}
      <ul className="mt-3 flex flex-wrap gap-3">
        {texts.next.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="button quiet">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The lines that an import left aside: to be mended in a spreadsheet, and imported again. */
function LeftLines({ id, count }: { id: number; count: number }) {
  const { isBusy, run } = useAction();
  const fetchLines = () =>
    run(
      () => download('GET /imports/:id/laissees', { params: { id } }),
      'Erreur lors du téléchargement des lignes laissées de côté',
    );
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      {countOf(count, 'ligne laissée')} de côté, avec la raison de chacune.
      <Button quiet aria-disabled={isBusy} onClick={fetchLines}>
        <FileDown className="size-5" />
        Télécharger ces lignes (.xlsx)
      </Button>
    </p>
  );
}

/** Time in ms between two requests for the progress. */
const POLL_MS = 700;

const STEPS: Record<ReplyOf<'GET /imports/suivi/:cle'>['etape'], string> = {
  lecture: 'Lecture du fichier',
  enregistrement: 'Enregistrement',
};

/** Progress of a file: first of its upload, then of its reading and storing by the server. */
function ImportProgress({ sending }: { sending: Sending | undefined }) {
  const isSent = sending !== undefined && sending.part >= 1;
  const { data } = useQuestion(
    { key: 'GET /imports/suivi/:cle', params: { cle: sending?.key ?? '' } },
    { isAsked: isSent, every: () => POLL_MS },
  );
  const step = isSent ? STEPS[data?.etape ?? 'lecture'] : 'Envoi du fichier';
  const percent = isSent ? data?.avance : Math.round((sending?.part ?? 0) * 100);
  return (
    <>
      {sending && <progress className="bar" max={100} value={percent} aria-label={step} />}
      <p className="text-sm">
        {/* Always present, so that its text is announced; the percentage outside it would be announced endlessly. */}
        <span role="status">{sending && step}</span>
        {sending && (percent === undefined ? '…' : `\u202f: ${percent}\u202f%`)}
      </p>
    </>
  );
}

const MODELS = [
  { key: 'GET /modeles-csv/:genre', label: 'Modèle CSV', Icon: FileDown },
  { key: 'GET /modeles-excel/:genre', label: 'Modèle Excel', Icon: FileSpreadsheet },
] as const;

function ImportGuide({ texts }: { texts: ImportTexts }) {
  const columns = Object.entries({ ...texts.required, ...texts.optional });
  const { isBusy, run } = useAction();
  const fetchModel = (key: (typeof MODELS)[number]['key']) =>
    run(() => download(key, { params: { genre: texts.genre } }), 'Erreur lors du téléchargement du modèle');
  return (
    <section className="well">
      <h2 className="text-xl">Préparer le fichier</h2>
      <p className="mt-2 max-w-prose">
        Un tableau au format CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods) : une ligne de titres, puis une
        ligne par {texts.noun}.
      </p>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer py-2.5 font-semibold">
          Les {columns.length} colonnes possibles
        </summary>
        <p className="max-w-prose">Elles peuvent se suivre dans n’importe quel ordre.</p>
        <dl className="mt-3 grid gap-x-8 gap-y-3 sm:grid-cols-2">
          {columns.map(([name, help]) => (
            <div key={name}>
              <dt className="wrap-anywhere">
                <span className="font-semibold">{COLUMN_LABELS[name]}</span>
                {name in texts.required && <span className="text-sm text-quiet"> (obligatoire)</span>}
              </dt>
              <dd className="text-sm">{help}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p className="mt-4 flex flex-wrap gap-3">
        {MODELS.map(({ key, label, Icon }) => (
          <Button key={key} quiet aria-disabled={isBusy} onClick={() => fetchModel(key)}>
            <Icon className="size-5" />
            {label}
          </Button>
        ))}
      </p>
    </section>
  );
}

interface LastImportProps {
  texts: ImportTexts;
  /** Called after an undo: the focused button is gone, and the preview of the file no longer holds. */
  onUndone(): void;
}

function LastImport({ texts, onUndone }: LastImportProps) {
  const query = useQuestion({ key: 'GET /imports/dernier', query: { genre: texts.genre } });
  return (
    <section>
      <h2 className="mb-3 text-xl">Dernier import</h2>
      <LoadState query={query} failed="Le dernier import n’a pas pu être chargé.">
        {({ dernier }) =>
          dernier ? (
            <UndoImport key={dernier.id} last={dernier} noun={texts.noun} onUndone={onUndone} />
          ) : (
            <p className="text-quiet">Aucun pour le moment.</p>
          )
        }
      </LoadState>
    </section>
  );
}

interface UndoImportProps {
  last: NonNullable<ReplyOf<'GET /imports/dernier'>['dernier']>;
  noun: string;
  onUndone(): void;
}

function UndoImport({ last, noun, onUndone }: UndoImportProps) {
  const { id, acteur, created_at, crees, modifies, laissees, obstacle } = last;
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction(() => answers.invalidateQueries());
  const undo = async () => {
    say((await call('POST /imports/:id/annuler', { params: { id } })).message);
    onUndone();
  };
  const onUndo = () =>
    run(undo, 'Erreur lors de l’annulation de l’import', {
      question: 'Annuler cet import\u202f?',
      consequence:
        'Ce qu’il a créé sera effacé, et ce qu’il a modifié redeviendra comme avant. Les corrections qui ne sont pas importées seront perdues.',
      yes: 'Annuler l’import',
      no: 'Garder l’import',
    });
  return (
    <div className="well">
      <p className="wrap-anywhere">
        Par {acteur}, le <Instant value={created_at} />
        {'\u202f'}: {countOf(crees, `${noun} créé`)}, {countOf(modifies, 'modifié')}.
      </p>
      {laissees > 0 && <LeftLines id={id} count={laissees} />}
      {obstacle ? (
        <p className="mt-2 text-quiet">Il ne peut plus être annulé. {obstacle}</p>
      ) : (
        <Button danger className="mt-3" aria-disabled={isBusy} onClick={onUndo}>
          <Undo2 className="size-5" />
          {isBusy ? 'Annulation…' : 'Annuler cet import'}
        </Button>
      )}
    </div>
  );
}

export const FamilyImportPanel = () => <ImportPanel title="Importer des familles" texts={FAMILY_IMPORT} />;
export const StayImportPanel = () => <ImportPanel title="Importer des séjours" texts={STAY_IMPORT} />;
export const DirectorImportPanel = () => (
  <ImportPanel title="Importer des directeurs" texts={DIRECTOR_IMPORT} />
);
