import { type ReactNode, useState } from 'react';
import type { ContentKind } from '../../../shared/content/kind.ts';
import { genreOf } from '../../../shared/content/kinds.ts';
import { wallClock } from '../../../shared/time.ts';
import type { CallError } from '../../api.ts';
import { draftKey } from '../../drafts.ts';
import { usePortalSession } from '../../portalSession.ts';
import { useSite } from '../../site.tsx';
import { ImageField, usePictureChoice } from '../../ui/ImageField.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { textsOf, useForm } from '../../ui/useForm.ts';
import { ContentFields } from './ContentFields.tsx';
import { type AnyItem, pictureOf, saveItem } from './calls.ts';
import { DraftBanner } from './DraftBanner.tsx';
import { PublicationFields } from './PublicationFields.tsx';
import { StaleChoice } from './StaleChoice.tsx';
import { useDraft } from './useDraft.ts';

interface ContentFormProps {
  kind: ContentKind;
  /** Absent: a new one. */
  item?: AnyItem;
  submitLabel: string;
  failure: string;
  onSaved(saved: AnyItem & { message: string }): void;
  /** Beside the button: what takes the item away. */
  danger?: ReactNode;
}

/** The form of any kind, drawn from its value. What is typed is kept on the device until the server has it. */
export function ContentForm({ kind, item, submitLabel, failure, onSaved, danger }: ContentFormProps) {
  const { username } = usePortalSession();
  const { timeZone } = useSite();
  const stored = textsOfItem(kind, item, timeZone);
  const draft = useDraft(draftKey(username, genreOf(kind), item?.id), stored, item?.version);
  const picture = usePictureChoice();
  useUnsaved(picture.isChanged, 'Le changement d’image sera à refaire.');
  const [progress, setProgress] = useState<number>();
  /** What somebody else saved meanwhile. */
  const [other, setOther] = useState<{ message: string; item: AnyItem }>();

  const { form, errors, isBusy, resubmit } = useForm({
    send: async (element) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(textsOf(element))) body.append(name, value);
      if (item) body.append('version', String(draft.version ?? item.version));
      addPicture(body, kind, picture);
      try {
        return await saveItem(kind, item?.id, body, setProgress);
      } finally {
        setProgress(undefined);
      }
    },
    onDone: (saved) => {
      draft.drop();
      picture.reset();
      setOther(undefined);
      onSaved(saved);
    },
    failure,
    onFailed: (error) => {
      const actual = conflictIn(error);
      setOther(actual && { message: error.message, item: actual });
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
          base={draft.base}
          theirs={textsOfItem(kind, other.item, timeZone)}
          mine={draft.current()}
          hasOtherPicture={pictureOf(kind, other.item)?.nom !== pictureOf(kind, item)?.nom}
          isBusy={isBusy}
          onGivenUp={() => setOther(undefined)}
          onChosen={(values) => {
            draft.replace(values, textsOfItem(kind, other.item, timeZone), other.item.version);
            // Once the fields hold what was chosen.
            setTimeout(resubmit);
          }}
        />
      )}
      <form
        {...form}
        // It keeps what it holds while one chooses.
        hidden={other !== undefined}
        className="flex flex-col gap-6"
        onInput={(event) => draft.typed(textsOf(event.currentTarget))}
        onPaste={picture.paste}
      >
        <DraftBanner draft={draft} isNew={item === undefined} />
        <div key={draft.generation} inert={isBusy} className="flex flex-col gap-6">
          <ContentFields kind={kind} values={draft.values} errors={errors} />
          {kind.picture && (
            <ImageField
              label={kind.picture.label}
              choice={picture}
              current={pictureOf(kind, item)}
              folder={`/api/${kind.folder}/`}
              help={kind.picture.help}
              error={kind.picture.accepts.map((name) => errors[name]).find(Boolean)}
              alternativeText={draft.values.texte_alternatif ?? ''}
              alternativeTextError={errors.texte_alternatif}
              progress={progress}
            />
          )}
          <PublicationFields values={draft.values} errors={errors} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-mist pt-6">
          <button type="submit" className="button" aria-disabled={isBusy}>
            {isBusy ? 'Enregistrement…' : submitLabel}
          </button>
          {danger}
        </div>
      </form>
    </div>
  );
}

/** Characters of a wall-clock time that fields show: to the minute. */
const MINUTES = 16;

/** The texts of an item as its form shows them: instants as the clocks of the site show them. */
function textsOfItem(kind: ContentKind, item: AnyItem | undefined, timeZone: string): Record<string, string> {
  const clock = (instant: string | null | undefined) =>
    instant ? wallClock(new Date(instant), timeZone).slice(0, MINUTES) : '';
  const fields = Object.entries(kind.fields).map(([name, { type }]) => {
    const text = String(item?.[name] ?? '');
    return [name, type === 'moment' ? text.slice(0, MINUTES) : text];
  });
  return {
    ...Object.fromEntries(fields),
    ...(kind.picture && { texte_alternatif: pictureOf(kind, item)?.texte_alternatif ?? '' }),
    publie_du: clock(item?.publie_du),
    publie_au: clock(item?.publie_au),
  };
}

function addPicture(body: FormData, kind: ContentKind, choice: ReturnType<typeof usePictureChoice>): void {
  const name = kind.picture?.accepts[0];
  if (!name) return;
  if (choice.file) body.append(name, choice.file);
  else if (choice.isRemoved) body.append(name, '');
}

/** The item as it is now, when the refusal was that somebody else had changed it. */
function conflictIn(error: CallError): AnyItem | undefined {
  const { actuel } = (error.answer ?? {}) as { actuel?: AnyItem };
  return error.status === 409 ? actuel : undefined;
}
