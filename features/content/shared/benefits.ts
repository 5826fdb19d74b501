import { contentKind, line, optionalAddress, paragraphs } from './kind.ts';

export const benefits = contentKind({
  path: '/avantage',
  table: 'avantage',
  label: 'Avantage',
  plural: 'Avantages',
  byId: {
    readsAs: 'object',
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
