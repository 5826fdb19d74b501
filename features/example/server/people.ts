/**
 * The people of the example, each after the one above. They are invented; the telephone numbers are of those that
 * are given to nobody. Photographs of nature stand for those of people.
 */

export interface ExamplePerson {
  /** Names the person in the example; stays as it is when the texts change. */
  cle: string;
  /** The `cle` of the person above. */
  manager?: string;
  prenom: string;
  nom: string;
  poste: string;
  role: 'Responsable' | 'Employé';
  email: string;
  telephone: string;
  /** What is not for visitors. */
  hides?: readonly ('email' | 'telephone')[];
  /** `left`: percents of what a square leaves out that lie to its left. */
  photo?: { picture: string; alt: string; left: number };
}

export const people: ExamplePerson[] = [
  {
    cle: 'direction',
    prenom: 'Bastien',
    nom: 'Okonkwo',
    poste: 'Directeur général',
    role: 'Responsable',
    email: 'bastien.okonkwo@example.org',
    telephone: '01 99 00 12 00',
    hides: ['telephone'],
    photo: {
      picture: 'sommets-enneiges.jpg',
      alt: 'Sommets rocheux avec des plaques de neige, en guise de portrait',
      left: 45,
    },
  },
  {
    cle: 'ressources-humaines',
    manager: 'direction',
    prenom: 'Awa',
    nom: 'Delmas',
    poste: 'Responsable des ressources humaines',
    role: 'Responsable',
    email: 'awa.delmas@example.org',
    telephone: '01 99 00 12 10',
  },
  {
    cle: 'paie',
    manager: 'ressources-humaines',
    prenom: 'Théo',
    nom: 'Nguyen-Roux',
    poste: 'Gestionnaire de paie',
    role: 'Employé',
    email: 'theo.nguyen-roux@example.org',
    telephone: '01 99 00 12 11',
  },
  {
    cle: 'accueil',
    manager: 'ressources-humaines',
    prenom: 'Inès',
    nom: 'Kerviel',
    poste: 'Chargée d’accueil au siège',
    role: 'Employé',
    email: 'ines.kerviel@example.org',
    telephone: '01 99 00 12 12',
  },
  {
    cle: 'sejours',
    manager: 'direction',
    prenom: 'Marek',
    nom: 'Vasseur',
    poste: 'Directeur des séjours',
    role: 'Responsable',
    email: 'marek.vasseur@example.org',
    telephone: '01 99 00 12 20',
  },
  {
    cle: 'melezes',
    manager: 'sejours',
    prenom: 'Leïla',
    nom: 'Fontanel',
    poste: 'Directrice du centre des Mélèzes',
    role: 'Responsable',
    email: 'leila.fontanel@example.org',
    telephone: '01 99 00 12 30',
  },
  {
    cle: 'melezes-cuisine',
    manager: 'melezes',
    prenom: 'Soraya',
    nom: 'Bonnemain',
    poste: 'Cheffe de cuisine',
    role: 'Employé',
    email: 'soraya.bonnemain@example.org',
    telephone: '',
    hides: ['email'],
  },
  {
    cle: 'melezes-nature',
    manager: 'melezes',
    prenom: 'Jules',
    nom: 'Etcheverry',
    poste: 'Animateur nature',
    role: 'Employé',
    email: 'jules.etcheverry@example.org',
    telephone: '01 99 00 12 32',
    hides: ['email', 'telephone'],
    photo: {
      picture: 'libellule.jpg',
      alt: 'Libellule jaune au bout d’une branche, en guise de portrait',
      left: 30,
    },
  },
  {
    cle: 'melezes-sante',
    manager: 'melezes',
    prenom: 'Pauline',
    nom: 'Rakoto',
    poste: 'Assistante sanitaire',
    role: 'Employé',
    email: 'pauline.rakoto@example.org',
    telephone: '01 99 00 12 33',
    hides: ['telephone'],
  },
  {
    cle: 'cretes',
    manager: 'sejours',
    prenom: 'Gaël',
    nom: 'Tamboura',
    poste: 'Directeur du centre des Crêtes',
    role: 'Responsable',
    email: 'gael.tamboura@example.org',
    telephone: '01 99 00 12 40',
  },
  {
    cle: 'cretes-musique',
    manager: 'cretes',
    prenom: 'Nadia',
    nom: 'Le Goff',
    poste: 'Animatrice musique',
    role: 'Employé',
    email: 'nadia.le-goff@example.org',
    telephone: '01 99 00 12 41',
    photo: {
      picture: 'djembe.jpg',
      alt: 'Djembé posé sur un coussin, en guise de portrait',
      left: 5,
    },
  },
  {
    cle: 'cretes-entretien',
    manager: 'cretes',
    prenom: 'Émile',
    nom: 'Castagné',
    poste: 'Agent technique',
    role: 'Employé',
    email: 'emile.castagne@example.org',
    telephone: '',
  },
  {
    cle: 'cse',
    prenom: 'Maud',
    nom: 'Ferreira',
    poste: 'Secrétaire du CSE',
    role: 'Responsable',
    email: 'maud.ferreira@example.org',
    telephone: '01 99 00 12 50',
  },
  {
    cle: 'cse-tresorier',
    manager: 'cse',
    prenom: 'Ousmane',
    nom: 'Chardin',
    poste: 'Trésorier du CSE',
    role: 'Employé',
    email: 'ousmane.chardin@example.org',
    telephone: '01 99 00 12 51',
  },
  {
    cle: 'cse-sante',
    manager: 'cse',
    prenom: 'Clara',
    nom: 'Wisniewski',
    poste: 'Élue, commission santé, sécurité et conditions de travail',
    role: 'Employé',
    email: 'clara.wisniewski@example.org',
    telephone: '',
  },
  {
    cle: 'cse-loisirs',
    manager: 'cse',
    prenom: 'Yann',
    nom: 'Belkacem',
    poste: 'Élu, commission vacances et loisirs',
    role: 'Employé',
    email: 'yann.belkacem@example.org',
    telephone: '01 99 00 12 53',
    hides: ['telephone'],
    photo: {
      picture: 'sittelle.jpg',
      alt: 'Sittelle la tête en bas sur un tronc, en guise de portrait',
      left: 55,
    },
  },
];
