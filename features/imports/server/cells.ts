/* What the cells of a list mean. */

/** The e-mail addresses of a cell, in their order; a text without any stays as it is, alone. */
export function readAddresses(cell: string): string[] {
  return cell.split(/[\s;,/]+/).filter((part) => part !== '');
}
