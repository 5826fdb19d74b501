import { contentKind, day, line } from './kind.ts';

export const minutes = contentKind({
  path: '/documents',
  table: 'documents',
  label: 'Compte rendu',
  plural: 'Comptes rendus',
  byId: null,
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
