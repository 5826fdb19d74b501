import { useNavigate } from 'react-router';
import { CallError, call } from '#platform/web/api.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useAskAgain } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import type { Director } from '../../calls.ts';
import { useOnlyStay } from '../stayPage.tsx';
import { mailingAddress, STAYS, stayLabel } from '../stays.ts';

/** Shared by the panels of directors. */

export const DIRECTORS = { key: 'GET /formateurs' } as const;
export const DIRECTORS_FAILED = 'Erreur lors de la récupération des directeurs:';
export const INCOMPLETE = 'Veuillez remplir tous les champs avant de soumettre.';

export type DirectedStay = Director['sejours'][number];

export function useDirectorsAgain() {
  const stageId = useOnlyStay();
  return useAskAgain(
    DIRECTORS,
    STAYS,
    { key: 'GET /stages-suivi' },
    { key: 'GET /preparation' },
    ...(stageId ? [{ key: 'GET /preparation', query: { stageId } } as const] : []),
    { key: 'GET /tableau-de-bord' },
  );
}

export function nameOf({ nom, prenom }: Pick<Director, 'nom' | 'prenom'>): string {
  return `${nom} ${prenom}`;
}

const PASSWORDS = panelAddress('mots-de-passe');

/**
 * Returns a function that gives the directors of stays new passwords after a change, mails them to those who still
 * direct these stays, and reports what succeeded and what failed. `message`: the notice of the change.
 */
export function useNewPasswords(): (message: string, stays: readonly DirectedStay[]) => Promise<void> {
  const { say, warn } = useNotices();
  const { locale } = useSite();
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const listed = (stays: readonly DirectedStay[]) =>
    stays.map((stay) => stayLabel(stay, locale)).join('\u202f; ');
  const leading = (label: string, address: string) => ({
    label,
    run: async () => {
      if (await confirmLeaving()) navigate(address);
    },
  });
  return async (message, stays) => {
    if (stays.length === 0) return say(message);
    const { done, failed, reason } = await renew(stays);
    const mailed = await mail(done);
    const addresses = mailed.sent.reduce((total, { nombre }) => total + nombre, 0);
    const told = [
      ...(done.length > 0 ? [`Nouveau mot de passe des directeurs\u202f: ${listed(done)}.`] : []),
      ...(addresses > 0
        ? [`Les autres directeurs le reçoivent par e-mail (${addresses} adresse${addresses > 1 ? 's' : ''}).`]
        : []),
    ].join(' ');
    if (failed.length > 0) {
      const text = `${message}, mais le mot de passe des directeurs est resté le même\u202f: ${listed(failed)}.`;
      return warn(text, `${reason} ${told}`);
    }
    if (mailed.reason) {
      return warn(
        `${message}, mais l’e-mail aux autres directeurs n’est pas parti.`,
        `${mailed.reason} ${told}`,
      );
    }
    const [first, ...others] = mailed.sent;
    if (!first) return say(`${message}. ${told}`, leading('Voir les mots de passe', PASSWORDS));
    const address = others.length === 0 ? mailingAddress(first.id) : panelAddress('envois');
    say(`${message}. ${told}`, leading('Voir l’envoi', address));
  };
}

/** Renews the passwords one by one, going on after a failure; `reason` is why the last failed one failed. */
async function renew(stays: readonly DirectedStay[]) {
  const [done, failed]: [DirectedStay[], DirectedStay[]] = [[], []];
  let reason = '';
  for (const stay of stays) {
    try {
      const input = { params: { id: stay.stageId }, body: { type: 'formateur' } } as const;
      await call('POST /stage-passwords/:id/regenerer', input);
      done.push(stay);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // 409: the photos of the stay are over, so its passwords are erased and nothing needs renewing.
      if (error.status === 409) continue;
      failed.push(stay);
      reason = error.message;
    }
  }
  return { done, failed, reason };
}

/**
 * Mails the new passwords of these stays, one mailing per stay, to those who still direct them. Skips stays without
 * directors, and those for which the server refuses (422), as the password no longer signs anybody in.
 */
async function mail(renewed: readonly DirectedStay[]) {
  const sent: { id: number; nombre: number }[] = [];
  try {
    const all = renewed.length > 0 ? await call('GET /stages-suivi', {}) : [];
    for (const { stageId } of renewed) {
      if (!all.some(({ id, directeurs }) => id === stageId && directeurs > 0)) continue;
      try {
        sent.push(
          await call('POST /stages/envoi-mots-de-passe', {
            body: { type: 'formateur', stageIds: [stageId], seulement: 'non_recus' },
          }),
        );
      } catch (error) {
        if (!(error instanceof CallError && error.status === 422)) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { sent, reason: error.message };
  }
  return { sent, reason: '' };
}
