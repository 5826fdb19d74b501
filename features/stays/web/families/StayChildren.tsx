import { useRef, useState } from 'react';
import type { Child } from '#features/stays/calls.ts';
import { erasedText, type NamedStay } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { ChildForm } from './ChildForm.tsx';
import { ChooseChild } from './ChooseChild.tsx';
import { DeleteAll } from './DeleteAll.tsx';
import { useChildren, useChildrenAgain, useStay } from './questions.ts';
import { StayCard } from './StayCard.tsx';
import { useDeletions } from './useDeletions.ts';

/** The children of the chosen stay: one is added, or chosen and then changed or taken off. */
export function StayChildren({ stay }: { stay: NamedStay }) {
  const known = useStay(stay.id);
  const query = useChildren(stay.id);
  return (
    <LoadState query={known} failed="Le séjour n’a pas pu être chargé.">
      {({ efface_le }) =>
        efface_le ? (
          <ErasedStay since={efface_le} />
        ) : (
          <LoadState query={query} failed="Les familles n’ont pas pu être chargées.">
            {(items) => <Children stay={stay} items={items} />}
          </LoadState>
        )
      }
    </LoadState>
  );
}

/** In the place of the children that nobody needs any more. */
function ErasedStay({ since }: { since: string }) {
  const { locale, timeZone } = useSite();
  return <p className="well">{erasedText(since, locale, timeZone)}</p>;
}

/** The form that is open, told from the one before it; without a child it adds one. */
interface OpenForm {
  key: number;
  child: Child | undefined;
}

function Children({ stay, items }: { stay: NamedStay; items: readonly Child[] }) {
  const [form, setForm] = useState<OpenForm>();
  const heading = useRef<HTMLHeadingElement>(null);
  const { say } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const askAgain = useChildrenAgain(stay.id);
  const toHeading = () => heading.current?.focus();
  const { isBusy, remove, removeAll } = useDeletions(stay, toHeading);

  const open = (child?: Child) => setForm({ key: (form?.key ?? 0) + 1, child });
  const openAfterQuestion = async (child?: Child) => {
    if (await confirmLeaving()) open(child);
  };
  const close = () => {
    setForm(undefined);
    toHeading();
  };
  const erase = async (child: Child) => {
    if ((await remove(child)) && form?.child?.id === child.id) setForm(undefined);
  };
  const eraseAll = async () => {
    if ((await removeAll(items.length)) && form?.child) setForm(undefined);
  };
  const onSaved = (message: string) => {
    say(message);
    void askAgain();
    // After an addition, on to the next one.
    if (form?.child) close();
    else open();
  };
  return (
    <>
      <StayCard stay={stay} items={items} heading={heading} />
      {items.length > 0 ? (
        <ChooseChild
          items={items}
          isBusy={isBusy}
          onAdd={() => openAfterQuestion()}
          onUpdate={openAfterQuestion}
          onDelete={erase}
        />
      ) : (
        <p>
          <button type="button" className="button" onClick={() => openAfterQuestion()}>
            Ajouter un enfant
          </button>
        </p>
      )}
      {form && (
        <ChildForm
          key={form.key}
          stageId={stay.id}
          child={form.child}
          onSaved={onSaved}
          onClose={close}
          onOvertaken={askAgain}
        />
      )}
      {items.length > 0 && <DeleteAll isBusy={isBusy} onAsked={eraseAll} />}
    </>
  );
}
