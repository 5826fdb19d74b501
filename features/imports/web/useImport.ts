import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportPreview } from '#features/imports/calls.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { TABLES } from '#platform/web/ui/files.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useFileChoice } from '#platform/web/ui/useFileChoice.ts';
import { useForm } from '#platform/web/ui/useForm.ts';
import { type Correction, correctionsIn } from './corrections.ts';
import type { ImportTexts } from './kinds.ts';

/** A preview, and what it was a preview of. */
export interface Review {
  /** The name of the work that made it: no two have the same. */
  key: string;
  file: File;
  corrections: Correction[];
  preview: ImportPreview;
}

/** A file on its way, or being read and stored. */
export interface Sending {
  /** Under which the server says how far it is. */
  key: string;
  /** How much of it has left, from 0 to 1. */
  part: number;
}

const FAILURE = 'Erreur lors de l’import';
const CHANGED =
  'ce fichier a changé depuis que vous l’avez choisi, ou n’est plus là\u202f: choisissez-le de nouveau.';

/** The steps of an import: a file is chosen, verified as often as it takes, and imported. */
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
  // Of another file it says nothing.
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
          // What the file speaks of changed since it was verified: the preview shows which lines are faulty now.
          if (error instanceof CallError && error.status === 422) await verify(ready.file, ready.corrections);
          throw error;
        }
      }, FAILURE),
    /** What was verified and imported says nothing any more. */
    forget(): void {
      setReviewed(undefined);
      setDone(undefined);
    },
  };
}

/** Browsers refuse to read a file that was saved again, and then tell no more than that nothing came back. */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new CallError(0, CHANGED, { file: CHANGED });
  }
}

/** By hand, as `randomUUID` is missing where the site is not under https. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
