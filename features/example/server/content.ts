/**
 * What the example site says. Everything here is invented: the people, the partners, the figures, the places.
 *
 * Ages are in days so that the example always looks freshly kept, whenever it is set up. Only the minutes
 * name their date, as real ones do. The texts hold narrow no-break spaces (U+202F) where French wants them.
 */

interface Keyed {
  /** Names the item among those of its kind; stays as it is when the texts change. */
  cle: string;
}

/** A picture is a file name in pictures/, or null where the placeholder is to be seen. */
interface ExampleNews extends Keyed {
  titre: string;
  description: string;
  picture: string | null;
  alt: string;
  daysAgo: number;
}

interface ExampleFeatured extends ExampleNews {
  resume: string;
  lien_article: string;
}

interface ExampleBenefit extends ExampleNews {
  resume: string;
  lien_article: string;
}

export interface ExampleEvent extends Keyed {
  title: string;
  inDays: number;
  time: string;
  location: string;
  summary: string;
  article: string;
  picture: string | null;
  alt: string;
  images: { picture: string; alt: string }[];
}

interface ExamplePartner extends Keyed {
  nom: string;
  url_site: string;
  logo: string;
}

interface ExampleMinutes extends Keyed {
  nom: string;
  daysAgo: number;
  paragraphs: string[];
}

