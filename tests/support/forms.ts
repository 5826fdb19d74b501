import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A value of a form: text, or a file as `[bytes, name, type]`. */
export type FormValue = string | [Uint8Array, string, string?];

/** FormData from pairs, in order; a list gives a repeated field. */
export function form(values: Record<string, FormValue | FormValue[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) {
    const list =
      Array.isArray(value) && !(value[0] instanceof Uint8Array)
        ? (value as FormValue[])
        : [value as FormValue];
    for (const one of list) {
      if (typeof one === 'string') data.append(name, one);
      else
        data.append(
          name,
          new Blob([one[0] as Uint8Array<ArrayBuffer>], { type: one[2] ?? 'application/octet-stream' }),
          one[1],
        );
    }
  }
  return data;
}

/** A photograph of the example content, as a file of a form. */
export async function picture(name = 'sentier-picos.jpg'): Promise<[Uint8Array, string, string]> {
  const bytes = await readFile(join(import.meta.dirname, '../../features/example/fixtures/pictures', name));
  return [bytes, name, 'image/jpeg'];
}
