/** « 3 séjours », « 1 200 séjours créés »: every word agrees. */
export function countOf(count: number, words: string): string {
  const agreed = count > 1 ? words.replace(/\S+/g, '$&s') : words;
  return `${count.toLocaleString('fr-FR')}\u00a0${agreed}`;
}
