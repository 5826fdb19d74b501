import { useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { atMost, FORM_BYTES } from '#platform/shared/bytes.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { wallClock } from '#platform/shared/time.ts';
import { CallError, call } from '#platform/web/api.ts';
import { conflictIn, type LastChange, lastChangeIn } from '#platform/web/conflicts.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { SelectField, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { PdfField, SendingBar } from '#platform/web/ui/FileZone.tsx';
import { type FileChoice, PDFS, PICTURES, useFileChoice } from '#platform/web/ui/files.ts';
import { type GalleryChoice, GalleryField, useGalleryChoice } from '#platform/web/ui/GalleryField.tsx';
import { ImageField, MIDDLE } from '#platform/web/ui/ImageField.tsx';
import { LongTextField } from '#platform/web/ui/LongTextField.tsx';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import { type Field, genreOf, type ItemKind } from '../../shared/kinds.ts';
import { PersonField, TickField } from './EmployeeFields.tsx';
import type { PreviewProps } from './Preview.tsx';
import { StaleChoice } from './StaleChoice.tsx';
import { type AnyItem, galleryOf, PUBLICATION_LABELS, pictureOf } from './useItems.ts';

interface ContentFormProps {
  kind: ItemKind;
  /** Absent: a new item. */
  item?: AnyItem;
  submitLabel: string;
  failure: string;
  onSaved(saved: AnyItem & { message: string }): void;
  /** Shown beside the submit button: the button that deletes the item. */
  danger?: ReactNode;
}

/** The form of any kind, drawn from its value. Typed text is kept on the device until the server has saved it. */
export function ContentForm({ kind, item, submitLabel, failure, onSaved, danger }: ContentFormProps) {
  const { username } = usePortalSession();
  const { timeZone } = useSite();
  const stored = textsOfItem(kind, item, timeZone);
  const draft = useDraft(draftKey(username, genreOf(kind), item?.id), stored, item?.version);
  const files = useItemFiles(kind, item);
  const answers = useQueryClient();
  const [progress, setProgress] = useState<number>();
  const [other, setOther] = useState<{ message: string; change: LastChange | undefined; item: AnyItem }>();

  const { form, errors, isBusy, resubmit } = useForm({
    send: async (element, submitter) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(textsOf(element, submitter))) body.append(name, value);
      if (item) body.append('version', String(draft.version ?? item.version));
      files.addTo(body);
      try {
        return await saveItem(kind, item?.id, body, setProgress);
      } finally {
        setProgress(undefined);
      }
    },
    onDone: (saved) => {
      draft.drop();
      onSaved(saved);
    },
    failure,
    onFailed: (error) => {
      const actual = conflictIn<AnyItem>(error);
      // The other version may refer to items created meanwhile, such as a new manager.
      if (actual) void answers.invalidateQueries();
      setOther(actual && { message: error.message, change: lastChangeIn(error), item: actual });
      return actual !== undefined;
    },
  });

  return (
    <div className="flex flex-col gap-6">
      {other && (
        <StaleChoice
          key={other.item.version}
          kind={kind}
          message={other.message}
          change={other.change}
          base={draft.base}
          theirs={textsOfItem(kind, other.item, timeZone)}
          mine={draft.current()}
          item={item}
          other={other.item}
          isBusy={isBusy}
          onGivenUp={() => setOther(undefined)}
          onChosen={(values) => {
            draft.replace(values, textsOfItem(kind, other.item, timeZone), other.item.version);
            files.gallery.bringOnto(galleryOf(kind, other.item));
            // After the fields have rendered the chosen values.
            // Published meanwhile, or made a draft: that stays.
            setTimeout(() => resubmit(other.item.brouillon === item?.brouillon));
          }}
        />
      )}
      <form
        {...form}
        // Hidden, not removed, so that it keeps its values during the choice.
        hidden={other !== undefined}
        className="flex flex-col gap-6"
        onInput={(event) => draft.typed(textsOf(event.currentTarget))}
        onPaste={kind.picture && files.picture.pastePicture}
      >
        <DraftBanner
          draft={draft}
          isNew={item === undefined}
          hasFiles
          onDiscard={() => {
            draft.discard();
            files.reset();
          }}
        />
        <div key={draft.generation} inert={isBusy} className="flex flex-col gap-6">
          {Object.entries(kind.fields).map(([name, field]) => (
            <ContentField
              key={name}
              name={name}
              field={field}
              id={item?.id}
              value={draft.values[name] ?? ''}
              error={errors[name]}
            />
          ))}
          <FileFields kind={kind} item={item} files={files} values={draft.values} errors={errors} />
          {kind.hasWindow && <PublicationFields values={draft.values} errors={errors} />}
        </div>
        {progress !== undefined && files.hasFiles && <SendingBar part={progress} />}
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-mist pt-6">
          <div className="flex flex-wrap gap-3">
            <SubmitButtons kind={kind} item={item} label={submitLabel} isBusy={isBusy} />
            {kind.hasWindow && kind.byId.seenAt && (
              <PreviewButton
                kind={kind}
                item={item}
                files={files}
                texts={() => form.ref.current && textsOf(form.ref.current)}
              />
            )}
          </div>
          {danger}
        </div>
      </form>
    </div>
  );
}

