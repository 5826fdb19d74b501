import { CalendarClock, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { type Tracking, useAskTracking } from '#features/photos/web/useStayPhotos.ts';
import { atHour, longDay, rangeOf } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { DateInput, Field, Tick } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useAction, useForm } from '#platform/web/ui/useForm.ts';
import { KeptFocus, LargePhoto } from './CheckedPhoto.tsx';
import { useDecisions } from './decisions.tsx';
import { countOf } from './texts.ts';

type WrongClock = Tracking['horloges']['a_regler'][number];
type Span = Pick<WrongClock, 'du' | 'au'>;

interface CameraClocksProps {
  tracking: Tracking;
  photos: readonly Photo[];
  heading: 'h2' | 'h3';
  /** Id of what takes the focus once nothing is left. */
  above: string;
}

/** Photos whose capture time cannot be right, one camera at a time, and the answers given so far. */
export function CameraClocks({ tracking: { horloges }, photos, heading: Heading, above }: CameraClocksProps) {
  const id = useId();
  const [clock, ...others] = horloges.a_regler;
  return (
    <KeptFocus heading={above}>
      {clock && (
        <section aria-labelledby={id} className="rounded-control border border-coral p-4">
          <Heading id={id} className="mb-2 flex items-center gap-2 text-xl">
            <CalendarClock className="size-5 shrink-0 text-coral" />
            Des photos mal datées
          </Heading>
          <Question key={clock.photo} clock={clock} photo={photos.find(({ id }) => id === clock.photo)} />
          {others.length > 0 && (
            <p className="mt-3 text-sm text-quiet">
              Puis{' '}
              {others.length === 1 ? 'une autre série de photos' : `${others.length} autres séries de photos`}
              .
            </p>
          )}
        </section>
      )}
      <Answers answers={horloges.reglees} />
    </KeptFocus>
  );
}

