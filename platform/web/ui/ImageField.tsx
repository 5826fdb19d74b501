import { ImagePlus, Trash2 } from 'lucide-react';
import { type PointerEvent, type RefObject, useId, useRef, useState } from 'react';
import { atMost, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { Button } from './Button.tsx';
import { TextField } from './Field.tsx';
import { FilePreview, FileZone } from './FileZone.tsx';
import { type FileChoice, namedFile, PICTURES, useFileAddress } from './files.ts';
import { Picture } from './Picture.tsx';

export const ALTERNATIVE_TEXT = 'Texte alternatif de l’image';

interface ImageFieldProps {
  label: string;
  name: string;
  choice: FileChoice;
  current: Illustration | undefined;
  folder: string;
  help: string | undefined;
  error: string | undefined;
  alternativeText: string;
  alternativeTextError: string | undefined;
  /** When given, the picture is shown in a square around this point, which can be moved. */
  focus: Focus | undefined;
}

/** A field for a picture, which can be chosen, dropped or pasted, previewed, described and removed. */
export function ImageField(props: ImageFieldProps) {
  const { label, name, choice, current, folder, error, help, focus } = props;
  const { file } = choice;
  const opener = useRef<HTMLButtonElement>(null);
  const kept = choice.isRemoved ? undefined : current;
  const hasPicture = file !== undefined || kept !== undefined;
  // A new picture shows something else.
  const key = file ? `${file.name} ${file.lastModified}` : '';
  const isOther = file !== undefined && current !== undefined;
  return (
    <div className="flex flex-col gap-3">
      <FileZone
        label={label}
        name={name}
        accept={PICTURES.accept}
        isFilled={hasPicture}
        action={hasPicture ? 'Changer d’image' : 'Choisir une image'}
        Icon={ImagePlus}
        opener={opener}
        help={`Déposez ou collez une image ici. JPEG, PNG, WebP, AVIF ou HEIC, ${atMost(PICTURE_BYTES)}. ${help ?? ''}`}
        errors={[choice.trouble ?? error]}
        onFiles={([chosen]) => choice.choose(chosen)}
        aside={
          hasPicture && (
            <Button
              danger
              onClick={() => {
                choice.remove();
                opener.current?.focus();
              }}
            >
              <Trash2 className="size-5" />
              Retirer l’image
            </Button>
          )
        }
      >
        {focus && hasPicture && (
          <FocusField
            key={key}
            file={file}
            address={kept && folder + kept.nom}
            first={isOther ? MIDDLE : focus}
          />
        )}
        {!focus && file && <FilePreview file={file} className="preview" />}
        {!focus && !file && kept && (
          <Picture
            illustration={kept}
            folder={folder}
            sizes="400px"
            alt=""
            fit="contain"
            className="preview"
          />
        )}
      </FileZone>
      {hasPicture && (
        <TextField
          key={key}
          label={ALTERNATIVE_TEXT}
          name="texte_alternatif"
          maxLength={500}
          defaultValue={isOther ? '' : props.alternativeText}
          error={props.alternativeTextError}
          help="Ce que l’image montre, pour les personnes qui ne la voient pas."
        />
      )}
    </div>
  );
}

/** How much of the part that the square crops lies to its left and above it: percentages, as text. */
interface Focus {
  x: string;
  y: string;
}

/** Position of the square until somebody moves it. */
export const MIDDLE: Focus = { x: '50', y: '50' };

interface FocusFieldProps {
  /** The picture: a new file, or the address of a stored one. */
  file: File | undefined;
  address: string | undefined;
  first: Focus;
}

/** Length cropped horizontally and vertically, in sides of the square; one of the two is 0. */
type Room = Record<'x' | 'y', number>;

/** A picture in the square that it will be shown in, which can be moved by dragging or with a slider. */
function FocusField({ file, address, first }: FocusFieldProps) {
  const fileAddress = useFileAddress(file);
  const source = file ? fileAddress : address;
  const [room, setRoom] = useState<Room>({ x: 0, y: 0 });
  const [isUndrawn, setUndrawn] = useState(false);
  const [point, setPoint] = useState({ x: Number(first.x), y: Number(first.y) });
  const sliders = { x: useRef<HTMLInputElement>(null), y: useRef<HTMLInputElement>(null) };
  const drag = useDrag(room, sliders);
  const slider = (axis: 'x' | 'y', label: string) => (
    <Slider
      label={label}
      name={`cadrage_${axis}`}
      input={sliders[axis]}
      first={first[axis]}
      isUseful={room[axis] > 0}
      onMoved={(value) => setPoint((before) => ({ ...before, [axis]: value }))}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      {source && !isUndrawn && (
        <div
          {...drag}
          className="size-56 max-w-full cursor-grab overflow-hidden rounded-card bg-mist active:cursor-grabbing"
          // A drag along the picture's free axis does not scroll the page; a drag along the other axis does.
          style={{ touchAction: room.x > 0 ? 'pan-y' : room.y > 0 ? 'pan-x' : 'auto' }}
        >
          <img
            src={source}
            alt=""
            draggable={false}
            className="size-full object-cover"
            style={{ objectPosition: `${point.x}% ${point.y}%` }}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setRoom({ x: Math.max(width / height - 1, 0), y: Math.max(height / width - 1, 0) })
            }
            onError={() => setUndrawn(true)}
          />
        </div>
      )}
      <div className="flex min-w-0 flex-1 basis-52 flex-col gap-2">
        {file && <p className="text-sm wrap-anywhere">{namedFile(file)}</p>}
        {isUndrawn && <p className="text-sm">{NOT_DRAWN}</p>}
        {slider('x', 'Cadrage horizontal')}
        {slider('y', 'Cadrage vertical')}
        {room.x + room.y > 0 && (
          <p className="text-sm text-quiet">
            Le site montre ce carré{'\u202f'}: faites glisser la photo pour choisir ce qu’il contient.
          </p>
        )}
      </div>
    </div>
  );
}

