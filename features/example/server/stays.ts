import type { Category, EvaluationQuestion, ReviewSection } from '#features/stays/shared/terms.ts';

/**
 * The stays of the example, with those who direct them and what was said of them afterwards. Invented, like the
 * rest of the example; the telephone numbers are of those that are given to nobody, and the addresses of a domain
 * that receives no mail.
 */

export interface ExampleStay {
  /** Names the stay in the example; stays as it is when the texts change. */
  cle: string;
  nom_stage: string;
  /** Days from now to the first day, negative for one in the past, and from the first day to the last. */
  inDays: number;
  nights: number;
  adresse: string;
  horaires: string;
  telephone_urgence: string;
  consignes: string;
  /** How many take part. */
  children: number;
  review?: readonly { code: ReviewSection; note: number | null; commentaire: string }[];
  evaluations?: readonly ExampleEvaluation[];
}

interface ExampleEvaluation {
  notes: Partial<Record<EvaluationQuestion, number>>;
  recommande: boolean | null;
  texte: string;
}

export interface ExampleDirector {
  cle: string;
  prenom: string;
  nom: string;
  mail: string;
  telephone: string;
  /** The `cle` of each stay, and what is directed there. */
  stays: readonly { stay: string; cat: Category }[];
}

export interface ExampleBooklet {
  cle: string;
  nom: string;
  title: string;
  paragraphs: string[];
}

export const stays: readonly ExampleStay[] = [
  {
    cle: 'petits-naturalistes',
    nom_stage: 'Petits naturalistes',
    inDays: -38,
    nights: 7,
    adresse: 'Centre des Mélèzes\n4 chemin de la Combe\n05999 Val-des-Mélèzes',
    horaires: 'Arrivée le premier jour entre 14 h et 16 h.\nDépart le dernier jour à 10 h 30.',
    telephone_urgence: '01 99 00 21 10',
    consignes:
      'Dans le sac : des bottes, une gourde, un carnet et de quoi dessiner.\n\n' +
      'Pas de téléphone pendant les sorties : les oiseaux n’aiment pas les sonneries.',
    children: 18,
    review: [
      {
        code: 'effectifs',
        note: 5,
        commentaire: 'Dix-huit enfants, tous présents du premier au dernier jour.',
      },
      {
        code: 'hebergement',
        note: 4,
        commentaire: 'Chambres propres. Une fenêtre ferme mal au premier étage.',
      },
      { code: 'repas', note: 5, commentaire: 'La cuisine a suivi toutes les allergies sans une erreur.' },
      { code: 'activites', note: 5, commentaire: 'La veillée aux chauves-souris restera.' },
      { code: 'sante_securite', note: 4, commentaire: 'Deux tiques retirées, aucun autre soin.' },
      { code: 'a_ameliorer', note: null, commentaire: 'Il manque trois paires de jumelles.' },
    ],
    evaluations: [
      {
        notes: { accueil: 5, hebergement: 4, repas: 5, activites: 5, equipe: 5, photos: 5 },
        recommande: true,
        texte:
          'Notre fille connaît maintenant le chant de sept oiseaux. Nous aussi, par la force des choses.',
      },
      {
        notes: { accueil: 4, hebergement: 4, repas: 3, activites: 5, equipe: 5 },
        recommande: true,
        texte: '',
      },
      {
        notes: { accueil: 3, hebergement: 4, repas: 4, activites: 4, equipe: 5, photos: 2 },
        recommande: null,
        texte: 'Très bon séjour ; nous aurions aimé des nouvelles dès le premier soir.',
      },
    ],
  },
  {
    cle: 'roue-libre',
    nom_stage: 'Roue libre, l’itinérance à vélo',
    inDays: -21,
    nights: 9,
    adresse: 'Départ : gare de Montbrune\nArrivée : base de plein air des Aulnes, 38999 Saint-Loup',
    horaires: 'Rendez-vous à la gare le premier jour à 9 h 15.\nRetour le dernier jour vers 17 h 30.',
    telephone_urgence: '01 99 00 21 20',
    consignes:
      'Les vélos et les casques sont fournis. Deux cuissards, un coupe-vent et des lunettes suffisent.\n\n' +
      'Un bagage de 8 kg au plus : la remorque a ses limites.',
    children: 12,
  },
  {
    cle: 'apprentis-du-cirque',
    nom_stage: 'Les apprentis du cirque',
    inDays: -5,
    nights: 11,
    adresse: 'Domaine des Grands Pins\n12 allée du Chapiteau\n40999 Lande-sur-Mer',
    horaires: 'Arrivée le premier jour à partir de 14 h.\nSpectacle le dernier jour à 15 h, puis départ.',
    telephone_urgence: '01 99 00 21 30',
    consignes:
      'Des vêtements souples, des chaussettes qui ne glissent pas et un foulard.\n\n' +
      'Le spectacle du dernier jour est ouvert aux familles : prévenez-nous du nombre de places.\n\n' +
      'Appels des enfants entre 18 h et 19 h, les mercredis et les dimanches.',
    children: 24,
  },
  {
    cle: 'cabanes-et-rivieres',
    nom_stage: 'Cabanes et rivières',
    inDays: -4,
    nights: 9,
    adresse: 'Base du Gué aux Loutres\nRoute du Moulin\n24999 Rivemont',
    horaires: 'Arrivée le premier jour entre 13 h 30 et 15 h.\nDépart le dernier jour à 11 h.',
    telephone_urgence: '01 99 00 21 40',
    consignes:
      'Indispensables : des chaussures qui vont dans l’eau, une lampe, un duvet chaud.\n\n' +
      'L’attestation d’aisance aquatique est à remettre à l’arrivée.',
    children: 16,
  },
  {
    cle: 'theatre-d-ombres',
    nom_stage: 'Théâtre d’ombres',
    inDays: 10,
    nights: 6,
    adresse: 'Centre du Vieux Lavoir\n7 place du Marché\n71999 Clairbois',
    horaires: 'Arrivée le premier jour à 10 h, pique-nique dans le sac.\nDépart le dernier jour à 16 h.',
    telephone_urgence: '01 99 00 21 50',
    consignes: 'Une tenue sombre pour manipuler, des chaussons, une histoire à raconter.',
    children: 10,
  },
  {
    cle: 'cap-sur-les-iles',
    nom_stage: 'Cap sur les îles',
    inDays: 41,
    nights: 13,
    adresse: 'École de voile de l’Anse bleue\n1 quai des Hirondelles\n56999 Port-Sauvage',
    horaires: 'Train accompagné : rendez-vous le premier jour à 7 h 45.\nRetour le dernier jour vers 19 h.',
    telephone_urgence: '01 99 00 21 60',
    consignes:
      'Crème solaire, casquette avec un cordon, vêtements chauds pour le soir.\n\n' +
      'Les gilets et les combinaisons sont prêtés par l’école.',
    children: 14,
  },
];