export const news: ExampleNews[] = [
  {
    cle: 'sejours-d-hiver',
    titre: 'Séjours d’hiver : les inscriptions des familles sont ouvertes',
    description:
      'Les enfants des salariés peuvent s’inscrire aux **séjours d’hiver** dès aujourd’hui. Trois ' +
      'centres ouvrent leurs portes, de la découverte de la neige dès 6 ans au séjour raquettes et nuit ' +
      'en refuge pour les 14-17 ans.\n\n' +
      'Le CSE prend en charge une part du prix selon votre quotient familial :\n\n' +
      '- jusqu’à 700 € : **60 %** du prix du séjour ;\n' +
      '- de 701 € à 1 100 € : **45 %** ;\n' +
      '- au-delà : **30 %**.\n\n' +
      'Les dossiers sont traités par ordre d’arrivée. Une question ? Passez à la permanence du mardi, de ' +
      '12 h 30 à 14 h, ou consultez [le mode d’emploi des aides](https://example.org/aides-sejours).',
    picture: 'sommets-enneiges.jpg',
    alt: 'Sommets rocheux avec des plaques de neige sous un ciel bleu',
    daysAgo: 2,
  },
  {
    cle: 'cheques-vacances',
    titre: 'Chèques-vacances : la campagne est ouverte',
    description:
      'Épargnez de 20 à 80 € par mois, le CSE complète : **25 % en plus**, et 40 % pour les salaires ' +
      'inférieurs à 2 100 € brut.\n\n' +
      'Les saisonniers et les contrats d’engagement éducatif qui comptent au moins trente jours de ' +
      'travail dans l’année y ont droit aussi, en un seul versement.\n\n' +
      'Les chèques arrivent au printemps, à votre adresse. Pensez à la vérifier auprès du secrétariat : ' +
      'le courrier perdu n’est pas remplacé !',
    picture: 'collines-au-couchant.jpg',
    alt: 'Soleil rasant sur une suite de collines sombres',
    daysAgo: 4,
  },
  {
    cle: 'sortie-raquettes',
    titre: 'Une sortie raquettes entre collègues, dès la première neige',
    description:
      'Le groupe « Montagne » du CSE propose une journée de raquettes ouverte à tous les niveaux : cinq ' +
      'heures de marche tranquille, un guide diplômé et une fondue au retour.\n\n' +
      'Le CSE paie le guide et le prêt du matériel. **Reste à votre charge : 18 €** pour le repas.\n\n' +
      'Prévoyez des chaussures montantes, des gants et de quoi grignoter. Vingt-quatre places ' +
      'seulement : les premiers inscrits seront les premiers servis.',
    picture: 'nuage-sur-les-cretes.jpg',
    alt: 'Grand nuage blanc entre deux crêtes de rochers, sur un ciel bleu profond',
    daysAgo: 7,
  },
  {
    cle: 'atelier-peinture',
    titre: 'Atelier peinture : retour en couleurs',
    description:
      'Quatorze collègues ont poussé la table du réfectoire pour un après-midi de peinture. Au ' +
      'programme : préparer ses couleurs, peindre large, et surtout ne rien réussir du premier coup.\n\n' +
      'Les grands formats décorent désormais le couloir du siège. Les pinceaux, eux, repartent dans les ' +
      'malles d’activités des séjours.\n\n' +
      'Un second atelier est prévu au printemps. **Dites-nous ce qui vous plairait** : linogravure, ' +
      'modelage, reliure ?',
    picture: 'pinceaux-de-couleur.jpg',
    alt: 'Gros pinceaux pleins de peinture bleue, verte, rose et jaune',
    daysAgo: 11,
  },
  {
    cle: 'teletravail',
    titre: 'Télétravail : l’accord est prolongé d’un an',
    description:
      'La direction et les organisations syndicales ont signé un avenant qui **prolonge l’accord ' +
      'télétravail** pour douze mois, aux mêmes conditions : deux jours par semaine pour les postes du ' +
      'siège, un jour pour les postes administratifs des centres.\n\n' +
      'Deux précisions attendues y figurent :\n\n' +
      '- l’indemnité passe de 2,20 € à **2,70 € par jour** ;\n' +
      '- les jours non pris pendant les départs de séjours peuvent être reportés sur le mois suivant.\n\n' +
      'Le texte complet est affiché dans chaque centre et peut être demandé à la secrétaire du CSE.',
    picture: null,
    alt: '',
    daysAgo: 15,
  },
  {
    cle: 'travaux-aux-melezes',
    titre: 'L’automne au centre des Mélèzes : dix jours de travaux',
    description:
      'Profitant de la fermeture entre deux saisons, le centre des Mélèzes refait la toiture du bâtiment ' +
      'des cuisines. Les équipes sont accueillies dans l’annexe et les repas sont livrés.\n\n' +
      'La commission santé, sécurité et conditions de travail a visité le chantier : **circulation ' +
      'séparée**, bruit limité au matin, pause café maintenue (on y tenait).\n\n' +
      'Fin des travaux prévue avant les premières neiges.',
    picture: 'melezes-automne.jpg',
    alt: 'Bois aux couleurs rousses d’automne au-dessus d’un pré vert',
    daysAgo: 19,
  },
  {
    cle: 'formation-des-animateurs',
    titre: 'Formation des animateurs : deux journées nature en forêt',
    description:
      'Lire une carte, reconnaître les traces, installer un bivouac qui ne laisse rien derrière lui : ' +
      'deux journées de formation sont proposées aux animatrices et animateurs permanents.\n\n' +
      'Elles comptent comme temps de travail et les frais de route sont remboursés. **Inscription auprès ' +
      'de votre direction de centre**, avec copie au CSE pour que nous suivions les demandes.\n\n' +
      'Le groupe est limité à douze personnes, pour pouvoir s’arrêter à chaque ruisseau.',
    picture: 'ruisseau-en-foret.jpg',
    alt: 'Ruisseau descendant en petites marches entre les rochers d’une forêt',
    daysAgo: 24,
  },
  {
    cle: 'elections',
    titre: 'Élections professionnelles : le calendrier',
    description:
      'Le mandat de vos élus arrive à son terme au printemps. Le protocole d’accord préélectoral est ' +
      'signé : le vote aura lieu **en ligne**, pendant une semaine, pour que les équipes en séjour ' +
      'puissent voter d’où elles sont.\n\n' +
      '- Affichage des listes électorales ;\n' +
      '- dépôt des candidatures ;\n' +
      '- premier tour, puis second tour si nécessaire.\n\n' +
      'Envie de vous présenter ? Les élus racontent leur rôle, sans langue de bois, lors de [la réunion ' +
      'd’information](https://example.org/elections).',
    picture: 'baie-depuis-le-pont.jpg',
    alt: 'Baie à marée basse et grand ciel bleu, vus d’entre les haubans d’un pont',
    daysAgo: 30,
  },
  {
    cle: 'oiseaux-du-parc',
    titre: 'Oiseaux du parc : le recensement des enfants',
    description:
      'Pendant les vacances d’automne, les enfants du séjour « Petits naturalistes » ont compté les ' +
      'oiseaux du parc. La vedette : une **sittelle** qui descend les troncs la tête en bas.\n\n' +
      'Résultat : dix-neuf espèces, trois carnets de croquis et une jolie affiche que le CSE a fait ' +
      'tirer pour tous les centres.\n\n' +
      'Vous pouvez retirer la vôtre au secrétariat, dans la limite des stocks.',
    picture: 'sittelle.jpg',
    alt: 'Sittelle descendant la tête en bas le long d’un tronc d’arbre',
    daysAgo: 37,
  },
  {
    cle: 'paniers-de-fruits',
    titre: 'Des paniers de fruits de saison livrés au siège',
    description:
      'Une ferme voisine livre chaque jeudi des paniers de fruits et de légumes. Le CSE prend en charge ' +
      '**un quart du prix** du petit panier (14 € au lieu de 18,50 €, soit 4,50 € d’économie).\n\n' +
      'Cette semaine : figues, raisin, poires et les premières courges.\n\n' +
      'Commande avant le mardi midi, retrait le jeudi entre 12 h et 18 h 30, sans engagement.',
    picture: 'figue.jpg',
    alt: 'Moitié de figue mûre dans une coupe rouge orangé',
    daysAgo: 44,
  },
  {
    cle: 'soiree-djembe',
    titre: 'Soirée djembé : le son est bon !',
    description:
      'On l’entendait depuis le parking. La soirée percussions a réuni une trentaine de personnes autour ' +
      'de deux intervenants patients et d’une montagne de poufs.\n\n' +
      'Merci à l’équipe technique qui a tout installé en une heure. Les instruments restent disponibles ' +
      '**au prêt pour les séjours** : il suffit de réserver.',
    picture: 'djembe.jpg',
    alt: 'Djembé posé sur un pouf en cuir clair, dans une salle au sol ocre',
    daysAgo: 52,
  },
  {
    cle: 'conges-d-ete',
    titre: 'Congés d’été : comment sont fixées les priorités',
    description:
      'L’ordre des départs en congé est l’une des questions qui reviennent le plus souvent. La règle, ' +
      'votée en réunion, tient compte dans l’ordre :\n\n' +
      '1. des enfants scolarisés ou d’un proche à charge ;\n' +
      '2. des congés du conjoint ;\n' +
      '3. de l’ancienneté, puis du choix de l’année précédente.\n\n' +
      '**Les départs sont affichés au moins deux mois à l’avance.** En cas de désaccord, parlez-en à un ' +
      'élu : presque tout se règle par un échange.',
    picture: 'pissenlits-au-couchant.jpg',
    alt: 'Boule de pissenlit éclairée par le soleil couchant dans un pré',
    daysAgo: 63,
  },
  {
    cle: 'chiens-au-bureau',
    titre: 'Chiens au bureau : le bilan de l’essai',
    description:
      'Pendant trois mois, le siège a accueilli des chiens un vendredi sur deux. Bilan : deux mascottes ' +
      'rousses, aucune chaussure perdue, une plante verte à remplacer.\n\n' +
      'Le sondage donne **72 % d’avis favorables**. Deux réserves ont été entendues : un bureau reste ' +
      'sans animaux pour les personnes allergiques, et la salle de réunion aussi.\n\n' +
      'L’essai est reconduit jusqu’à l’été prochain.',
    picture: 'chiens-a-la-fenetre.jpg',
    alt: 'Deux cockers roux penchés à la fenêtre d’une maison en bois',
    daysAgo: 74,
  },
  {
    cle: 'marche-solidaire',
    titre: 'Marche solidaire : 412 kilomètres parcourus',
    description:
      'Vous étiez 58 à marcher pour financer des départs en vacances d’enfants qui ne partent jamais. ' +
      'Ensemble, vous avez parcouru **412 kilomètres**, et l’association verse 2 € pour chacun d’eux.\n\n' +
      'Cela représente 824 €, complétés par le CSE à hauteur de 1 200 €. De quoi offrir une semaine à la ' +
      'montagne à quatre enfants.\n\n' +
      'Merci à toutes et à tous !',
    picture: 'sentier-picos.jpg',
    alt: 'Sentier de terre montant à travers l’alpage vers une paroi rocheuse tachée de neige',
    daysAgo: 88,
  },
  {
    cle: 'baignade',
    titre: 'Baignade et rivière : les règles à relire avant l’été',
    description:
      'Une eau claire n’est pas toujours une eau sûre. Avant chaque saison, la commission santé et ' +
      'sécurité rappelle les points à vérifier : **surveillance qualifiée**, périmètre balisé, effectif ' +
      'dans l’eau, point d’alerte connu de tous.\n\n' +
      'La fiche mémo tient sur une page. Elle est plastifiée et glissée dans chaque trousse de ' +
      'secours.\n\n' +
      'Un doute sur un lieu ? On ne se baigne pas, et on appelle la direction du centre.',
    picture: 'petites-cascades.jpg',
    alt: 'Petites cascades d’eau claire entre des rochers moussus',
    daysAgo: 120,
  },
  {
    cle: 'equipes-de-l-ete',
    titre: 'Bienvenue aux équipes de l’été',
    description:
      'Ils et elles sont **plus de deux cents** à rejoindre l’association pour la saison : animation, ' +
      'cuisine, entretien, assistance sanitaire, direction. Bienvenue !\n\n' +
      'Dès le premier jour de contrat, vous avez accès aux avantages du CSE : billetterie, location de ' +
      'vélos, prêt de matériel. Créez votre compte avec le numéro qui figure sur votre contrat.\n\n' +
      'Vos élus passent dans tous les centres pendant la saison. Arrêtez-les, c’est fait pour.',
    picture: 'pre-au-soleil-couchant.jpg',
    alt: 'Pré d’herbes hautes et de pissenlits dans une lumière dorée',
    daysAgo: 146,
  },
];

