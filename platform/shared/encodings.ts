/** Encodings in which lists come, with what people call them. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
  win1252: 'Windows (1252)',
  cp850: 'MS-DOS (850)',
  macroman: 'Macintosh (MacRoman)',
  'iso-8859-15': 'ISO 8859-15',
} as const;
export type Encoding = keyof typeof ENCODINGS;
