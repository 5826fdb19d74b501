import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { CODES_SUBJECT } from '#features/mails/shared/terms.ts';
import { NOTHING_CHOSEN } from '#features/stays/web/StaySelect.tsx';
import type { CountedStay } from '#features/stays/web/stays.ts';
import type { ClientBody } from '#platform/shared/call.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { CallError, call } from '#platform/web/api.ts';
import { draftKey, useDraft } from '#platform/web/drafts.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { withTicks } from '#platform/web/ui/useRequiredChoice.ts';
import type { CodesPreview } from './mailings.tsx';

export type CodesRequest = ClientBody<'POST /stages/envoi-mots-de-passe'>;

/** A preview of a mailing of codes, with its request. */
export interface PreviewedCodes {
  request: CodesRequest;
  preview: CodesPreview;
  /** Number unique to each preview. */
  turn: number;
}

/** State of a mailing of codes while it is composed; any change discards the preview, which no longer applies. */
export function useCodes(stays: readonly CountedStay[]) {
  const { username } = usePortalSession();
  const [search] = useSearchParams();
  const [type, setType] = useState<PasswordType>(
    search.get('type') === 'formateur' ? 'formateur' : 'stagiaire',
  );
  const [ticked, setTicked] = useState<readonly number[]>(() => search.getAll('sejour').map(Number));
  const [isOnlyMissing, setOnlyMissing] = useState(search.get('seulement') === 'non_recus');
  const [shown, setShown] = useState<PreviewedCodes>();
  const draft = useDraft(
    draftKey(username, 'codes', undefined),
    { objet: CODES_SUBJECT, texte: '' },
    undefined,
  );
  const { warn, clear } = useNotices();
  // The earliest first, without stays deleted meanwhile.
  const stageIds = stays
    .map(({ id }) => id)
    .filter((id) => ticked.includes(id))
    .toReversed();

  const { form, errors, isBusy } = useForm({
    send: async (element) => {
      if (stageIds.length === 0) throw new CallError(0, NOTHING_CHOSEN, { stageIds: NOTHING_CHOSEN });
      const request: CodesRequest = {
        type,
        stageIds,
        ...writtenIn(element),
        ...(isOnlyMissing && { seulement: 'non_recus' }),
      };
      return { request, preview: await call('POST /stages/envoi-mots-de-passe/apercu', { body: request }) };
    },
    onDone: (previewed) => setShown({ ...previewed, turn: (shown?.turn ?? 0) + 1 }),
    failure: 'Erreur lors de la préparation des e-mails',
    onFailed: ({ message }) => {
      if (message === NOTHING_CHOSEN) warn(message);
      return message === NOTHING_CHOSEN;
    },
  });
  const changed = () => setShown(undefined);
  return {
    form,
    // Hides the error once stays are chosen.
    errors: errors.stageIds === NOTHING_CHOSEN && stageIds.length > 0 ? {} : errors,
    isBusy,
    draft,
    type,
    stageIds,
    isOnlyMissing,
    preview: shown,
    chooseType(chosen: PasswordType): void {
      changed();
      setType(chosen);
    },
    /** Ticks or unticks these stays. */
    tick(ids: readonly number[], isTicked: boolean): void {
      changed();
      if (errors.stageIds) clear();
      setTicked(withTicks(ticked, ids, isTicked));
    },
    chooseOnlyMissing(isChosen: boolean): void {
      changed();
      setOnlyMissing(isChosen);
    },
    typed(fields: HTMLElement): void {
      changed();
      const element = fields.closest('form');
      if (element) draft.typed(writtenIn(element));
    },
    discardDraft(): void {
      changed();
      draft.discard();
    },
  };
}

function writtenIn(form: HTMLFormElement): { objet: string; texte: string } {
  const { objet = '', texte = '' } = textsOf(form);
  return { objet, texte };
}
