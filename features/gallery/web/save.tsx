import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { countOf } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { addressOf, CallError, readFile, weigh } from '#platform/web/api.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import type { GalleryStay } from './useFeeds.ts';

/* What takes photos home: the file of each, or archives of many. */

/** Said at every download. */
export const NOT_TO_PUBLISH = 'Ces photos montrent d’autres enfants\u202f: ne les publiez pas.';

/** How many of these photos are not there in full, in a sentence; blank when all are. */
export function lightText(photos: readonly Photo[]): string {
  const light = photos.filter(({ version }) => version === 'legere').length;
  if (light === 0) return '';
  const said = light === 1 ? 'n’est pas encore arrivée' : 'ne sont pas encore arrivées';
  return `${countOf(light)} ${said} en pleine qualité.`;
}

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

/** Like `useState`, for what holds only as long as the same thing is shown: its `key` says which. */
export function useStateOf<T>(key: string | number, initial: T): [T, (value: T) => void] {
  const [last, setLast] = useState({ key, value: initial });
  return [last.key === key ? last.value : initial, (value) => setLast({ key, value })];
}

/** Hands photos to the share sheet of the device; saves them as files where there is none, or where it fails. */
function useSave(wanted: readonly Keeping[]) {
  const [saving, say] = useStateOf(wanted.map(({ address }) => address).join(), IDLE);
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

function saveLabel(saving: Saving): string {
  if (saving.step === 'ready') return 'Enregistrer maintenant';
  if (saving.step !== 'fetching') return 'Enregistrer';
  return saving.count > 1 ? `Préparation… ${saving.done} sur ${saving.count}` : 'Préparation…';
}

interface SaveButtonProps {
  keepings: readonly Keeping[];
  classNames: { button: string; failure: string };
  children: ReactNode;
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
      <span role="alert" aria-live="assertive" className={`self-center empty:hidden ${classNames.failure}`}>
        {saving.step === 'failed' && saving.reason}
      </span>
    </>
  );
}

/** A ZIP file of photos of one stay, or of one of its days. */
interface Archive {
  stay: GalleryStay;
  jour: string | undefined;
  address: string;
  photos: readonly Photo[];
}

/** The ZIP files of these photos, one a stay; `jour`: all of them are of this day. */
export function archivesOf(
  photos: readonly Photo[],
  stayOf: (photo: Photo) => GalleryStay,
  jour?: string,
): Archive[] {
  return [...groupBy(photos, stayOf)].map(([stay, photos]) => {
    const address = addressOf('GET /stages/:id/photos.zip', {
      params: { id: stay.stageId },
      query: jour ? { jour } : {},
    });
    return { stay, jour, address, photos };
  });
}

interface DownloadDialogProps {
  whole: readonly Archive[];
  days?: readonly Archive[];
  onClose(): void;
}

/** Downloads photos as ZIP files, one a stay; shows their sizes, for people on a slow connection. */
export function DownloadDialog({ whole, days = [], onClose }: DownloadDialogProps) {
  const modal = useModal(onClose);
  const id = useId();
  const { locale } = useSite();
  const hasSeveral = whole.length > 1;
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="text-xl">
        Télécharger les photos
      </h2>
      <p className="mt-2">
        {hasSeveral ? 'Un fichier ZIP par séjour' : 'Un fichier ZIP'}, à ouvrir ensuite sur l’ordinateur ou le
        téléphone. Si la connexion se coupe, le téléchargement peut reprendre.
      </p>
      <p className="mt-2 empty:hidden">{lightText(whole.flatMap(({ photos }) => photos))}</p>
      <ul className="mt-4 flex flex-col gap-2">
        {whole.map((archive) => (
          <li key={archive.address}>
            <WholeLink archive={archive} />
          </li>
        ))}
      </ul>
      <p className="mt-2 font-semibold">{NOT_TO_PUBLISH}</p>
      {days.length > 1 && (
        <>
          <h3 className="mt-5">Un seul jour</h3>
          <ul className="mt-1 max-h-[40dvh] divide-y divide-mist overflow-y-auto">
            {days.map(({ stay, jour = '', address, photos }) => (
              <li key={address}>
                <a href={address} download className="flex min-h-11 items-center justify-between gap-4 py-1">
                  <span className="first-letter:uppercase wrap-anywhere">
                    {weekdayOf(jour, locale)}
                    {hasSeveral && ` · ${stay.name?.short}`}
                  </span>
                  <span className="shrink-0 text-quiet">{countOf(photos.length)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <Button quiet className="mt-5" onClick={onClose}>
        Fermer
      </Button>
    </dialog>
  );
}

function WholeLink({ archive: { stay, jour, address, photos } }: { archive: Archive }) {
  const weight = useWeight(address);
  const { locale } = useSite();
  const what = jour === undefined ? 'Tout télécharger' : weekdayOf(jour, locale);
  return (
    <a href={address} download className="button w-full wrap-anywhere">
      <Download className="size-5 shrink-0" />
      <span>
        <span className="inline-block first-letter:uppercase">{stay.name?.whole ?? what}</span> (
        {countOf(photos.length)}
        {weight !== undefined && `, ${weightOf(weight)}`})
      </span>
    </a>
  );
}

/** Size, in bytes, of the file at an address; undefined until it is known. */
function useWeight(address: string): number | undefined {
  const [weight, setWeight] = useState<number>();
  useEffect(() => {
    const controller = new AbortController();
    weigh(address, controller.signal).then(setWeight, () => {});
    return () => controller.abort();
  }, [address]);
  return weight;
}