/**
 * Sends a creation or a change to the calls of its kind: for news the key is `POST /actualites`, under which its entry
 * in `calls.ts` and its handler in `server/items.ts` are found. `onSent` is told the part that was sent, from 0 to 1.
 */
function saveItem(
  kind: ItemKind,
  id: number | undefined,
  body: FormData,
  onSent: (part: number) => void,
): Promise<AnyItem & { message: string }> {
  return id === undefined
    ? call(`POST ${kind.createPath}`, { body, onSent })
    : call(`PUT ${kind.path}/:id`, { params: { id }, body, onSent });
}

interface SubmitButtonsProps {
  kind: ItemKind;
  item: AnyItem | undefined;
  label: string;
  isBusy: boolean;
}

/** The button that saves for everybody to see, and the one that saves a draft, which may lack required fields. */
function SubmitButtons({ kind, item, label, isBusy }: SubmitButtonsProps) {
  const isDraft = item?.brouillon === 1;
  const busy = isBusy ? 'Enregistrement…' : undefined;
  return (
    <>
      <Button
        type="submit"
        aria-disabled={isBusy}
        name={isDraft ? 'brouillon' : undefined}
        value={isDraft ? '0' : undefined}
      >
        {busy ?? (isDraft ? 'Publier' : label)}
      </Button>
      {kind.hasWindow && (
        <Button type="submit" quiet name="brouillon" value="1" formNoValidate aria-disabled={isBusy}>
          {item && !isDraft ? 'Retirer du site (brouillon)' : 'Enregistrer comme brouillon'}
        </Button>
      )}
    </>
  );
}

/** Characters of a wall-clock time shown in fields: to the minute. */
const MINUTES = 16;

/** The texts of an item as its form shows them; instants in the site's time zone. */
function textsOfItem(kind: ItemKind, item: AnyItem | undefined, timeZone: string): Record<string, string> {
  const clock = (instant: string | null | undefined) =>
    instant ? wallClock(new Date(instant), timeZone).slice(0, MINUTES) : '';
  const fields = Object.entries(kind.fields).map(([name, field]) => {
    const text = item ? String(item[name] ?? '') : firstText(field);
    return [name, field.type === 'moment' ? text.slice(0, MINUTES) : text];
  });
  const texts: Record<string, string> = Object.fromEntries(fields);
  if (kind.picture) texts.texte_alternatif = pictureOf(kind, item)?.texte_alternatif ?? '';
  if (kind.picture?.isSquare) {
    texts.cadrage_x = String(item?.cadrage_x ?? MIDDLE.x);
    texts.cadrage_y = String(item?.cadrage_y ?? MIDDLE.y);
  }
  if (kind.hasWindow) {
    texts.publie_du = clock(item?.publie_du);
    texts.publie_au = clock(item?.publie_au);
  }
  return texts;
}

