import { type ClipboardEvent, useEffect, useState } from 'react';
import { atMost, PDF_BYTES, PICTURE_BYTES, TABLE_BYTES, weightOf } from '#platform/shared/bytes.ts';

/** A sort of file, as far as a browser can tell; the bytes decide, on the server. */
interface FileSort {
  /** What the browser’s own dialog offers. */
  accept: string;
  /** Why a file is not worth sending, if so. */
  whyNot(file: File): string | undefined;
}

const SEEMS_PICTURE = /^image\/(jpeg|png|webp|avif|hei[cf])$|\.(jpe?g|png|webp|avif|hei[cf])$/i;
const SEEMS_PDF = /^application\/pdf$|\.pdf$/i;
/** By its name: with Excel installed, browsers give a CSV the type of an old workbook. */
const SEEMS_TABLE = /^text\/csv$|\.(csv|xlsx)$/i;

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
  accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  whyNot(file) {
    if (file.size > TABLE_BYTES) return `ce fichier est trop lourd (${atMost(TABLE_BYTES)}).`;
    return seems(SEEMS_TABLE, file) ? undefined : 'un fichier CSV ou Excel (.xlsx) est attendu.';
  },
};

function seems(pattern: RegExp, { type, name }: File): boolean {
  return pattern.test(type) || pattern.test(name);
}

/** « vacances.jpg (340 Ko) ». */
export function namedFile({ name, size }: File): string {
  return `${name} (${weightOf(size)})`;
}

/** An address under which this page alone sees a file; undefined at first. */
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

/** The file chosen for a form: a new one, the removal of the one there is, or no change. */
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
    /** Takes the new file back, else the one there is away. */
    remove: () => take(file === undefined),
    reset: () => take(false),
    /** For the form: a picture pasted anywhere in it is its picture; what comes with a text is the text. */
    pastePicture(event: ClipboardEvent): void {
      const { files, types } = event.clipboardData;
      const pasted = [...files].find(({ type }) => type.startsWith('image/'));
      if (!pasted || types.includes('text/plain')) return;
      event.preventDefault();
      choose(pasted);
    },
  };
}
