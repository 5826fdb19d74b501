import { ImagePlus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { atMost, PICTURE_BYTES } from '#platform/shared/bytes.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { TextField } from './Field.tsx';
import { FilePreview, FileZone } from './FileZone.tsx';
import { type Focus, FocusField, MIDDLE } from './FocusField.tsx';
import { type FileChoice, PICTURES } from './files.ts';
import { Picture } from './Picture.tsx';

export const ALTERNATIVE_TEXT = 'Texte alternatif de l’image';

interface ImageFieldProps {
  label: string;
  name: string;
  choice: FileChoice;
  /** The stored picture. */
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
            <button
              type="button"
              className="button danger"
              onClick={() => {
                choice.remove();
                opener.current?.focus();
              }}
            >
              <Trash2 aria-hidden="true" className="size-5" />
              Retirer l’image
            </button>
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
