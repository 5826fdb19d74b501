import { Eye } from 'lucide-react';
import { SUBJECT_MAX, TEXT_MAX } from '#features/mails/shared/terms.ts';
import type { CountedStay } from '#features/stays/web/stays.ts';
import { DraftBanner } from '#platform/web/ui/DraftBanner.tsx';
import { TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { CodesPreview } from './CodesPreview.tsx';
import { RecipientsField } from './RecipientsField.tsx';
import { StaysField } from './StaysField.tsx';
import { useCodes } from './useCodes.ts';

const HELP = 'Il vient après «\u00a0Bonjour\u00a0». Les codes, le lien et la signature suivent d’eux-mêmes.';

/** Whom, which stays, what is written around the codes; then what would leave, and the way to send it. */
export function CodesForm({ stays }: { stays: readonly CountedStay[] }) {
  const codes = useCodes(stays);
  const { form, errors, isBusy, draft } = codes;
  return (
    <div className="flex flex-col gap-10">
      <form {...form} className="flex flex-col gap-6">
        <DraftBanner draft={draft} isNew onDiscard={codes.discardDraft} />
        <div inert={isBusy} className="flex flex-col gap-6">
          <RecipientsField type={codes.type} onChoose={codes.chooseType} />
          <StaysField
            stays={stays}
            type={codes.type}
            ticked={codes.stageIds}
            onTick={codes.tick}
            error={errors.stageIds}
          />
          <div
            key={draft.generation}
            className="flex flex-col gap-6"
            onInput={({ currentTarget }) => codes.typed(currentTarget)}
          >
            <TextField
              label="Objet"
              name="objet"
              isRequired
              maxLength={SUBJECT_MAX}
              defaultValue={draft.values.objet}
              error={errors.objet}
            />
            <TextArea
              label="Message"
              name="texte"
              rows={5}
              maxLength={TEXT_MAX}
              defaultValue={draft.values.texte ?? ''}
              help={HELP}
              error={errors.texte}
            />
          </div>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0"
              checked={codes.isOnlyMissing}
              onChange={({ target }) => codes.chooseOnlyMissing(target.checked)}
            />
            Seulement aux adresses qui n’ont pas reçu le mot de passe actuel
          </label>
        </div>
        <p className="border-t border-mist pt-6">
          <button type="submit" className={`button ${codes.preview ? 'quiet' : ''}`} aria-disabled={isBusy}>
            <Eye aria-hidden="true" className="size-5" />
            {isBusy ? 'Préparation…' : 'Aperçu'}
          </button>
        </p>
      </form>
      {codes.preview && (
        <CodesPreview key={codes.preview.turn} {...codes.preview} onSent={codes.draft.drop} />
      )}
    </div>
  );
}
