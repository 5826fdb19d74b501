import {
  address,
  type ContentKind,
  choice,
  contentKind,
  day,
  email,
  type ItemKind,
  line,
  moment,
  optionalAddress,
  paragraphs,
  person,
  phone,
  tick,
} from './kind.ts';

export const news = contentKind({
  path: '/actualites',
  table: 'actualites',
  label: 'Actualité',
  plural: 'Actualités',
  byId: {
    updated: 'Actualité modifiée avec succès',
    stale: 'Cette actualité a été modifiée entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’actualité',
    page: '/actu-modify',
    seenAt: '/?actualite=',
    leadsTo: '/portail',
  },
  readableBy: 'anyone',
  fields: { titre: line('Titre'), description: paragraphs('Description') },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image', 'image_url'], label: 'Image de présentation' },
  folder: 'images_stages',
  texts: {
    created: 'Actualité ajoutée avec succès',
    deleted: 'Actualité supprimée avec succès',
    restored: 'Actualité restaurée avec succès',
    notFound: 'Cette actualité n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner une actualité.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cette actualité ?',
  },
});

export const featured = contentKind({
  path: '/alaune',
  table: 'alaune',
  label: 'Élément À la Une',
  plural: 'Éléments À la Une',
  byId: {
    updated: 'Élément À la Une modifié avec succès',
    stale: 'Cet élément À la Une a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’élément À la Une',
    page: '/une-modify',
    seenAt: '/une-details/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    resume: paragraphs('Résumé', { max: 2_000 }),
    description: paragraphs('Description'),
    lien_article: optionalAddress('Lien vers l’article'),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  folder: 'images_stages',
  texts: {
    created: 'Élément À la Une ajouté avec succès',
    deleted: 'Élément À la Une supprimé avec succès',
    restored: 'Élément À la Une restauré avec succès',
    notFound: 'Cet élément À la Une n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un élément À la Une.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet élément À la Une ?',
  },
});

export const partners = contentKind({
  path: '/logos',
  table: 'logos',
  label: 'Logo partenaire',
  plural: 'Logos partenaires',
  byId: {
    updated: 'Logo modifié avec succès',
    stale: 'Ce logo a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier un logo partenaire',
    page: '/logo-modify',
    leadsTo: '/portail?panneau=logos',
  },
  readableBy: 'anyone',
  fields: { nom: line('Nom'), url_site: address('Adresse du site') },
  titledBy: 'nom',
  newestBy: 'date_publication',
  picture: { column: 'image', accepts: ['image'], label: 'Logo', help: 'Un logo est montré sur fond blanc.' },
  folder: 'images_stages',
  texts: {
    created: 'Logo partenaire ajouté avec succès',
    deleted: 'Logo supprimé avec succès',
    restored: 'Logo restauré avec succès',
    notFound: 'Ce logo n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un logo à supprimer.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer ce logo ?',
  },
});

export const events = contentKind({
  path: '/events',
  table: 'events',
  label: 'Événement',
  plural: 'Événements',
  byId: {
    updated: 'Événement modifié avec succès',
    stale: 'Cet événement a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’événement',
    page: '/event-modify',
    seenAt: '/event-detail/',
    leadsTo: '/Evenements',
  },
  readableBy: 'anyone',
  fields: {
    title: line('Titre'),
    date: moment('Date'),
    location: line('Lieu'),
    summary: paragraphs('Résumé', { max: 2_000 }),
    article: paragraphs('Description'),
  },
  titledBy: 'title',
  newestBy: 'date_publication',
  upcomingBy: 'date',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image de présentation' },
  gallery: { column: 'images', label: 'Images de détail', max: 30 },
  folder: 'images',
  texts: {
    created: 'Événement ajouté avec succès',
    deleted: 'Événement supprimé avec succès',
    restored: 'Événement restauré avec succès',
    notFound: 'Cet événement n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un événement.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet événement ?',
  },
});

export const benefits = contentKind({
  path: '/avantage',
  table: 'avantage',
  label: 'Avantage',
  plural: 'Avantages',
  byId: {
    updated: 'Avantage modifié avec succès',
    stale: 'Cet avantage a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’avantage',
    page: '/avantage-modify',
    seenAt: '/avantage-detail/',
    leadsTo: null,
  },
  readableBy: 'anyone',
  fields: {
    titre: line('Titre'),
    resume: paragraphs('Résumé', { max: 2_000 }),
    description: paragraphs('Description', { inList: false }),
    lien_article: optionalAddress('Lien vers l’article', { inList: false }),
  },
  titledBy: 'titre',
  newestBy: 'date_publication',
  picture: { column: 'image_url', accepts: ['image_url'], label: 'Image' },
  folder: 'images_stages',
  texts: {
    created: 'Avantage ajouté avec succès',
    deleted: 'Avantage supprimé avec succès',
    restored: 'Avantage restauré avec succès',
    notFound: 'Cet avantage n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un avantage.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet avantage ?',
  },
});

export const minutes = contentKind({
  path: '/documents',
  table: 'documents',
  label: 'Compte rendu',
  plural: 'Comptes rendus',
  byId: {
    updated: 'Document modifié avec succès',
    stale: 'Ce document a été modifié entre-temps par quelqu’un d’autre.',
    title: 'Modifier un compte rendu',
    page: '/compte-rendu-modify',
    leadsTo: '/portail?panneau=documents',
  },
  readableBy: ['admin', 'reader'],
  fields: { nom: line('Nom'), date_ajout: day('Date') },
  titledBy: 'nom',
  newestBy: 'date_ajout',
  pdf: { column: 'url', label: 'Fichier PDF' },
  folder: 'doc_stage_formateur',
  texts: {
    created: 'Document ajouté avec succès',
    deleted: 'Document supprimé avec succès',
    restored: 'Document restauré avec succès',
    notFound: 'Ce document n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un document à supprimer.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer ce document ?',
  },
});

/** The kind of the people in the org chart, for the portal's forms and the bin. */
export const employees = {
  path: '/employes',
  createPath: '/create-employes',
  table: 'employes',
  label: 'Employé',
  plural: 'Employés',
  byId: {
    updated: 'Employé modifié avec succès',
    stale: 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.',
    title: 'Modifier les informations de l’employé',
    page: '/employe-modify',
    seenAt: '/membres#employe-',
    leadsTo: '/portail',
  },
  fields: {
    prenom: line('Prénom', { max: 100 }),
    nom: line('Nom', { max: 100 }),
    poste: line('Poste'),
    role: choice('Rôle', ['Employé', 'Responsable']),
    manager_id: person('Responsable hiérarchique'),
    email: email('E-mail'),
    email_public: tick('Montrer l’e-mail sur le site'),
    telephone: phone('Téléphone'),
    telephone_public: tick('Montrer le téléphone sur le site'),
    photo_public: tick('Montrer la photo sur le site'),
  },
  titledBy: ['prenom', 'nom'],
  qualifiedBy: 'poste',
  hasWindow: false,
  picture: { column: 'photo', accepts: ['photo'], label: 'Photo', isSquare: true },
  folder: 'images_stages',
  texts: {
    created: 'Employé ajouté avec succès',
    deleted: 'Employé supprimé avec succès',
    restored: 'Employé restauré avec succès',
    notFound: 'Cette fiche n’existe pas ou n’existe plus.',
    nothingChosen: 'Veuillez sélectionner un employé.',
    confirmDeletion: 'Êtes-vous sûr de vouloir supprimer cet employé ?',
    consequence: 'Son équipe montera d’un niveau dans l’organigramme.',
  },
} as const satisfies ItemKind;

/** Every content kind, in the order of the specification. */
export const KINDS: readonly ContentKind[] = [news, featured, partners, events, benefits, minutes];

/** The content kinds and the employees, who have a feature of their own. */
export const ITEM_KINDS: readonly ItemKind[] = [...KINDS, employees];

/** The name of a kind in addresses and in the journal: `actualites`, `alaune`… */
export function genreOf(kind: ItemKind): string {
  return kind.path.slice(1);
}

export function kindOfGenre(genre: string): ItemKind | undefined {
  return ITEM_KINDS.find((kind) => genreOf(kind) === genre);
}
