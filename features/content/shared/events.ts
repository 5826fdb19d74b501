import { contentKind, line, moment, paragraphs } from './kind.ts';

export const events = contentKind({
  path: '/events',
  table: 'events',
  label: 'Événement',
  plural: 'Événements',
  byId: {
    readsAs: 'list',
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
