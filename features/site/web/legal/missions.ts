import { HeartPulse, type LucideIcon, MessagesSquare, TentTree, TrendingUp } from 'lucide-react';

/** What the law gives a works council to do, and by which articles of the Code du travail. */
export interface Mission {
  title: string;
  Icon: LucideIcon;
  lead: string;
  /** In any company that has a council. */
  always: readonly string[];
  /** From fifty employees on, beside it. */
  fromFifty: readonly string[];
  articles: string;
}

export const MISSIONS: readonly Mission[] = [
  {
    title: 'Économique',
    Icon: TrendingUp,
    lead: 'Faire entendre les salariés dans les décisions qui engagent l’avenir de l’entreprise.',
    always: [],
    fromFifty: [
      'Nous sommes consultés sur les orientations stratégiques et sur la situation économique et financière.',
      'Nous sommes informés et consultés sur ce qui touche l’organisation, la gestion et la marche générale : effectifs, organisation juridique ou économique, durée du travail, formation, nouvelles technologies, avec leurs conséquences pour l’environnement.',
      'Nous le sommes aussi en cas de restructuration ou de licenciement collectif pour motif économique.',
      'Quand des faits préoccupants touchent la situation économique, nous pouvons demander des explications à l’employeur : c’est le droit d’alerte économique.',
    ],
    articles: 'Code du travail, articles L2312-8, L2312-17, L2312-37 et L2312-63',
  },
  {
    title: 'Sociale',
    Icon: MessagesSquare,
    lead: 'Porter la parole de chacun, défendre les droits de tous.',
    always: [
      'Nous présentons à l’employeur les réclamations, individuelles ou collectives, sur les salaires, le Code du travail, la protection sociale, les conventions et les accords.',
      'Nous pouvons saisir l’inspection du travail de plaintes et d’observations.',
      'Nous alertons l’employeur en cas d’atteinte aux droits des personnes, à leur santé ou aux libertés individuelles.',
    ],
    fromFifty: [
      'Nous sommes consultés sur la politique sociale, les conditions de travail et l’emploi.',
      'Nous le sommes avant tout moyen de contrôler l’activité des salariés.',
      'Nous proposons ce qui peut améliorer le travail, l’emploi, la formation et les garanties collectives.',
    ],
    articles: 'Code du travail, articles L2312-5, L2312-12, L2312-17, L2312-38 et L2312-59',
  },
  {
    title: 'Santé et sécurité',
    Icon: HeartPulse,
    lead: 'Veiller à la santé, à la sécurité et aux conditions de travail.',
    always: [
      'Nous contribuons à promouvoir la santé, la sécurité et de meilleures conditions de travail.',
      'Nous enquêtons après un accident du travail ou une maladie professionnelle.',
      'Nous alertons l’employeur en cas de danger grave et imminent, ou de risque grave pour la santé publique ou l’environnement.',
    ],
    fromFifty: [
      'Nous analysons les risques professionnels et proposons des actions de prévention, contre le harcèlement et les agissements sexistes aussi.',
      'Nous menons des inspections à intervalles réguliers.',
      'Nous sommes informés des visites de l’inspection du travail et pouvons y présenter nos observations.',
    ],
    articles: 'Code du travail, articles L2312-5, L2312-9, L2312-10, L2312-13 et L2312-60',
  },
  {
    title: 'Activités sociales et culturelles',
    Icon: TentTree,
    lead: 'Rendre les vacances, la culture, le sport et les loisirs plus accessibles.',
    always: [],
    fromFifty: [
      'Nous assurons ou contrôlons les activités sociales et culturelles de l’entreprise, ou participons à leur gestion.',
      'Elles sont d’abord pour les salariés, leur famille et les stagiaires.',
      'L’employeur les finance par une contribution que fixe un accord d’entreprise.',
    ],
    articles: 'Code du travail, articles L2312-78 et L2312-81',
  },
];

export const MEANS: readonly { title: string; text: string; articles: string }[] = [
  {
    title: 'Du temps',
    text: 'Chaque titulaire a des heures de délégation, payées comme du travail : 10 heures par mois au moins en dessous de 50 salariés, 16 heures au moins à partir de 50.',
    articles: 'articles L2315-7 et L2315-10',
  },
  {
    title: 'Un budget de fonctionnement',
    text: 'À partir de 50 salariés, l’employeur verse chaque année 0,20 % de la masse salariale brute ; 0,22 % à partir de 2 000 salariés.',
    articles: 'article L2315-61',
  },
  {
    title: 'De la formation',
    text: 'Les élus sont formés à la santé et à la sécurité, cinq jours au moins lors du premier mandat. À partir de 50 salariés, les titulaires élus pour la première fois ont aussi droit à une formation économique.',
    articles: 'articles L2315-18 et L2315-63',
  },
  {
    title: 'De l’information',
    text: 'À partir de 50 salariés, une base de données économiques, sociales et environnementales est à la disposition du comité, qui peut se faire aider par un expert dans les cas que la loi prévoit.',
    articles: 'articles L2312-18 et L2315-78',
  },
];
