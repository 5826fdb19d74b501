const collator = new Intl.Collator('fr', { sensitivity: 'base' });

interface Named {
  id: number;
  nom: string;
  prenom: string;
}

/** Compares people for a French list: by name, accents and case aside. */
export function byName(a: Named, b: Named): number {
  return collator.compare(a.nom, b.nom) || collator.compare(a.prenom, b.prenom) || a.id - b.id;
}

/** Names joined as in « Oléron, Gérardmer et 3 autres »: `most` of them, the others are counted. */
export function named(names: readonly string[], most = 2): string {
  const others = names.length - most;
  const rest = others > 0 ? [others === 1 ? 'un autre' : `${others} autres`] : [];
  return new Intl.ListFormat('fr').format([...names.slice(0, most), ...rest]);
}