export const featured: ExampleFeatured[] = [
  {
    cle: 'famille-en-hiver',
    titre: 'Partir en famille cet hiver',
    resume: 'Une semaine à la montagne, à prix coûtant, dans nos propres centres.',
    description:
      'Quand les colonies sont rentrées, nos centres vous accueillent **en famille** : chambre de quatre ' +
      'à six lits, pension complète ou cuisine partagée, et prêt de luges.\n\n' +
      'Le prix est celui que l’association paie, moins l’aide du CSE. Les réservations se font par ' +
      'semaine entière.',
    lien_article: 'https://example.org/sejours-famille',
    picture: 'nuage-sur-les-cretes.jpg',
    alt: 'Grand nuage blanc entre deux crêtes de rochers, sur un ciel bleu profond',
    daysAgo: 3,
  },
  {
    cle: 'theatre',
    titre: 'Une fin d’année au théâtre',
    resume: 'Des places à tarif réduit pour les spectacles jeune public.',
    description:
      'Notre partenaire réserve soixante places aux familles des salariés pour son spectacle de décors ' +
      'peints et d’ombres.\n\n' +
      '**7 € la place**, goûter compris. Deux séances, à 11 h et à 16 h 30.',
    lien_article: '',
    picture: 'pinceaux-de-couleur.jpg',
    alt: 'Gros pinceaux pleins de peinture bleue, verte, rose et jaune',
    daysAgo: 9,
  },
  {
    cle: 'malle-musique',
    titre: 'Prêt de matériel : la nouvelle malle musique',
    resume: 'Djembés, ukulélés, enceinte : tout se réserve en ligne.',
    description:
      'La malle musique rejoint le catalogue du prêt : six djembés, quatre ukulélés, une enceinte sur ' +
      'batterie.\n\n' +
      'Le prêt est gratuit pour les salariés, **une semaine au plus**, contre un chèque de caution de ' +
      '80 € qui n’est pas encaissé.',
    lien_article: 'https://example.org/pret-materiel',
    picture: 'djembe.jpg',
    alt: 'Djembé posé sur un pouf en cuir clair, dans une salle au sol ocre',
    daysAgo: 18,
  },
  {
    cle: 'biodiversite',
    titre: 'Notre parc, refuge de biodiversité',
    resume: 'Mare, haies, nichoirs : un an d’actions, et déjà des résultats.',
    description:
      'La mare creusée l’an dernier est déjà habitée : tritons, notonectes et **sept espèces de ' +
      'libellules**.\n\n' +
      'Le CSE finance les panneaux et les carnets d’observation, réalisés avec les enfants des séjours.',
    lien_article: 'https://example.org/refuge',
    picture: 'libellule.jpg',
    alt: 'Libellule jaune posée au bout d’une branche devant un noisetier',
    daysAgo: 33,
  },
  {
    cle: 'week-end-des-equipes',
    titre: 'Week-end des équipes : inscrivez-vous',
    resume: 'Deux jours au grand air, sur les crêtes, pour se retrouver hors saison.',
    description:
      'Une fois par an, toutes les équipes se retrouvent. Cette année : montée à la table d’orientation ' +
      'pour le coucher du soleil, grand jeu et veillée.\n\n' +
      'Transport depuis chaque centre, hébergement et repas sont **pris en charge par le CSE**. Les ' +
      'conjoints et les enfants sont les bienvenus.',
    lien_article: '',
    picture: 'coucher-de-soleil.jpg',
    alt: 'Soleil couchant sur les collines, avec une table d’orientation en pierre au premier plan',
    daysAgo: 41,
  },
];

