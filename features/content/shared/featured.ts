import { contentKind, line, optionalAddress, paragraphs } from './kind.ts';

export const featured = contentKind({
  path: '/alaune',
  table: 'alaune',
  label: 'Élément À la Une',
  plural: 'Éléments À la Une',
  byId: {
    readsAs: 'object',
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
