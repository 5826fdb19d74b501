import { type ClipboardEvent, useEffect, useState } from 'react';
import { atMost, PDF_BYTES, PICTURE_BYTES, TABLE_BYTES, weightOf } from '#platform/shared/bytes.ts';

/** A kind of file, as far as a browser can tell; the server decides by the bytes. */
interface FileSort {
  /** The `accept` attribute of the file input. */
  accept: string;
  /** Why a file would be refused; undefined when it may be sent. */
  whyNot(file: File): string | undefined;
}

const SEEMS_PICTURE = /^image\/(jpeg|png|webp|avif|hei[cf])$|\.(jpe?g|png|webp|avif|hei[cf])$/i;
const SEEMS_PDF = /^application\/pdf$|\.pdf$/i;
/** Matches the type or the name: with Excel installed, browsers give a CSV the type of an old workbook. */
const SEEMS_TABLE = /^text\/csv$|\.(csv|tsv|txt|xls[xmb]?|f?ods|numbers|html?|xml|slk|dif|rtf)$/i;

export const PICTURES: FileSort = {
  accept: 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif',
  whyNot(file) {
    if (file.size > PICTURE_BYTES) return `cette image est trop lourde (${atMost(PICTURE_BYTES)}).`;
    return seems(SEEMS_PICTURE, file) ? undefined : 'une image JPEG, PNG, WebP, AVIF ou HEIC est attendue.';
  },
};

export const PDFS: FileSort = {
  accept: 'application/pdf,.pdf',
  whyNot(file) {
    if (file.size > PDF_BYTES) return `ce fichier est trop lourd (${atMost(PDF_BYTES)}).`;
    return seems(SEEMS_PDF, file) ? undefined : 'un fichier PDF est attendu.';
  },
};

export const TABLES: FileSort = {
  accept:
    '.csv,.tsv,.txt,.xlsx,.xls,.xlsm,.xlsb,.ods,.html,.xml,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  whyNot(file) {
    if (file.size > TABLE_BYTES) return `ce fichier est trop lourd (${atMost(TABLE_BYTES)}).`;
    return seems(SEEMS_TABLE, file)
      ? undefined
      : 'un fichier CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods) est attendu.';
  },
};

function seems(pattern: RegExp, { type, name }: File): boolean {
  return pattern.test(type) || pattern.test(name);
}

/** « vacances.jpg (340 Ko) ». */
export function namedFile({ name, size }: File): string {
  return `${name} (${weightOf(size)})`;
}

/** An object URL of a file, valid in this page only; undefined at first. */
export function useFileAddress(file: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [file]);
  return address;
}

export type FileChoice = ReturnType<typeof useFileChoice>;

/** The choice made in a form's file field: a new file, the removal of the stored one, or no change. */
export function useFileChoice({ whyNot }: FileSort) {
  const [file, setFile] = useState<File>();
  const [isRemoved, setRemoved] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  function choose(chosen: File | undefined): void {
    if (!chosen) return;
    const reason = whyNot(chosen);
    setTrouble(reason);
    if (reason) return;
    setFile(chosen);
    setRemoved(false);
  }
  function take(isTaken: boolean): void {
    setTrouble(undefined);
    setRemoved(isTaken);
    setFile(undefined);
  }
  return {
    file,
    isRemoved,
    isChanged: file !== undefined || isRemoved,
    trouble,
    choose,
    /** Drops the new file if there is one, else removes the stored one. */
    remove: () => take(file === undefined),
    reset: () => take(false),
    /** Takes a picture pasted anywhere in the form as the choice, unless the clipboard also holds text. */
    pastePicture(event: ClipboardEvent): void {
      const { files, types } = event.clipboardData;
      const pasted = [...files].find(({ type }) => type.startsWith('image/'));
      if (!pasted || types.includes('text/plain')) return;
      event.preventDefault();
      choose(pasted);
    },
  };
}
