import { journal } from '#features/audit/server/journal.ts';
import type { slipCalls } from '#features/mails/calls.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { requirePasswords } from '#features/stays/server/endedStays.ts';
import { listChildren } from '#features/stays/server/familiesStore.ts';
import { arePhotosOver, getStay, openStayPassword, photosUntil } from '#features/stays/server/staysStore.ts';
import { conflict } from '#platform/server/http/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { qrOf } from '#platform/server/qr.ts';
import type { Services } from '#platform/server/services.ts';
import { signInAddress } from './messages.ts';

/** Handler of printed codes, for families who read no e-mail: one slip per family, all identical. */
export function slipHandlers(services: Services): HandlersOf<typeof slipCalls> {
  const { database, secrets, config, clock } = services;
  return {
    'GET /stages/:id/etiquettes': async ({ params: { id }, ...context }) => {
      const { stay, settings, lastDay, familles } = await database.write(async (transaction) => {
        const stay = await getStay(transaction, id);
        const settings = await readSettings(transaction, config);
        if (arePhotosOver(stay, settings, config, clock())) throw over();
        const { lastDay } = photosUntil(stay, settings.photos_conservation_jours, config.TIME_ZONE);
        requirePasswords(stay);
        const about = { table: 'stages', id };
        await journal(
          transaction,
          context,
          clock(),
          'lecture du mot de passe «\u00a0Famille\u00a0», pour des étiquettes',
          about,
        );
        const children = await listChildren(transaction, id);
        // Siblings are one family, as they have the same first address.
        const familles = new Set(children.map(({ email }) => addressKey(email))).size;
        return { stay, settings, lastDay, familles };
      });
      // Read here because it is known only once the server listens.
      const { publicUrl } = services;
      const lien = signInAddress(publicUrl, id);
      return {
        id,
        nom_stage: stay.nom_stage,
        date_debut: stay.date_debut,
        date_fin: stay.date_fin,
        adresse_site: publicUrl.replace(/^https?:\/\//, ''),
        lien,
        mot_de_passe: openStayPassword(secrets, stay, 'stagiaire'),
        familles,
        organisation: settings.organisation_nom,
        photos_jusquau: lastDay,
        qr: qrOf(lien),
      };
    },
  };
}

const over = () =>
  conflict('Les photos de ce séjour ne sont plus en ligne\u202f: son mot de passe n’ouvre plus rien.');
