import type { Decision } from '#features/photos/shared/terms.ts';

/** The photos of the stay of the example that is under way, and what its directors wrote of its days. */

export interface ExamplePhoto {
  /** Names the photo in the example: that of its file in `pictures`, without its ending. */
  cle: string;
  /** Days from now to the one it was taken on, and the hour. */
  inDays: number;
  time: string;
  legende: string;
  statut: Decision;
  /** What was written by whoever asked for its removal. */
  removal?: string;
}

/** The `cle` of the stay. */
export const PHOTOGRAPHED = 'cabanes-et-rivieres';

const published = (cle: string, inDays: number, time: string, legende = ''): ExamplePhoto => ({
  ...{ cle, inDays, time, legende },
  statut: 'publiee',
});
const toCheck = (cle: string, time: string): ExamplePhoto => ({
  ...{ cle, inDays: -1, time, legende: '' },
  statut: 'a_verifier',
});

export const photos: readonly ExamplePhoto[] = [
  published('chiens-a-la-fenetre', -4, '14:12', 'Le comité d’accueil nous attendait.'),
  published('prairie-en-montagne', -4, '16:30', 'Le pré des grands jeux.'),
  published('pissenlits-au-couchant', -4, '20:41'),
  published('ruisseau-en-foret', -3, '09:55', 'Le Gué aux Loutres\u202f: sept cascades, zéro loutre.'),
  published('petites-cascades', -3, '10:20'),
  published('ruisseau-debout', -3, '10:48'),
  published('libellule', -3, '11:15', 'Elle est restée posée le temps de la photo.'),
  published('figue', -3, '16:02', 'Le goûter.'),
  published('coucher-de-soleil', -3, '20:55'),
  published('sittelle', -2, '08:40', 'Une sittelle, la tête en bas comme il se doit.'),
  published('melezes-automne', -2, '10:30'),
  published('djembe', -2, '17:10', 'Répétition pour la veillée.'),
  published('pissenlit-debout', -2, '19:50'),
  toCheck('pinceaux-de-couleur', '10:05'),
  toCheck('collines-au-couchant', '20:35'),
  toCheck('pre-au-soleil-couchant', '20:44'),
  {
    ...{ cle: 'chiens-debout', inDays: -2, time: '14:25', legende: '' },
    statut: 'retiree',
    removal: 'Ce sont nos chiens, et on reconnaît la maison.',
  },
];

export const words: readonly { inDays: number; mot: string }[] = [
  {
    inDays: -3,
    mot:
      'Premier bain de pieds dans la rivière\u202f: l’eau était à douze degrés, les cris aussi hauts que prévu. Trois ' +
      'barrages construits, un seul a tenu.\n\nCe soir, chamallows et histoires au coin du feu.',
  },
  {
    inDays: -2,
    mot:
      'Les cabanes avancent\u202f: quatre murs, bientôt un toit. La sieste s’est faite sous les mélèzes, au chant d’une ' +
      'sittelle que plus personne n’ose déranger.',
  },
];
