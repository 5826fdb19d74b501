const collator = new Intl.Collator('fr', { sensitivity: 'base' });

interface Named {
  id: number;
  nom: string;
  prenom: string;
}

/** The order of people in a French list: by name, accents and case aside. */
export function byName(a: Named, b: Named): number {
  return collator.compare(a.nom, b.nom) || collator.compare(a.prenom, b.prenom) || a.id - b.id;
}