function firstText({ type, options }: Field): string {
  if (type === 'choice') return options?.[0] ?? '';
  return type === 'tick' ? '1' : '';
}

/** Maximum length in characters of a field that has no formatting. */
const SHORT = 2_000;

interface ContentFieldProps {
  name: string;
  field: Field;
  /** That of the item; undefined: a new item. */
  id: number | undefined;
  value: string;
  error: string | undefined;
}

function ContentField({ name, field, id, value, error }: ContentFieldProps) {
  const common = { name, label: field.label, isRequired: field.required, error, defaultValue: value };
  switch (field.type) {
    case 'paragraphs':
      return field.max > SHORT ? <LongTextField {...common} max={field.max} /> : <TextArea {...common} />;
    case 'address':
      return (
        <TextField
          {...common}
          type="url"
          inputMode="url"
          placeholder="https://"
          help="Par exemple https://www.exemple.fr"
        />
      );
    case 'choice':
      return (
        // Required: there is no blank option.
        <SelectField {...common} isRequired>
          {field.options?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </SelectField>
      );
    case 'person':
      return <PersonField {...common} self={id} />;
    case 'tick':
      return <TickField {...common} />;
    default:
      return <TextField {...common} type={INPUT_TYPES[field.type]} />;
  }
}

const INPUT_TYPES = { line: 'text', day: 'date', moment: 'datetime-local', email: 'email', phone: 'tel' };

interface PublicationFieldsProps {
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** Fields for the start and the end of publication; both blank: at once and for good. */
function PublicationFields({ values, errors }: PublicationFieldsProps) {
  const { timeZone } = useSite();
  const [isOpen, setOpen] = useState(Boolean(values.publie_du || values.publie_au));
  const isWrong = Boolean(errors.publie_du || errors.publie_au);
  return (
    <details
      className="rounded-card bg-mist px-5 py-1 open:pb-5"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-11 content-center font-semibold">Dates de publication</summary>
      <p className="mt-2 mb-4 text-sm text-quiet">
        Sans date, c’est en ligne tout de suite et jusqu’à sa suppression. Les heures sont celles du site (
        {timeZone}).
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['publie_du', 'publie_au'] as const).map((name) => (
          <TextField
            key={name}
            label={PUBLICATION_LABELS[name]}
            name={name}
            type="datetime-local"
            defaultValue={values[name]}
            error={errors[name]}
          />
        ))}
      </div>
    </details>
  );
}

interface FileFieldsProps {
  kind: ItemKind;
  item: AnyItem | undefined;
  files: ItemFiles;
  values: Record<string, string>;
  errors: Record<string, string>;
}

function FileFields({ kind, item, files, values, errors }: FileFieldsProps) {
  const { picture, gallery, pdf } = kind;
  const folder = addressOfFolder(kind.folder);
  return (
    <>
      {picture && (
        <ImageField
          label={picture.label}
          name={picture.accepts[0] ?? ''}
          choice={files.picture}
          current={pictureOf(kind, item)}
          folder={folder}
          help={picture.help}
          error={picture.accepts.map((name) => errors[name]).find(Boolean)}
          alternativeText={values.texte_alternatif ?? ''}
          alternativeTextError={errors.texte_alternatif}
          focus={
            picture.isSquare
              ? { x: values.cadrage_x ?? MIDDLE.x, y: values.cadrage_y ?? MIDDLE.y }
              : undefined
          }
        />
      )}
      {gallery && (
        <GalleryField
          label={gallery.label}
          name={gallery.column}
          choice={files.gallery}
          folder={folder}
          error={errors[gallery.column]}
        />
      )}
      {pdf && (
        <PdfField
          label={pdf.label}
          name={pdf.column}
          choice={files.pdf}
          hasStored={item !== undefined}
          error={errors[pdf.column]}
        />
      )}
    </>
  );
}

