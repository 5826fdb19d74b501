import { ArrowDown, ArrowUp, Images, type LucideIcon, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { atMost, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { RoundButton } from './Button.tsx';
import { FilePreview, FileZone } from './FileZone.tsx';
import { PICTURES } from './files.ts';
import { ALTERNATIVE_TEXT } from './ImageField.tsx';
import { Picture } from './Picture.tsx';

interface GalleryFieldProps {
  label: string;
  name: string;
  choice: GalleryChoice;
  folder: string;
  error: string | undefined;
}

/** A field for several pictures, which can be chosen or dropped, described, sorted and removed. */
export function GalleryField({ label, name, choice, folder, error }: GalleryFieldProps) {
  const { pictures, max, troubles } = choice;
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [said, setSaid] = useState('');
  /** Id of the element that gets the focus after the next render of the list. */
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current) document.getElementById(wanted.current)?.focus();
    wanted.current = undefined;
  });
  const idOf = (picture: GalleryPicture, part: string) => `${id}-${part}-${picture.key}`;

  function add(files: File[]): void {
    const count = choice.add(files);
    setSaid(count > 0 ? `${count} image${count > 1 ? 's ajoutées' : ' ajoutée'}.` : '');
  }
  function move(picture: GalleryPicture, place: number, button: string): void {
    if (place < 0 || place >= pictures.length) return;
    choice.move(picture, place);
    setSaid(`Image en position ${place + 1} sur ${pictures.length}.`);
    wanted.current = button;
  }
  function remove(picture: GalleryPicture, place: number): void {
    const next = pictures[place + 1] ?? pictures[place - 1];
    choice.remove(picture);
    setSaid('Image retirée.');
    if (next) wanted.current = idOf(next, 'remove');
    else opener.current?.focus();
  }
  return (
    <FileZone
      label={label}
      name={name}
      accept={PICTURES.accept}
      isFilled={pictures.length > 0}
      isMultiple
      action={pictures.length > 0 ? 'Ajouter des images' : 'Choisir des images'}
      Icon={Images}
      opener={opener}
      help={`Déposez ici une ou plusieurs images. JPEG, PNG, WebP, AVIF ou HEIC, ${atMost(PICTURE_BYTES)} chacune. ${pictures.length} sur ${max} au plus.`}
      errors={[...troubles, error]}
      onFiles={add}
    >
      {pictures.length > 0 && (
        <ol aria-label={label} className="flex flex-col divide-y divide-mist">
          {pictures.map((picture, place) => (
            <GalleryItem
              key={picture.key}
              picture={picture}
              place={place}
              isLast={place === pictures.length - 1}
              folder={folder}
              idOf={(part) => idOf(picture, part)}
              onMove={(to, button) => move(picture, to, button)}
              onRemove={() => remove(picture, place)}
              onDescribe={(text) => choice.describe(picture, text)}
            />
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </FileZone>
  );
}

interface GalleryItemProps {
  picture: GalleryPicture;
  /** Position, from 0. */
  place: number;
  isLast: boolean;
  folder: string;
  /** Returns the id of one of its controls. */
  idOf(part: string): string;
  /** `button` is the id of the button pressed. */
  onMove(place: number, button: string): void;
  onRemove(): void;
  onDescribe(text: string): void;
}

function GalleryItem(props: GalleryItemProps) {
  const { picture, place, isLast, folder, idOf, onMove, onRemove, onDescribe } = props;
  const [earlier, later, text] = [idOf('earlier'), idOf('later'), idOf('text')];
  const name = `l’image ${place + 1}`;
  const button = (id: string, label: string, Icon: LucideIcon, onClick: () => void, isAtEnd = false) => (
    <RoundButton id={id} label={label} title={label} isAtEnd={isAtEnd} onClick={onClick}>
      <Icon className="size-5" />
    </RoundButton>
  );
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 sm:flex-row">
      <Shown picture={picture} folder={folder} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-center">
          <p className="mr-auto font-semibold">Image {place + 1}</p>
          {button(earlier, `Avancer ${name}`, ArrowUp, () => onMove(place - 1, earlier), place === 0)}
          {button(later, `Reculer ${name}`, ArrowDown, () => onMove(place + 1, later), isLast)}
          {button(idOf('remove'), `Retirer ${name}`, Trash2, onRemove)}
        </div>
        <label htmlFor={text} className="text-sm text-quiet">
          {ALTERNATIVE_TEXT} {place + 1}
        </label>
        {/* Has no name, as it is sent with its picture, not with the texts of the form. */}
        <input
          id={text}
          className="input"
          maxLength={500}
          value={picture.alternativeText}
          onChange={({ target }) => onDescribe(target.value)}
        />
      </div>
    </li>
  );
}

function Shown({ picture, folder }: { picture: GalleryPicture; folder: string }) {
  const className = 'h-28 w-40 rounded-control object-cover';
  return (
    <div className="w-40 max-w-full shrink-0">
      {picture.file ? (
        <FilePreview file={picture.file} className={className} />
      ) : (
        <Picture illustration={picture.stored} folder={folder} sizes="160px" alt="" className={className} />
      )}
    </div>
  );
}

/** A picture in the form of a gallery: a stored one, or a new file. */
export type GalleryPicture = { key: number; alternativeText: string } & (
  | { stored: Illustration; file?: undefined }
  | { file: File; stored?: undefined }
);

export type GalleryChoice = ReturnType<typeof useGalleryChoice>;

/** The pictures of a gallery in the order in which they will be shown, `max` at most. */
export function useGalleryChoice(current: readonly Illustration[], max: number) {
  /** The stored pictures that the form started from. */
  const [base, setBase] = useState(current);
  const [pictures, setPictures] = useState(() => current.map(asStored));
  const [troubles, setTroubles] = useState<string[]>([]);

  return {
    pictures,
    max,
    troubles,
    isChanged: !isSameGallery(pictures, base),
    /** Adds the acceptable files, and puts into `troubles` why others are refused. Returns how many were added. */
    add(files: readonly File[]): number {
      const added: GalleryPicture[] = [];
      const refusals: string[] = [];
      for (const file of files) {
        const all = [...pictures, ...added];
        const reason = all.some((one) => one.file && isSameFile(one.file, file))
          ? 'cette image est déjà dans la liste.'
          : (PICTURES.whyNot(file) ?? (all.length < max ? undefined : `${max} images au plus.`));
        if (reason) refusals.push(`«\u00a0${file.name}\u00a0»\u202f: ${reason}`);
        else added.push({ key: nextKey(all), alternativeText: '', file });
      }
      setTroubles([...new Set(refusals)]);
      setPictures([...pictures, ...added]);
      return added.length;
    },
    /** Moves a picture to another position, counted from 0. */
    move(picture: GalleryPicture, place: number): void {
      const others = pictures.filter((one) => one !== picture);
      setPictures([...others.slice(0, place), picture, ...others.slice(place)]);
    },
    remove(picture: GalleryPicture): void {
      setTroubles([]);
      setPictures(pictures.filter((one) => one !== picture));
    },
    describe(picture: GalleryPicture, alternativeText: string): void {
      setPictures(pictures.map((one) => (one === picture ? { ...one, alternativeText } : one)));
    },
    reset(): void {
      setTroubles([]);
      setPictures(base.map(asStored));
    },
    /** Applies the changes made here to the pictures that somebody else has saved meanwhile. */
    bringOnto(stored: readonly Illustration[]): void {
      setBase(stored);
      setPictures(isSameGallery(pictures, base) ? stored.map(asStored) : merged(pictures, base, stored));
    },
  };
}

function asStored(stored: Illustration, key: number): GalleryPicture {
  return { key, alternativeText: stored.texte_alternatif, stored };
}

function nextKey(pictures: readonly GalleryPicture[]): number {
  return Math.max(0, ...pictures.map(({ key }) => key + 1));
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;
}

function isSameGallery(pictures: readonly GalleryPicture[], stored: readonly Illustration[]): boolean {
  return (
    pictures.length === stored.length &&
    pictures.every(
      (one, place) =>
        one.stored?.nom === stored[place]?.nom && one.alternativeText === stored[place]?.texte_alternatif,
    )
  );
}

/** Merges: pictures no longer stored are removed, new ones come at the end, texts changed here stay. */
function merged(
  pictures: readonly GalleryPicture[],
  base: readonly Illustration[],
  stored: readonly Illustration[],
): GalleryPicture[] {
  const kept = pictures.flatMap((picture): GalleryPicture[] => {
    if (picture.file) return [picture];
    const now = stored.find(({ nom }) => nom === picture.stored.nom);
    if (!now) return [];
    const isDescribedHere = picture.alternativeText !== picture.stored.texte_alternatif;
    return [isDescribedHere ? { ...picture, stored: now } : asStored(now, picture.key)];
  });
  const isNew = ({ nom }: Illustration) => !base.some((one) => one.nom === nom);
  const next = nextKey(pictures);
  return [...kept, ...stored.filter(isNew).map((one, index) => asStored(one, next + index))];
}
