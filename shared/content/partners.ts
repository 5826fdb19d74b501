import { address, contentKind, line } from './kind.ts';

export const partners = contentKind({
  path: '/logos',
  table: 'logos',
  label: 'Logo partenaire',
  byId: null,
  readableBy: 'anyone',
  fields: { nom: line('Nom'), url_site: address('Adresse du site') },
  titledBy: 'nom',
  newestBy: 'date_publication',
  picture: { column: 'image', accepts: ['image'], label: 'Logo' },
  folder: 'images_stages',
  texts: {
    created: 'Logo partenaire ajouté avec succès',
    deleted: 'Logo supprimé avec succès',
    restored: 'Logo restauré avec succès',
    notFound: 'Ce logo n’existe pas ou n’existe plus.',
  },
});
