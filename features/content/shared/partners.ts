import { address, contentKind, line } from './kind.ts';

export const partners = contentKind({
  path: '/logos',
  table: 'logos',
  label: 'Logo partenaire',
  plural: 'Logos partenaires',
  byId: null,
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