export const benefits: ExampleBenefit[] = [
  {
    cle: 'vacances-des-enfants',
    titre: 'Vacances des enfants',
    resume: 'De 30 à 60 % du prix d’un séjour, selon le quotient familial.',
    description:
      'Une aide par enfant et par an, pour un séjour de l’association ou d’un organisme agréé, dès 4 ans ' +
      'et jusqu’à 17 ans.\n\n' +
      'Joignez votre dernier **avis d’imposition** et la facture acquittée. Le versement se fait sous ' +
      'trois semaines.',
    lien_article: 'https://example.org/aides-sejours',
    picture: 'prairie-en-montagne.jpg',
    alt: 'Prairie verte bordée d’arbres d’automne, devant un massif montagneux',
    daysAgo: 6,
  },
  {
    cle: 'piscine',
    titre: 'Piscine Ondelise',
    resume: 'Carnet de dix entrées à 32 € au lieu de 46 €.',
    description:
      'Bassins, toboggan et espace bien-être. Les carnets sont **valables un an** et peuvent servir à ' +
      'toute la famille.\n\n' +
      'À retirer au secrétariat du CSE, dans la limite de trois carnets par an.',
    lien_article: 'https://example.org/ondelise',
    picture: 'petites-cascades.jpg',
    alt: 'Petites cascades d’eau claire entre des rochers moussus',
    daysAgo: 21,
  },
  {
    cle: 'velos',
    titre: 'Location de vélos',
    resume: 'Un vélo à assistance électrique dès 22 € par mois.',
    description:
      'La coopérative Vélombelle loue et entretient des vélos. Le CSE paie la moitié de l’abonnement, et ' +
      'l’employeur peut y ajouter le **forfait mobilités durables**.\n\n' +
      'Essai gratuit d’une semaine, antivol et casque compris.',
    lien_article: 'https://example.org/velombelle',
    picture: 'pre-au-soleil-couchant.jpg',
    alt: 'Pré d’herbes hautes et de pissenlits dans une lumière dorée',
    daysAgo: 28,
  },
  {
    cle: 'escalade',
    titre: 'Escalade chez Grimpolune',
    resume: 'Entrée à 8,50 € et chaussons prêtés.',
    description:
      'Murs d’initiation, salle de bloc et cours pour enfants le mercredi.\n\n' +
      'Montrez votre **carte CSE** à l’accueil : le tarif vaut pour vous et jusqu’à quatre accompagnants.',
    lien_article: 'https://example.org/grimpolune',
    picture: 'nuage-sur-les-cretes.jpg',
    alt: 'Grand nuage blanc entre deux crêtes de rochers, sur un ciel bleu profond',
    daysAgo: 35,
  },
  {
    cle: 'cinema',
    titre: 'Cinéma Zéphyrine',
    resume: 'Cinq places à 26 €, sans date limite.',
    description:
      'Une salle de quartier, un programme choisi, et l’été, des séances **en plein air** à la tombée de ' +
      'la nuit.\n\n' +
      'Les billets sont envoyés par courriel dès le paiement.',
    lien_article: 'https://example.org/zephyrine',
    picture: 'collines-au-couchant.jpg',
    alt: 'Soleil rasant sur une suite de collines sombres',
    daysAgo: 48,
  },
  {
    cle: 'loisirs-creatifs',
    titre: 'Loisirs créatifs et musique',
    resume: '40 € par an pour une inscription dans un atelier ou une école de musique.',
    description:
      'Peinture, poterie, chorale, guitare… L’aide vaut pour le salarié **ou** pour l’un de ses ' +
      'enfants.\n\n' +
      'Il suffit d’une attestation d’inscription datée de l’année scolaire en cours.',
    lien_article: 'https://example.org/loisirs-creatifs',
    picture: 'pinceaux-de-couleur.jpg',
    alt: 'Gros pinceaux pleins de peinture bleue, verte, rose et jaune',
    daysAgo: 57,
  },
  {
    cle: 'mutuelle',
    titre: 'Mutuelle Fougeline',
    resume: 'Une complémentaire négociée, sans délai de carence.',
    description:
      'L’employeur paie **55 %** de la formule de base. Deux options renforcent l’optique et le ' +
      'dentaire.\n\n' +
      'Une conseillère est présente au siège le premier jeudi du mois, de 9 h 30 à 12 h.',
    lien_article: 'https://example.org/fougeline',
    picture: 'pissenlits-au-couchant.jpg',
    alt: 'Boule de pissenlit éclairée par le soleil couchant dans un pré',
    daysAgo: 70,
  },
  {
    cle: 'fruits-et-legumes',
    titre: 'Panier de fruits et légumes',
    resume: 'Un quart du prix du petit panier est payé par le CSE.',
    description:
      'Des fruits et des légumes de saison, cultivés à moins de trente kilomètres.\n\n' +
      'Commande avant le mardi midi, **sans engagement**.',
    lien_article: 'https://example.org/paniers',
    picture: 'figue.jpg',
    alt: 'Moitié de figue mûre dans une coupe rouge orangé',
    daysAgo: 82,
  },
  {
    cle: 'librairie',
    titre: 'Librairie La Loutre Liseuse',
    resume: '5 % de remise et un bon de 15 € à chaque rentrée.',
    description:
      'Albums, romans, cartes de randonnée : la librairie met de côté vos commandes pendant quinze ' +
      'jours.\n\n' +
      'Le **bon de rentrée** est réservé aux parents d’enfants scolarisés.',
    lien_article: 'https://example.org/loutre-liseuse',
    picture: 'ruisseau-en-foret.jpg',
    alt: 'Ruisseau descendant en petites marches entre les rochers d’une forêt',
    daysAgo: 95,
  },
];

