import { contentKind, line, paragraphs } from './kind.ts';

export const news = contentKind({
  path: '/actualites',
  table: 'actualites',
  label: 'Actualité',
  plural: 'Actualités',
  byId: {
    readsAs: 'list',
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
