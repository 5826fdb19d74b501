/**
 * One form for spellings that people take for one another: « Élodie », « elodie » and « ELODIE ». For comparing
 * names, never for showing them.
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