export const events: ExampleEvent[] = [
  {
    cle: 'reunion-elections',
    title: 'Réunion d’information sur les élections',
    inDays: 9,
    time: '12:30',
    location: 'Siège, salle des Cartes',
    summary: 'Tout comprendre au vote en ligne, en une heure et un sandwich.',
    article:
      'Qui vote ? Qui peut se présenter ? Combien d’heures de délégation ? Vos élus répondent à toutes ' +
      'les questions, même les plus simples.\n\n' +
      '**Un repas léger est offert.** La réunion est aussi suivie à distance par les centres.',
    picture: 'baie-depuis-le-pont.jpg',
    alt: 'Baie à marée basse et grand ciel bleu, vus d’entre les haubans d’un pont',
    images: [],
  },
  {
    cle: 'atelier-decors',
    title: 'Atelier « Fabrique tes décors »',
    inDays: 16,
    time: '14:00',
    location: 'Centre des Mélèzes, grande salle',
    summary: 'Peinture et papier découpé pour les veillées d’hiver.',
    article:
      'Deux heures pour préparer les décors des veillées, avec les enfants du mercredi. Le matériel est ' +
      'fourni, les tabliers aussi.\n\n' +
      'Venez avec de vieux vêtements et vos idées !',
    picture: 'pinceaux-de-couleur.jpg',
    alt: 'Gros pinceaux pleins de peinture bleue, verte, rose et jaune',
    images: [
      { picture: 'djembe.jpg', alt: 'Djembé posé sur un pouf en cuir clair, dans une salle au sol ocre' },
    ],
  },
  {
    cle: 'arbre-de-noel',
    title: 'Arbre de Noël des familles',
    inDays: 23,
    time: '15:30',
    location: 'Théâtre du Grelot Bleu',
    summary: 'Spectacle, goûter et surprise pour chaque enfant de moins de 12 ans.',
    article:
      'Le rendez-vous de toutes les familles : **un spectacle de 50 minutes**, puis un grand goûter.\n\n' +
      '- Ouverture des portes à 15 h ;\n' +
      '- spectacle à 15 h 30 ;\n' +
      '- goûter à 16 h 30.\n\n' +
      'Inscription indispensable pour les cadeaux.',
    picture: null,
    alt: '',
    images: [],
  },
  {
    cle: 'concert-de-percussions',
    title: 'Concert de percussions',
    inDays: 37,
    time: '19:00',
    location: 'Siège, réfectoire',
    summary: 'La troupe des soirées djembé joue enfin en public.',
    article:
      'Six mois de répétitions, neuf morceaux, et une scène ouverte pour finir.\n\n' +
      'Entrée libre, chacun apporte **quelque chose à partager**.',
    picture: 'djembe.jpg',
    alt: 'Djembé posé sur un pouf en cuir clair, dans une salle au sol ocre',
    images: [],
  },
  {
    cle: 'journee-raquettes',
    title: 'Journée raquettes',
    inDays: 58,
    time: '08:15',
    location: 'Départ du siège, en car',
    summary: 'Cinq heures de marche tranquille, guide et fondue.',
    article:
      'Une boucle sans difficulté, à la vitesse du dernier. Retour prévu vers 18 h 30.\n\n' +
      'À emporter : **lunettes de soleil**, gants, gourde et chaussettes de rechange.',
    picture: 'sommets-enneiges.jpg',
    alt: 'Sommets rocheux avec des plaques de neige sous un ciel bleu',
    images: [
      {
        picture: 'nuage-sur-les-cretes.jpg',
        alt: 'Grand nuage blanc entre deux crêtes de rochers, sur un ciel bleu profond',
      },
      {
        picture: 'sentier-picos.jpg',
        alt: 'Sentier de terre montant à travers l’alpage vers une paroi rocheuse tachée de neige',
      },
      {
        picture: 'prairie-en-montagne.jpg',
        alt: 'Prairie verte bordée d’arbres d’automne, devant un massif montagneux',
      },
    ],
  },
  {
    cle: 'week-end-des-equipes',
    title: 'Week-end des équipes',
    inDays: 176,
    time: '10:00',
    location: 'Centre des Crêtes',
    summary: 'Deux jours dehors pour se retrouver avant la saison.',
    article:
      'Grand jeu par équipes, baignade dans le torrent pour les courageux, montée à la table ' +
      'd’orientation au coucher du soleil.\n\n' +
      'Le CSE prend tout en charge, **car compris**. Dites-nous vos régimes alimentaires à l’inscription.',
    picture: 'coucher-de-soleil.jpg',
    alt: 'Soleil couchant sur les collines, avec une table d’orientation en pierre au premier plan',
    images: [
      { picture: 'collines-au-couchant.jpg', alt: 'Soleil rasant sur une suite de collines sombres' },
      {
        picture: 'sentier-picos.jpg',
        alt: 'Sentier de terre montant à travers l’alpage vers une paroi rocheuse tachée de neige',
      },
      { picture: 'petites-cascades.jpg', alt: 'Petites cascades d’eau claire entre des rochers moussus' },
      {
        picture: 'pissenlits-au-couchant.jpg',
        alt: 'Boule de pissenlit éclairée par le soleil couchant dans un pré',
      },
      { picture: 'melezes-automne.jpg', alt: 'Bois aux couleurs rousses d’automne au-dessus d’un pré vert' },
    ],
  },
  {
    cle: 'fete-de-l-automne',
    title: 'Fête de l’automne',
    inDays: -33,
    time: '11:00',
    location: 'Centre des Mélèzes, le pré du bas',
    summary: 'Jus de pomme, jeux en bois et balade dans les mélèzes.',
    article:
      'Cent dix personnes, quatre-vingts litres de jus de pomme et un soleil inespéré.\n\n' +
      'Merci à l’équipe de cuisine pour la soupe de courge : **la recette est demandée par tout le ' +
      'monde**.',
    picture: 'melezes-automne.jpg',
    alt: 'Bois aux couleurs rousses d’automne au-dessus d’un pré vert',
    images: [
      {
        picture: 'prairie-en-montagne.jpg',
        alt: 'Prairie verte bordée d’arbres d’automne, devant un massif montagneux',
      },
      { picture: 'figue.jpg', alt: 'Moitié de figue mûre dans une coupe rouge orangé' },
      {
        picture: 'chiens-a-la-fenetre.jpg',
        alt: 'Deux cockers roux penchés à la fenêtre d’une maison en bois',
      },
    ],
  },
  {
    cle: 'sortie-nature',
    title: 'Sortie nature au bord de la mare',
    inDays: -71,
    time: '09:30',
    location: 'Parc du siège',
    summary: 'Filet, loupe et carnet : une matinée avec les libellules.',
    article:
      'Quinze curieux de 4 à 61 ans, les bottes aux pieds. Sept espèces de libellules reconnues, et une ' +
      'sittelle qui ne s’est pas laissé impressionner.\n\n' +
      'Les relevés ont été transmis au carnet d’observation du parc.',
    picture: 'libellule.jpg',
    alt: 'Libellule jaune posée au bout d’une branche devant un noisetier',
    images: [
      { picture: 'sittelle.jpg', alt: 'Sittelle descendant la tête en bas le long d’un tronc d’arbre' },
      {
        picture: 'ruisseau-en-foret.jpg',
        alt: 'Ruisseau descendant en petites marches entre les rochers d’une forêt',
      },
    ],
  },
  {
    cle: 'ouverture-de-la-saison',
    title: 'Soirée d’ouverture de la saison',
    inDays: -138,
    time: '18:30',
    location: 'Centre des Crêtes',
    summary: 'Le dernier soir avant l’arrivée des enfants.',
    article:
      'Pique-nique dans le pré, présentation des équipes et premier feu de camp.\n\n' +
      '**Bonne saison à toutes et à tous**, et rendez-vous à l’automne !',
    picture: 'pre-au-soleil-couchant.jpg',
    alt: 'Pré d’herbes hautes et de pissenlits dans une lumière dorée',
    images: [
      {
        picture: 'pissenlits-au-couchant.jpg',
        alt: 'Boule de pissenlit éclairée par le soleil couchant dans un pré',
      },
    ],
  },
];

