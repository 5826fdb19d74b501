import { FileText, FileUp } from 'lucide-react';
import { useRef } from 'react';
import { atMost, PDF_BYTES } from '#platform/shared/bytes.ts';
import { FileZone } from './FileZone.tsx';
import { type FileChoice, namedFile, PDFS } from './files.ts';

interface PdfFieldProps {
  label: string;
  name: string;
  choice: FileChoice;
  error: string | undefined;
}

/** A field to choose or drop a PDF, which shows its name. */
export function PdfField({ label, name, choice, error }: PdfFieldProps) {
  const { file, trouble } = choice;
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <FileZone
      label={label}
      name={name}
      accept={PDFS.accept}
      isRequired
      isFilled={file !== undefined}
      action={file ? 'Changer de fichier' : 'Choisir un fichier'}
      Icon={FileUp}
      opener={opener}
      help={`Déposez un fichier ici. PDF, ${atMost(PDF_BYTES)}.`}
      errors={[trouble ?? error]}
      onFiles={([chosen]) => choice.choose(chosen)}
    >
      {file && (
        <p className="flex items-center gap-2 wrap-anywhere">
          <FileText aria-hidden="true" className="size-6 shrink-0 text-pine" />
          {namedFile(file)}
        </p>
      )}
    </FileZone>
  );
}
