import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { type AskedQuestion, useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';

/** A child as whoever checks photos must know it. */
interface ConsentedChild {
  id: number;
  /** « Lou R. » */
  name: string;
  consent: Consent;
}

function childrenQuestion(stageId: number, as: Viewer) {
  return { key: 'GET /get-stagiaires/:id', params: { id: stageId }, as } as const satisfies AskedQuestion;
}

/** What the families of a stay said of photos, by first name. */
export function useConsents(stageId: number, as: Viewer) {
  const { locale } = useSite();
  const query = useQuestion(childrenQuestion(stageId, as), 'Erreur lors de la récupération des enfants:');
  const children = query.data?.map(childOf).sort((one, other) => one.name.localeCompare(other.name, locale));
  return { children, isError: query.isError, retry: () => void query.refetch() };
}

function childOf(child: ReplyOf<'GET /get-stagiaires/:id'>[number]): ConsentedChild {
  // Staff are told the whole name, of which no more is needed here.
  const initial = 'initiale' in child ? child.initiale : child.nom.charAt(0);
  return { id: child.id, name: `${child.prenom} ${initial}.`, consent: child.consentement_image };
}