interface PreviewButtonProps {
  kind: ItemKind;
  item: AnyItem | undefined;
  files: ItemFiles;
  texts(): Record<string, string> | null;
}

function PreviewButton({ kind, item, files, texts }: PreviewButtonProps) {
  const [preview, setPreview] = useState<{
    Preview: ComponentType<PreviewProps>;
    texts: Record<string, string>;
  }>();
  const { isBusy, run } = useAction();
  const open = () =>
    run(async () => {
      const { Preview } = await import('./Preview.tsx');
      setPreview({ Preview, texts: texts() ?? {} });
    }, 'L’aperçu n’a pas pu être chargé.');
  return (
    <>
      <Button quiet aria-disabled={isBusy} onClick={open}>
        <Eye className="size-5" />
        Voir comme un visiteur
      </Button>
      {preview && (
        <preview.Preview
          kind={kind}
          item={item}
          texts={preview.texts}
          picture={files.picture}
          gallery={files.gallery.pictures}
          onClose={() => setPreview(undefined)}
        />
      )}
    </>
  );
}

type ItemFiles = ReturnType<typeof useItemFiles>;

/** State of the file fields of a kind’s form; fields that the kind does not have stay unchanged. */
function useItemFiles(kind: ItemKind, item: AnyItem | undefined) {
  const picture = useFileChoice(PICTURES);
  const gallery = useGalleryChoice(galleryOf(kind, item), kind.gallery?.max ?? 0);
  const pdf = useFileChoice(PDFS);
  useUnsaved(picture.isChanged || gallery.isChanged || pdf.isChanged, consequenceOf(kind));
  const files = [picture.file, pdf.file, ...gallery.pictures.map(({ file }) => file)].filter(
    (file) => file !== undefined,
  );
  return {
    picture,
    gallery,
    pdf,
    hasFiles: files.length > 0,
    reset(): void {
      picture.reset();
      gallery.reset();
      pdf.reset();
    },
    /** Adds only the changed files to a form. Throws the server's 413 error when they are too large together. */
    addTo(body: FormData): void {
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      if (bytes > FORM_BYTES) {
        const reason = `toutes les images ensemble sont trop lourdes (${atMost(FORM_BYTES)}).`;
        throw new CallError(413, TOO_MUCH, kind.gallery && { [kind.gallery.column]: reason });
      }
      if (kind.picture) addFile(body, kind.picture.accepts[0] ?? '', picture);
      if (kind.pdf) addFile(body, kind.pdf.column, pdf);
      if (kind.gallery) addGallery(body, kind.gallery.column, gallery);
    },
  };
}

const TOO_MUCH = `Cet envoi est trop volumineux (${atMost(FORM_BYTES)}).`;

function consequenceOf({ gallery, pdf }: ItemKind): string {
  if (gallery) return 'Les changements d’images seront à refaire.';
  return pdf ? 'Le fichier sera à choisir de nouveau.' : 'Le changement d’image sera à refaire.';
}

function addFile(body: FormData, name: string, { file, isRemoved }: FileChoice): void {
  if (file) body.append(name, file);
  else if (isRemoved) body.append(name, '');
}

/** Adds the whole gallery in order, as pictures not named are removed; a blank when none is left. */
function addGallery(body: FormData, name: string, { pictures, isChanged }: GalleryChoice): void {
  if (!isChanged) return;
  if (pictures.length === 0) body.append(name, '');
  for (const picture of pictures) {
    body.append(name, picture.file ?? picture.stored.nom);
    body.append('textes_alternatifs', picture.alternativeText);
  }
}
