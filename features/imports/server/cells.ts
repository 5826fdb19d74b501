import { emailAddress } from '#platform/shared/text.ts';

/* What the cells of a list mean. */

const plain = emailAddress(254);

/** The addresses of a cell; undefined when something in it is none. */
export function readAddresses(cell: string): string[] | undefined {
  const found = cell.split(/[\s;,/]+/).filter((part) => part !== '');
  return found.every((address) => plain.safeParse(address).success) ? found : undefined;
}
