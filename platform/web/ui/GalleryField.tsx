import { ArrowDown, ArrowUp, Images, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { atMost, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import { FilePreview, FileZone } from './FileZone.tsx';
import { PICTURES } from './files.ts';
import { ALTERNATIVE_TEXT } from './ImageField.tsx';
import { Picture } from './Picture.tsx';
import type { GalleryChoice, GalleryPicture } from './useGalleryChoice.ts';

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

/** One picture of the gallery, with its alternative text and its position. */
function GalleryItem(props: GalleryItemProps) {
  const { picture, place, isLast, folder, idOf, onMove, onRemove, onDescribe } = props;
  const [earlier, later, text] = [idOf('earlier'), idOf('later'), idOf('text')];
  const name = `l’image ${place + 1}`;
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 sm:flex-row">
      <Shown picture={picture} folder={folder} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex items-center">
          <p className="mr-auto font-semibold">Image {place + 1}</p>
          <Step
            id={earlier}
            label={`Avancer ${name}`}
            Icon={ArrowUp}
            isOver={place === 0}
            onClick={() => onMove(place - 1, earlier)}
          />
          <Step
            id={later}
            label={`Reculer ${name}`}
            Icon={ArrowDown}
            isOver={isLast}
            onClick={() => onMove(place + 1, later)}
          />
          <Step
            id={idOf('remove')}
            label={`Retirer ${name}`}
            Icon={Trash2}
            isOver={false}
            onClick={onRemove}
          />
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
  const className = 'h-28 w-40 rounded-[10px] object-cover';
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

interface StepProps {
  id: string;
  label: string;
  Icon: typeof ArrowUp;
  /** True when the picture cannot move further that way; the button stays, so that it keeps the focus. */
  isOver: boolean;
  onClick(): void;
}

function Step({ id, label, Icon, isOver, onClick }: StepProps) {
  return (
    <button
      id={id}
      type="button"
      className="round-button"
      title={label}
      aria-disabled={isOver}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="size-5" />
      <span className="sr-only">{label}</span>
    </button>
  );
}