export const partners: ExamplePartner[] = [
  {
    cle: 'ondelise',
    nom: 'Ondelise',
    url_site: 'https://example.org/ondelise',
    logo: 'ondelise.png',
  },
  {
    cle: 'fougeline',
    nom: 'Mutuelle Fougeline',
    url_site: 'https://example.org/fougeline',
    logo: 'fougeline.png',
  },
  {
    cle: 'grelot-bleu',
    nom: 'Théâtre du Grelot Bleu',
    url_site: 'https://example.org/grelot-bleu',
    logo: 'theatre-du-grelot-bleu.png',
  },
  {
    cle: 'velombelle',
    nom: 'Vélombelle',
    url_site: 'https://example.org/velombelle',
    logo: 'velombelle.png',
  },
  {
    cle: 'loutre-liseuse',
    nom: 'La Loutre Liseuse',
    url_site: 'https://example.org/loutre-liseuse',
    logo: 'loutre-liseuse.png',
  },
  {
    cle: 'grimpolune',
    nom: 'Grimpolune',
    url_site: 'https://example.org/grimpolune',
    logo: 'grimpolune.png',
  },
  {
    cle: 'zephyrine',
    nom: 'Ciné Zéphyrine',
    url_site: 'https://example.org/zephyrine',
    logo: 'cine-zephyrine.png',
  },
];