/** When the photo was taken by which the others are dated: one answer for all. */
function Question({ clock, photo }: { clock: WrongClock; photo: Photo | undefined }) {
  const { locale } = useSite();
  const { stageId, as } = useDecisions();
  const askTracking = useAskTracking(stageId, as);
  const takeBack = useTakingBack();
  const { say } = useNotices();
  const [taken, setTaken] = useState(() => moved(clock.prise_le, clock.decalage).slice(0, 16));
  const [isAll, setAll] = useState(clock.autres?.aussi ?? false);
  const { nombre, autres } = clock;
  const answer = async (decalage: number) => {
    const body = { photo: clock.photo, decalage, toutes: decalage !== 0 && isAll };
    const params = { id: stageId };
    // After a refusal too: somebody else may have answered.
    const { message, id } = await call('POST /stages/:id/horloges', { params, as, body }).finally(
      askTracking,
    );
    say(message, { label: 'Annuler', run: () => void takeBack.run(id) });
  };
  const { form, errors, isBusy } = useForm({
    // No shift is the other button's answer.
    send: async () => {
      if (shift !== 0) await answer(shift);
    },
    onDone: () => {},
    failure: 'Erreur lors de la correction des dates',
  });
  const leaving = useAction();

  const shift =
    (Date.parse(`${taken}:00.000Z`) - Date.parse(`${clock.prise_le.slice(0, 16)}:00.000Z`)) / 1_000;
  const count = nombre + (isAll ? (autres?.nombre ?? 0) : 0);
  const spans = isAll && autres ? [clock, autres] : [clock];
  return (
    <form {...form} className="flex flex-col gap-3">
      <p>{wrongText(clock, locale)}</p>
      <div className="flex flex-wrap gap-3">
        {photo && <LargePhoto photo={photo} />}
        <div className="flex min-w-0 flex-1 basis-56 flex-col gap-3">
          <Field
            label={nombre === 1 ? 'Quand a-t-elle été prise\u202f?' : 'Quand a été prise celle-ci\u202f?'}
            name="decalage"
            isRequired
            error={errors.decalage}
          >
            {(control) => (
              <DateInput
                type="datetime-local"
                className="input sm:max-w-64"
                {...control}
                value={taken}
                onChange={({ target }) => setTaken(target.value)}
              />
            )}
          </Field>
          {autres && (
            <Tick checked={isAll} onChange={({ target }) => setAll(target.checked)}>
              {autres.nombre === 1
                ? 'Corriger aussi son autre photo, datée '
                : `Corriger aussi ses ${autres.nombre} autres photos, datées `}
              {daysText(autres, locale)}
            </Tick>
          )}
        </div>
      </div>
      {Number.isFinite(shift) && shift !== 0 && (
        <p className="text-quiet" aria-live="polite">
          {count > 1 ? 'Elles seront datées ' : 'Elle sera datée '}
          {spanText(spans, shift, locale)}.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-disabled={isBusy || leaving.isBusy || shift === 0}>
          {isBusy ? 'Correction…' : count > 1 ? `Corriger les ${countOf(count)}` : 'Corriger la photo'}
        </Button>
        <Button
          quiet
          aria-disabled={isBusy || leaving.isBusy}
          onClick={() => leaving.run(() => answer(0), 'Erreur lors de l’enregistrement de la réponse')}
        >
          {nombre > 1 ? 'Laisser comme elles sont' : 'Laisser comme elle est'}
        </Button>
      </div>
    </form>
  );
}

function useTakingBack() {
  const { stageId, as } = useDecisions();
  const askTracking = useAskTracking(stageId, as);
  const { say } = useNotices();
  const { isBusy, run } = useAction(askTracking);
  return {
    isBusy,
    run: (n: number) =>
      run(async () => {
        const params = { id: stageId, n };
        say((await call('DELETE /stages/:id/horloges/:n', { params, as })).message);
      }, 'Erreur lors de l’annulation'),
  };
}

function Answers({ answers }: { answers: Tracking['horloges']['reglees'] }) {
  const takeBack = useTakingBack();
  if (answers.length === 0) return null;
  return (
    <details className="group">
      <summary className="flex min-h-11 items-center gap-2 font-semibold">
        Dates d’appareils réglées ({answers.length})
        <ChevronDown className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <ul className="mt-2 divide-y divide-mist">
        {answers.map(({ id, appareil, decalage, nombre, decide_le }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
            <p className="min-w-0 flex-1 basis-52 wrap-anywhere">
              <span className="font-semibold">{appareil}</span>
              <span className="block text-sm text-quiet">
                {countOf(nombre, decalage === 0 ? 'laissée' : 'redatée')} le <Instant value={decide_le} />
              </span>
            </p>
            <Button quiet aria-disabled={takeBack.isBusy} onClick={() => takeBack.run(id)}>
              Annuler<span className="sr-only"> la réponse sur {appareil}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function wrongText({ nombre, appareil, raison, ...span }: WrongClock, locale: string): string {
  const many = nombre > 1;
  const photos = `${countOf(nombre)} de l’appareil ${appareil} ${many ? 'sont datées' : 'est datée'}`;
  if (raison === 'hors_sejour') return `${photos} ${daysText(span, locale)}, hors du séjour.`;
  if (raison === 'nuit')
    return `${photos} du milieu de la nuit, où aucun autre appareil n’en a pris\u202f: son horloge retarde peut-être.`;
  return `${photos} d’une heure à laquelle ${many ? 'elles étaient déjà choisies' : 'elle était déjà choisie'} pour l’envoi\u202f: son horloge avance.`;
}

/** « du 1er au 3 janvier 2020 », « du 3 janvier 2020 ». */
function daysText({ du, au }: Span, locale: string): string {
  const [first, last] = [du.slice(0, 10), au.slice(0, 10)];
  return first === last ? `du\u00a0${longDay(first)}` : rangeOf(first, last, locale);
}

function moved(moment: string, seconds: number): string {
  return new Date(Date.parse(moment) + seconds * 1_000).toISOString();
}

/** « du mardi 7 juillet à 14 h 02 au mercredi 8 juillet à 9 h 41 », of all that is moved. */
function spanText(spans: readonly Span[], shift: number, locale: string): string {
  const text = (moment: string) => `${weekdayOf(moment.slice(0, 10), locale)} ${atHour(moment)}`;
  const [first = ''] = spans.map(({ du }) => moved(du, shift)).sort();
  const last = spans
    .map(({ au }) => moved(au, shift))
    .sort()
    .at(-1);
  if (last === undefined || first.slice(0, 16) === last.slice(0, 16)) return `du ${text(first)}`;
  if (first.slice(0, 10) !== last.slice(0, 10)) return `du ${text(first)} au ${text(last)}`;
  // `atHour` begins with « à ».
  return `du ${weekdayOf(first.slice(0, 10), locale)}, de\u00a0${atHour(first).slice(2)} ${atHour(last)}`;
}
