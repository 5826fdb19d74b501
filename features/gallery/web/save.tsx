import { type ReactNode, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { CallError, readFile } from '#platform/web/api.ts';
import type { GalleryStay } from './useFeeds.ts';

/** Said at every download. */
export const NOT_TO_PUBLISH = 'Ces photos montrent d’autres enfants\u202f: ne les publiez pas.';

/** A file of a photo to save: its address, and the name to save it under. */
export interface Keeping {
  address: string;
  name: string;
}

/** The best file of a photo, named as in the ZIP archive of its stay; `number`: its place in its day there. */
export function keepingOf(
  { fichiers, jour }: Photo,
  number: number,
  { name }: GalleryStay,
): Keeping | undefined {
  if (!fichiers) return undefined;
  const file = fichiers.jpeg ?? fichiers.w1920;
  const ending = file.slice(file.lastIndexOf('.'));
  const digits = String(number).padStart(3, '0');
  // Photos of several stays may have the same number.
  const stay = name ? `${name.whole.replace(/[\\/:*?"<>|]/g, '-')} - ` : '';
  return { address: PHOTO_FOLDER + file, name: `${stay}${jour}-${digits}${ending}` };
}

/** Makes the browser download the file at an address of the site. */
export function saveAt(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** True where the share sheet can save files among the photos of the device: on phones and tablets. */
export function sharesFiles(): boolean {
  if (!window.matchMedia('(pointer: coarse)').matches) return false;
  const probe = new File([], 'photo.jpg', { type: 'image/jpeg' });
  return navigator.canShare?.({ files: [probe] }) ?? false;
}

type Saving =
  | { step: 'idle' }
  | { step: 'fetching'; done: number; count: number }
  /** The files came too long after the press: the browser requires another press to share them. */
  | { step: 'ready'; files: File[] }
  | { step: 'failed'; reason: string };

const IDLE: Saving = { step: 'idle' };

/** Hands photos to the share sheet of the device; saves them as files where there is none, or where it fails. */
function useSave(wanted: readonly Keeping[]) {
  const name = wanted.map(({ address }) => address).join();
  const [last, setLast] = useState({ name, saving: IDLE });
  // The state holds for these photos only.
  const saving = last.name === name ? last.saving : IDLE;
  const say = (saving: Saving) => setLast({ name, saving });
  const saveAll = () => {
    for (const { address, name } of wanted) saveAt(address, name);
    say(IDLE);
  };
  const share = async (files: File[], isPressed: boolean) => {
    if (!navigator.canShare?.({ files })) return saveAll();
    try {
      await navigator.share?.({ files });
      say(IDLE);
    } catch (error) {
      const reason = error instanceof DOMException ? error.name : '';
      if (reason === 'AbortError') say(IDLE);
      else if (reason === 'NotAllowedError' && !isPressed) say({ step: 'ready', files });
      else saveAll();
    }
  };
  const save = async () => {
    if (saving.step === 'fetching') return;
    if (saving.step === 'ready') return share(saving.files, true);
    if (!sharesFiles()) return saveAll();
    try {
      const files: File[] = [];
      for (const { address, name } of wanted) {
        say({ step: 'fetching', done: files.length, count: wanted.length });
        const blob = await readFile(address);
        files.push(new File([blob], name, { type: blob.type }));
      }
      await share(files, false);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      say({ step: 'failed', reason: error.message });
    }
  };
  return { saving, save };
}

/** The label of the save button. */
function saveLabel(saving: Saving): string {
  if (saving.step === 'ready') return 'Enregistrer maintenant';
  if (saving.step !== 'fetching') return 'Enregistrer';
  return saving.count > 1 ? `Préparation… ${saving.done} sur ${saving.count}` : 'Préparation…';
}

interface SaveButtonProps {
  keepings: readonly Keeping[];
  /** Class names of the button, and of the failure message. */
  classNames: { button: string; failure: string };
  /** Its icon. */
  children: ReactNode;
  /** Called when somebody presses it. */
  onSave?(): void;
}

/** Saves photos as files, or among the photos of the device through its share sheet where it has one. */
export function SaveButton({ keepings, classNames, children, onSave }: SaveButtonProps) {
  const { saving, save } = useSave(keepings);
  return (
    <>
      <button
        type="button"
        className={classNames.button}
        aria-disabled={saving.step === 'fetching'}
        onClick={() => {
          onSave?.();
          void save();
        }}
      >
        {children}
        {saveLabel(saving)}
      </button>
      <span role="alert" className={`self-center empty:hidden ${classNames.failure}`}>
        {saving.step === 'failed' && saving.reason}
      </span>
    </>
  );
}
