import { Undo2 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useDecisions } from '#features/checking/web/decisions.tsx';
import { countOf } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_BIN_DAYS, PHOTOS_LISTED } from '#features/photos/shared/terms.ts';
import { type Tracking, useAskTracking } from '#features/photos/web/useStayPhotos.ts';
import { dayAt } from '#platform/shared/time.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { type AskedQuestion, useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayInYear } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';

/* The bin of a stay: what was thrown away, until it is put back or erased for good. */

function binQuestion({ stageId, as }: Pick<ReturnType<typeof useDecisions>, 'stageId' | 'as'>) {
  return {
    key: 'GET /stages/:id/photos',
    params: { id: stageId },
    query: { statut: 'corbeille', limite: PHOTOS_LISTED },
    as,
  } as const satisfies AskedQuestion;
}

/** Time, in ms, after which the bin is asked for again: what others erase from it changes nothing else. */
const EVERY_MS = 60_000;

/** The photos in the bin, asked for while they are shown. `photos`: the others, which come from it and go there. */
export function useBin(photos: readonly Photo[]) {
  const question = binQuestion(useDecisions());
  const query = useQuestion(question, { every: () => EVERY_MS });
  const askAgain = useAskAgain(question);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a photo has changed
  useEffect(() => void askAgain(), [photos]);
  return query;
}

/** When a photo of the bin is erased for good, at the latest with all photos of its stay; null: once staff have confirmed. */
function endOf({ gestion }: Photo, { fin }: Pick<Tracking, 'fin'>): string | null {
  const end = gestion?.corbeille?.effacement_le ?? null;
  return end !== null && fin < end ? fin : end;
}

/** The photos of the bin by the day on which they are erased, those that wait for staff first. */
export function useBinGroups(shown: readonly Photo[], tracking: Pick<Tracking, 'fin'>) {
  const { locale, timeZone } = useSite();
  const { fin } = tracking;
  return useMemo(() => {
    const dayOf = (photo: Photo) => {
      const end = endOf(photo, { fin });
      return end === null ? '' : dayAt(new Date(end), timeZone);
    };
    const days = [...groupBy(shown, dayOf)].sort(([one], [other]) => (one < other ? -1 : 1));
    return days.map(([day, photos]) => ({
      id: `corbeille-${day}`,
      title: day === '' ? 'Attendent une confirmation' : `Effacées pour de bon le ${dayInYear(day, locale)}`,
      photos,
      intro: day === '' && <ToConfirm photos={photos} />,
    }));
  }, [shown, fin, locale, timeZone]);
}

export function EndOfPhoto({ photo, tracking }: { photo: Photo; tracking: Pick<Tracking, 'fin'> }) {
  const { locale, timeZone } = useSite();
  const end = endOf(photo, tracking);
  if (end === null) return 'Attend que l’équipe du CSE confirme, et n’est pas effacée avant.';
  return `Effacée pour de bon le ${dayInYear(dayAt(new Date(end), timeZone), locale)}.`;
}

type BinAct = `POST /photos/${'retablir' | 'confirmer' | 'effacer'}`;

function useBinActions(photos: readonly Photo[], onDone: () => void) {
  const decisions = useDecisions();
  const { stageId, as, act } = decisions;
  const askBin = useAskAgain(binQuestion(decisions));
  const askTracking = useAskTracking(stageId, as);
  const { isBusy, run } = useAction(() => Promise.all([askBin(), askTracking()]));
  const { say } = useNotices();
  // Nothing can be seen of the others, so they are not put back.
  const whole = photos.filter(({ fichiers }) => fichiers !== null);
  const held = photos.filter(({ gestion }) => gestion?.corbeille?.effacement_le === null);
  const these = photos.length > 1 ? `ces ${countOf(photos.length)}` : 'cette photo';
  const doing = (key: BinAct, some: readonly Photo[]) => async () => {
    say((await act(key, { body: { ids: some.map(({ id }) => id) } })).message);
    onDone();
  };
  return {
    isBusy,
    mayPutBack: whole.length > 0,
    isStaff: as === 'portal',
    putBack: () => run(doing('POST /photos/retablir', whole), 'Erreur lors du rétablissement des photos'),
    confirm: () =>
      run(doing('POST /photos/confirmer', held), 'Erreur lors de la confirmation', {
        question: `Confirmer la suppression ${held.length > 1 ? `de ces ${countOf(held.length)}` : 'de cette photo'}\u202f?`,
        consequence: `L’effacement aura lieu dans ${PHOTO_BIN_DAYS} jours. D’ici là, vous pourrez encore rétablir ces photos.`,
        yes: 'Confirmer',
      }),
    erase: () =>
      run(doing('POST /photos/effacer', photos), 'Erreur lors de l’effacement des photos', {
        question: `Effacer ${these} pour de bon\u202f?`,
        consequence: 'Aucune copie n’en reste sur le site, et une ancienne sauvegarde n’en ramène pas.',
        yes: 'Effacer pour de bon',
      }),
  };
}

/** What staff do with photos that directors threw away in numbers, all of them at once. */
function ToConfirm({ photos }: { photos: readonly Photo[] }) {
  const { isBusy, isStaff, mayPutBack, putBack, confirm } = useBinActions(photos, () => {});
  if (!isStaff)
    return (
      <p className="mb-3 max-w-prose">
        Elles étaient nombreuses en une heure{'\u202f'}: l’équipe du CSE a été prévenue. Vous pouvez les
        rétablir.
      </p>
    );
  return (
    <div className="mb-3 flex flex-col gap-3">
      <p className="max-w-prose">
        La direction du séjour en a mis beaucoup ici en une heure. Rien n’est effacé avant que vous
        confirmiez. Un téléphone perdu{'\u202f'}? Changez d’abord le mot de passe des directeurs.
      </p>
      <div className="flex flex-wrap gap-2">
        {mayPutBack && (
          <Button aria-disabled={isBusy} onClick={putBack}>
            <Undo2 className="size-5" />
            Tout rétablir
          </Button>
        )}
        <Button quiet aria-disabled={isBusy} onClick={confirm}>
          Confirmer la suppression
        </Button>
      </div>
    </div>
  );
}

export function BinButtons({ photos, onDone }: { photos: readonly Photo[]; onDone(): void }) {
  const { isBusy, isStaff, mayPutBack, putBack, erase } = useBinActions(photos, onDone);
  const isNothing = photos.length === 0;
  return (
    <div className="flex flex-wrap gap-2">
      {(mayPutBack || isNothing) && (
        <Button aria-disabled={isBusy || isNothing} onClick={putBack}>
          <Undo2 className="size-5" />
          Rétablir
        </Button>
      )}
      {isStaff && (
        <Button danger aria-disabled={isBusy || isNothing} onClick={erase}>
          Effacer pour de bon
        </Button>
      )}
    </div>
  );
}
