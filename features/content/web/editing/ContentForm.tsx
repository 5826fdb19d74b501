import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import type { CallError } from '#platform/web/api.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { SendingBar } from '#platform/web/ui/SendingBar.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { ContentFields } from './ContentFields.tsx';
import { FileFields } from './FileFields.tsx';
import { textsOfItem } from './itemTexts.ts';
import { PublicationFields } from './PublicationFields.tsx';
import { StaleChoice } from './StaleChoice.tsx';
import { useItemFiles } from './useItemFiles.ts';
import { type AnyItem, galleryOf, saveItem } from './useItems.ts';

interface ContentFormProps {
  kind: ItemKind;
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
  const files = useItemFiles(kind, item);
  const answers = useQueryClient();
  const [progress, setProgress] = useState<number>();
  /** What somebody else saved meanwhile. */
  const [other, setOther] = useState<{ message: string; item: AnyItem }>();

  const { form, errors, isBusy, resubmit } = useForm({
    send: async (element) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(textsOf(element))) body.append(name, value);
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
      const actual = conflictIn(error);
      // What somebody else saved may name what came meanwhile.
      if (actual) void answers.invalidateQueries();
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
          item={item}
          other={other.item}
          isBusy={isBusy}
          onGivenUp={() => setOther(undefined)}
          onChosen={(values) => {
            draft.replace(values, textsOfItem(kind, other.item, timeZone), other.item.version);
            files.gallery.bringOnto(galleryOf(kind, other.item));
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
          <ContentFields kind={kind} id={item?.id} values={draft.values} errors={errors} />
          <FileFields kind={kind} item={item} files={files} values={draft.values} errors={errors} />
          {kind.hasWindow && <PublicationFields values={draft.values} errors={errors} />}
        </div>
        {progress !== undefined && files.hasFiles && <SendingBar part={progress} />}
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

/** The item as it is now, when the refusal was that somebody else had changed it. */
function conflictIn(error: CallError): AnyItem | undefined {
  const { actuel } = (error.answer ?? {}) as { actuel?: AnyItem };
  return error.status === 409 ? actuel : undefined;
}
