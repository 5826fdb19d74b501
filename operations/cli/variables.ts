/**
 * Reads variables as systemd reads a file of them: `NAME=value` a line, perhaps between quotes; a `#` starts a comment at
 * the start of a line only.
 */
export function variablesIn(text: string): Record<string, string> {
  const found = text.matchAll(/^\s*([A-Za-z_]\w*)=(?:"(.*)"|'(.*)'|(.*?))\s*$/gm);
  return Object.fromEntries(
    [...found].map(([, name = '', double, single, plain]) => [name, double ?? single ?? plain ?? '']),
  );
}