export const minutes: ExampleMinutes[] = [
  {
    cle: 'octobre-ordinaire',
    nom: 'Compte rendu de la réunion ordinaire du 14 octobre 2026',
    daysAgo: 38,
    paragraphs: [
      'La séance est ouverte à 9 h 30 par le directeur général, président du comité. Huit membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      'Présents : le président, la responsable des ressources humaines, la secrétaire, le trésorier, ' +
        'la secrétaire adjointe, cinq élus titulaires et deux suppléants. Un titulaire est excusé.',
      '1. Approbation du compte rendu précédent',
      'Le compte rendu de la réunion du 16 septembre 2026 est approuvé à l’unanimité, après correction ' +
        'd’une date au point 4.',
      '2. Bilan de la saison d’été',
      'La direction présente les chiffres de la saison : 3 412 enfants accueillis sur onze centres, ' +
        'soit une hausse de 4 % par rapport à l’année précédente. Le taux de remplissage est de 93 %. ' +
        'Deux cent dix-huit contrats saisonniers ont été signés.',
      'La secrétaire demande combien de contrats ont été rompus avant leur terme. La direction répond ' +
        'que onze l’ont été, dont sept à l’initiative du salarié. Les élus souhaitent que les motifs ' +
        'soient suivis d’une année sur l’autre, de façon anonyme.',
      '3. Santé, sécurité et conditions de travail',
      'La commission rend compte de sa visite du centre des Mélèzes, où la toiture des cuisines est en ' +
        'cours de réfection. Elle constate que la circulation des équipes est séparée de celle du ' +
        'chantier. Elle demande un éclairage supplémentaire sur le chemin de l’annexe.',
      'La direction s’engage à installer cet éclairage avant le 30 octobre.',
      '4. Séjours d’hiver : aide aux familles',
      'Le trésorier propose de reconduire le barème : 60 % du prix jusqu’à 700 € de quotient familial, ' +
        '45 % de 701 € à 1 100 €, 30 % au-delà. Le coût est estimé à 21 500 €, soit 1 300 € de plus que ' +
        'l’an passé.',
      'Vote : huit voix pour, aucune contre, aucune abstention. Le barème est adopté.',
      '5. Chèques-cadeaux de fin d’année',
      'Le comité fixe le montant à 120 € par salarié et à 40 € par enfant de moins de 16 ans. Les ' +
        'saisonniers ayant travaillé au moins trente jours dans l’année en bénéficient. Adopté par sept ' +
        'voix pour et une abstention.',
      '6. Questions diverses',
      'Un élu signale que le local vélos du siège est plein dès 8 h 45. La direction étudiera ' +
        'l’installation d’un second abri. Le projet d’exposition « Au cœur des séjours » est renvoyé à ' +
        'la prochaine réunion, faute de temps pour choisir les œuvres.',
      'L’ordre du jour étant épuisé, la séance est levée à 12 h 15. Prochaine réunion : le 9 décembre ' +
        '2026 à 9 h 30.',
      'La secrétaire du CSE',
    ],
  },
  {
    cle: 'septembre-ordinaire',
    nom: 'Compte rendu de la réunion ordinaire du 16 septembre 2026',
    daysAgo: 66,
    paragraphs: [
      'La séance est ouverte à 9 h 30 par le directeur général, président du comité. Neuf membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      '1. Approbation du compte rendu précédent',
      'Le compte rendu de la réunion extraordinaire du 8 juillet 2026 est approuvé à l’unanimité.',
      '2. Prolongation de l’accord télétravail',
      'La responsable des ressources humaines rappelle que l’accord arrive à échéance à la fin de ' +
        'l’année. La direction propose de le prolonger de douze mois, avec une indemnité portée de ' +
        '2,20 € à 2,70 € par jour.',
      'Les élus demandent que les jours non pris pendant les départs de séjours puissent être ' +
        'reportés. La direction y est favorable, dans la limite du mois suivant. Ce point sera ajouté à ' +
        'l’avenant.',
      '3. Préparation des élections professionnelles',
      'Le mandat des élus prend fin au printemps 2027. Le vote en ligne est retenu, à la demande des ' +
        'centres. Un cahier des charges sera rédigé par la secrétaire et la responsable des ressources ' +
        'humaines.',
      '4. Comptes du premier semestre',
      'Le trésorier présente les comptes : le budget de fonctionnement est consommé à 41 %, celui des ' +
        'activités sociales et culturelles à 56 %. Les dépenses d’été expliquent cet écart habituel.',
      '5. Questions diverses',
      'La cuisine du centre des Crêtes demande le remplacement d’un four. La direction indique que la ' +
        'commande est passée et que la livraison est attendue sous trois semaines.',
      'La séance est levée à 11 h 50.',
      'La secrétaire du CSE',
    ],
  },
  {
    cle: 'juillet-extraordinaire',
    nom: 'Compte rendu de la réunion extraordinaire du 8 juillet 2026',
    daysAgo: 136,
    paragraphs: [
      'La séance est ouverte à 14 h par le directeur général, président du comité. Sept membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      'La réunion est demandée par la majorité des titulaires à la suite de l’épisode de forte chaleur ' +
        'annoncé sur l’ensemble des centres.',
      '1. Mesures de prévention',
      'La direction présente les mesures prises : report des randonnées avant 11 h ou après 17 h, ' +
        'points d’eau supplémentaires, pièces rafraîchies pour la sieste et pour le repos des équipes.',
      'La secrétaire rappelle que les équipes de cuisine sont les plus exposées. Elle demande une ' +
        'pause de vingt minutes toutes les deux heures au-delà de 30 °C dans les locaux.',
      'La direction accepte cette pause, sans perte de rémunération, et demande aux directions de ' +
        'centre de relever les températures deux fois par jour.',
      '2. Droit d’alerte et information',
      'Les élus rappellent la procédure : tout salarié qui a un motif raisonnable de penser qu’il ' +
        'court un danger grave et imminent en avertit aussitôt sa direction. Une affiche sera envoyée à ' +
        'tous les centres.',
      '3. Avis du comité',
      'Le comité rend un avis favorable aux mesures présentées, par sept voix pour.',
      'La séance est levée à 15 h 20.',
      'La secrétaire du CSE',
    ],
  },
  {
    cle: 'juin-ordinaire',
    nom: 'Compte rendu de la réunion ordinaire du 10 juin 2026',
    daysAgo: 164,
    paragraphs: [
      'La séance est ouverte à 9 h 30 par le directeur général, président du comité. Huit membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      '1. Approbation du compte rendu précédent',
      'Le compte rendu de la réunion du 15 avril 2026 est approuvé à l’unanimité.',
      '2. Politique sociale, conditions de travail et emploi',
      'La direction remet les indicateurs annuels : 146 salariés permanents, dont 62 % de femmes ; ' +
        'ancienneté moyenne de 8,4 ans ; 1 128 heures de formation. L’écart de rémunération à poste égal ' +
        'est de 1,2 %.',
      'Les élus notent la baisse des temps partiels subis, passés de 17 à 11. Ils demandent un plan de ' +
        'formation pour les agents d’entretien, peu concernés jusqu’ici.',
      'Le comité rend un avis favorable par six voix pour et deux abstentions.',
      '3. Équipes de l’été',
      'Deux cent onze saisonniers sont attendus. Les élus se répartissent les visites de centres, à ' +
        'raison de deux par semaine en juillet.',
      '4. Activités sociales et culturelles',
      'Le trésorier propose de verser 1 200 € à la marche solidaire. Adopté à l’unanimité.',
      'Un essai de chiens au bureau, un vendredi sur deux, est accepté pour trois mois au siège, sous ' +
        'réserve d’un bureau sans animaux.',
      '5. Questions diverses',
      'La question du stationnement des vélos est posée. Elle sera reprise en octobre.',
      'La séance est levée à 12 h 05.',
      'La secrétaire du CSE',
    ],
  },
  {
    cle: 'avril-ordinaire',
    nom: 'Compte rendu de la réunion ordinaire du 15 avril 2026',
    daysAgo: 220,
    paragraphs: [
      'La séance est ouverte à 9 h 30 par le directeur général, président du comité. Neuf membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      '1. Approbation du compte rendu précédent',
      'Le compte rendu de la réunion du 12 mars 2026 est approuvé par huit voix pour et une abstention.',
      '2. Situation économique et financière',
      'L’expert-comptable présente les comptes de l’exercice clos. Le résultat est excédentaire de ' +
        '38 600 €, après deux années de déficit. Les charges d’énergie ont baissé de 9 % grâce à ' +
        'l’isolation de deux bâtiments.',
      'Le trésorier demande quelle part de l’excédent ira aux conditions de travail. La direction ' +
        'annonce 15 000 € pour la rénovation des chambres du personnel.',
      'Le comité rend un avis favorable par huit voix pour et une abstention.',
      '3. Règlement intérieur du comité',
      'Une clause est ajoutée sur la participation à distance : elle est possible pour les élus des ' +
        'centres éloignés, deux réunions sur trois.',
      '4. Questions diverses',
      'Les élus demandent que les plannings d’été soient affichés deux mois à l’avance, comme le ' +
        'prévoit la règle votée. La direction confirme l’affichage pour le 30 avril.',
      'La séance est levée à 11 h 40.',
      'La secrétaire du CSE',
    ],
  },
  {
    cle: 'mars-ordinaire',
    nom: 'Compte rendu de la réunion ordinaire du 12 mars 2026',
    daysAgo: 254,
    paragraphs: [
      'La séance est ouverte à 9 h 30 par le directeur général, président du comité. Huit membres ' +
        'titulaires sur neuf sont présents ou représentés ; le quorum est atteint.',
      '1. Approbation du compte rendu précédent',
      'Le compte rendu de la réunion du 21 janvier 2026 est approuvé à l’unanimité.',
      '2. Orientations stratégiques',
      'La direction présente ses trois priorités : rouvrir le centre des Crêtes toute l’année, ' +
        'accueillir davantage d’enfants en situation de handicap, réduire de 20 % les déchets de cuisine.',
      'Les élus saluent l’ambition mais s’inquiètent de la charge des équipes. Ils demandent un poste ' +
        'd’animation supplémentaire par centre pour tout projet d’accueil spécifique.',
      'La direction répond que trois postes sont financés dès cet été et que les autres dépendent des ' +
        'subventions attendues en mai.',
      '3. Budget des activités sociales et culturelles',
      'Le trésorier présente le budget de l’année : 84 200 €, dont 48 % pour les vacances des enfants, ' +
        '22 % pour les cadeaux, 18 % pour la billetterie et 12 % pour les sorties. Adopté à l’unanimité.',
      '4. Partenariats',
      'Sept conventions sont renouvelées ou signées : une piscine, une mutuelle, un théâtre, une ' +
        'coopérative de vélos, une librairie, une salle d’escalade et un cinéma.',
      '5. Questions diverses',
      'Un élu demande des casiers fermés dans le vestiaire des cuisines. La direction donne son accord.',
      'La séance est levée à 12 h.',
      'La secrétaire du CSE',
    ],
  },
];
