import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import type { ManagedStay } from './questions.ts';
import { stayLabel } from './stays.ts';

interface DeleteStayProps {
  stay: ManagedStay;
  onDeleted(message: string): void;
}

/** The button that takes a stay away for good, after having said what goes with it. */
export function DeleteStay({ stay, onDeleted }: DeleteStayProps) {
  const { locale } = useSite();
  const confirm = useConfirm();
  const { isBusy, run } = useAction();
  const remove = async () => {
    if (isBusy) return;
    const isSure = await confirm({
      question: 'Êtes-vous sûr de vouloir supprimer ce séjour\u202f?',
      consequence: `«\u00a0${stayLabel(stay, locale)}\u00a0» sera effacé pour toujours. ${leavingWith(stay)} Les connexions ouvertes prendront fin.`,
      yes: 'Supprimer définitivement',
    });
    if (!isSure) return;
    await run(async () => {
      const { message } = await call('DELETE /stages/:id', { params: { id: stay.id } });
      onDeleted(message);
    }, 'Erreur lors de la suppression');
  };
  return (
    <button type="button" className="button danger" aria-disabled={isBusy} onClick={remove}>
      Supprimer
    </button>
  );
}

/** Who and what goes with a stay, in sentences; its directors are known still. */
function leavingWith({ familles, directeurs, photos }: ManagedStay): string {
  const children = familles === 0 ? [] : [familles === 1 ? 'un enfant' : `${familles} enfants`];
  const pictures = photos === 0 ? [] : [photos === 1 ? 'une photo' : `${photos} photos`];
  const things = [...children, ...pictures, 'ses mots de passe', 'son bilan', 'ses évaluations'];
  const list = new Intl.ListFormat('fr').format(things);
  const places =
    directeurs === 0
      ? ''
      : directeurs === 1
        ? ' Un directeur n’y sera plus affecté.'
        : ` ${directeurs} directeurs n’y seront plus affectés.`;
  return `Avec lui partent ${list}.${places}`;
}