const NOT_DRAWN =
  'Aperçu impossible dans ce navigateur\u202f: la photo sera bien envoyée, son cadrage se choisit une fois qu’elle est enregistrée.';

interface SliderProps {
  label: string;
  name: string;
  input: RefObject<HTMLInputElement | null>;
  first: string;
  /** False when nothing can move along this axis: the slider is hidden, and its value is sent all the same. */
  isUseful: boolean;
  onMoved(value: number): void;
}

function Slider({ label, name, input, first, isUseful, onMoved }: SliderProps) {
  const id = useId();
  return (
    <div hidden={!isUseful}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        name={name}
        type="range"
        min={0}
        max={100}
        defaultValue={first}
        className="block min-h-11 w-full"
        onInput={({ currentTarget }) => onMoved(currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** Dragging of the picture: moves the sliders and sends their `input` events, so that the form notices the change. */
function useDrag(room: Room, sliders: Record<'x' | 'y', RefObject<HTMLInputElement | null>>) {
  const start = useRef({ x: 0, y: 0, left: 0, top: 0 });
  const move = (axis: 'x' | 'y', value: number) => {
    const slider = sliders[axis].current;
    if (!slider || room[axis] === 0) return;
    slider.valueAsNumber = Math.round(value);
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  return {
    onPointerDown: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
      currentTarget.setPointerCapture(pointerId);
      const percentOf = (axis: 'x' | 'y') => sliders[axis].current?.valueAsNumber ?? 0;
      start.current = { x: clientX, y: clientY, left: percentOf('x'), top: percentOf('y') };
    },
    onPointerMove: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
      if (!currentTarget.hasPointerCapture(pointerId)) return;
      const { x, y, left, top } = start.current;
      const percent = 100 / currentTarget.clientWidth;
      move('x', left - ((clientX - x) * percent) / room.x);
      move('y', top - ((clientY - y) * percent) / room.y);
    },
  };
}
