/**
 * « de » before the name of a person, elided where French does: « d’Awa », « d’Hélène », « d’Yves »; « de Bilal », « de
 * Hamza », « de Yanis ». Whether an h is mute is a matter of use: it is one in most names, and aspirated in « Ha ».
 */
export function ofName(name: string): string {
  return ELIDES.test(name.normalize('NFKD').replace(/\p{M}/gu, '')) ? `d’${name}` : `de ${name}`;
}

const ELIDES = /^(?:[aeiouæœ]|h[eiouyœ]|y(?![aeiou]))/i;
