import { JOURNAL_DAYS } from '#features/audit/shared/journal.ts';
import type { Printed } from '#platform/server/pdf/pdf.ts';
import { longDay, longMoment } from '#platform/shared/dates.ts';
import { DAY_MS, dayAt, wallClock } from '#platform/shared/time.ts';
import type { Proof } from '../calls.ts';

/* What the proof of an erasure says, the same on screen and on paper. The address is not in it. */

/** Years for which it is kept: the time in which somebody may go to court over it. */
export const ERASURE_PROOF_YEARS = 5;

interface Erased {
  organisation: string;
  now: Date;
  timeZone: string;
  /** Sentences on what was erased, and on what stays. */
  erased: string[];
  kept: string[];
  /** When the last one was made, and until when it is kept; unknown where that is no later. */
  backup: { reussie_le: string | null; prochaine_le: string } | undefined;
}

export function proofOf({ organisation, now, timeZone, erased, kept, backup }: Erased): Omit<Proof, 'id'> {
  const at = longMoment(wallClock(now, timeZone));
  const dayOf = (instant: Date | string) => longDay(dayAt(new Date(instant), timeZone));
  const last = `La dernière sauvegarde que le site connaît d’avant l’effacement est du ${dayOf(backup?.reussie_le ?? now)}`;
  const span = backup?.reussie_le ? Date.parse(backup.prochaine_le) - Date.parse(backup.reussie_le) : 0;
  const days = Math.round(span / DAY_MS);
  // A backup goes with the next one after its time; one may be under way.
  const until = dayOf(new Date(now.getTime() + span + DAY_MS));
  const backups = !backup?.reussie_le
    ? 'Le site ne connaît aucune sauvegarde de lui-même.'
    : days < 1
      ? `${last}. Il ne sait pas combien de temps elle sera gardée\u202f: la personne qui l’héberge le sait.`
      : `${last}, pour ${days}\u00a0jour${days > 1 ? 's' : ''}\u202f: celles qui contiennent l’adresse auront disparu le ${until}, si une sauvegarde est faite chaque jour.`;
  return {
    titre: `Preuve d’effacement du ${at}`,
    parties: [
      [
        organisation,
        `Le ${at}, ce que le site savait d’une adresse e-mail a été effacé définitivement (droit à l’effacement, article 17 du règlement européen sur la protection des données).`,
        'L’adresse n’est pas dans cette preuve, pour ne pas être gardée. Elle peut être écrite ici, à la main\u202f: ………………………………………………',
      ],
      ['Ce qui a été effacé', ...(erased.length > 0 ? erased : ['Le site ne savait rien de cette adresse.'])],
      [
        'Ce qui est gardé, et pourquoi',
        ...kept,
        `Une ligne du journal, sans l’adresse, dit qu’un effacement a eu lieu\u202f: elle sert à la sécurité du site (article 32), et s’efface après ${JOURNAL_DAYS}\u00a0jours.`,
        'Une empreinte, dont l’adresse ne se déduit pas, la fait reconnaître et effacer de nouveau si une ancienne sauvegarde est remise en service. Elle n’a pas de terme.',
        `Cette preuve est gardée ${ERASURE_PROOF_YEARS}\u00a0ans, le temps pendant lequel un droit se défend en justice (article 17, paragraphe 3\u00a0e, et article 2224 du code civil).`,
        'Les avis sur les séjours n’ont pas de nom. Ce que d’autres ont écrit, et ce qui est publié, n’a pas été cherché.',
      ],
      [
        'Sauvegardes',
        backups,
        'Si une sauvegarde plus ancienne que l’effacement est remise en service, le site efface de nouveau l’adresse dès qu’il démarre. Il ne connaît pas les copies faites autrement.',
      ],
    ].map(([titre = '', ...lignes]) => ({ titre, lignes })),
  };
}

export function printedProof({ titre, parties }: Omit<Proof, 'id'>): Printed {
  const parts = parties.flatMap(({ titre, lignes }) => [
    { tag: 'H2' as const, text: titre },
    ...lignes.map((text) => ({ tag: 'P' as const, text })),
  ]);
  return { title: titre, about: titre, blocks: [{ tag: 'H1', text: titre }, ...parts] };
}