export const directors: readonly ExampleDirector[] = [
  {
    cle: 'roxane',
    prenom: 'Roxane',
    nom: 'Milandre',
    mail: 'roxane.milandre@example.org',
    telephone: '06 39 98 31 01',
    stays: [
      { stay: 'petits-naturalistes', cat: 'sejour' },
      { stay: 'cabanes-et-rivieres', cat: 'sejour' },
    ],
  },
  {
    cle: 'tiago',
    prenom: 'Tiago',
    nom: 'Brévent',
    mail: 'tiago.brevent@example.org',
    telephone: '06 39 98 31 02',
    stays: [{ stay: 'roue-libre', cat: 'sejour' }],
  },
  {
    cle: 'solene',
    prenom: 'Solène',
    nom: 'Aubrac-Diop',
    mail: 'solene.aubrac-diop@example.org',
    telephone: '06 39 98 31 03',
    stays: [{ stay: 'apprentis-du-cirque', cat: 'sejour' }],
  },
  {
    cle: 'ferdinand',
    prenom: 'Ferdinand',
    nom: 'Lacaze',
    mail: 'ferdinand.lacaze@example.org',
    telephone: '06 39 98 31 04',
    stays: [{ stay: 'apprentis-du-cirque', cat: 'centre' }],
  },
  {
    cle: 'hanae',
    prenom: 'Hanaé',
    nom: 'Thévenot',
    mail: 'hanae.thevenot@example.org',
    telephone: '06 39 98 31 05',
    stays: [{ stay: 'theatre-d-ombres', cat: 'centre' }],
  },
  {
    cle: 'corentin',
    prenom: 'Corentin',
    nom: 'Pelouard',
    mail: 'corentin.pelouard@example.org',
    telephone: '06 39 98 31 06',
    stays: [{ stay: 'cap-sur-les-iles', cat: 'sejour' }],
  },
];

export const booklets: readonly ExampleBooklet[] = [
  {
    cle: 'depart',
    nom: 'Préparer le départ.pdf',
    title: 'Préparer le départ',
    paragraphs: [
      'Ce livret accompagne les familles avant un séjour. Cinq minutes suffisent pour le lire.',
      'Avant de partir',
      'Vérifiez la fiche sanitaire, l’autorisation de sortie et le droit à l’image. Ce dernier se change à ' +
        'tout moment, sans effet sur le séjour : il suffit de nous écrire.',
      'La valise',
      'Marquez chaque vêtement au nom de l’enfant. Laissez à la maison les bijoux, les consoles et tout ce ' +
        'qu’il serait triste de perdre. Un doudou, lui, est toujours le bienvenu.',
      'Donner des nouvelles',
      'Une lettre fait toujours plaisir. Pour le reste, l’équipe met chaque jour quelques nouvelles en ligne, et ' +
        'le téléphone d’urgence répond jour et nuit.',
    ],
  },
  {
    cle: 'vie-au-centre',
    nom: 'La vie au centre.pdf',
    title: 'La vie au centre',
    paragraphs: [
      'Une journée de séjour, du lever à la veillée, et les règles que nous tenons tous.',
      'Le rythme',
      'Lever échelonné à partir de 7 h 45, activités à 9 h 30, temps calme après le déjeuner, veillée à 20 h 30. ' +
        'Les plus petits se couchent les premiers.',
      'Les repas',
      'Les allergies et les régimes sont suivis par la cuisine. On goûte à tout, on ne force personne.',
      'Les règles',
      'Personne n’est laissé de côté, aucune moquerie ne passe. Un enfant qui ne va pas bien peut en parler à ' +
        'tout adulte de l’équipe, à toute heure.',
    ],
  },
];
