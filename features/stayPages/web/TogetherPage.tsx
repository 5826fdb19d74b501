import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { shortNames } from '#features/gallery/shared/shortNames.ts';
import { Gallery, GallerySkeleton } from '#features/gallery/web/Gallery.tsx';
import { ChoiceBar } from '#features/gallery/web/GalleryTools.tsx';
import { sweepKeepsakes } from '#features/gallery/web/keepsakes.ts';
import { RemovalAnswers } from '#features/gallery/web/removals.tsx';
import { type GalleryStay, useEach } from '#features/gallery/web/useFeeds.ts';
import { useEarlyPhotos } from '#features/photos/web/useStayPhotos.ts';
import { type StaySession, useFamilies, useVisited } from '#features/stays/web/sessions.ts';
import { Questionnaire } from '#features/stays/web/stay/Questionnaire.tsx';
import { progressOf, ToSignIn, useEndOfVisit } from '#features/stays/web/stay/StayFrame.tsx';
import { Booklets, PracticalInfo } from '#features/stays/web/stay/StayParts.tsx';
import { STILL_OPEN, stateOf, stayLabel, stayQuestion } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { call } from '#platform/web/api.ts';
import { useThing } from '#platform/web/questions.ts';
import { familyOf } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { TextSizeControl } from '#platform/web/ui/TextSize.tsx';
import { CloseButton, StayFooter } from './StayFooter.tsx';
import { BelowPhotos, NoPhotos, PhotosOver, PhotosPlace } from './StayPage.tsx';

/** The stays of all families signed in on this device, as one list of photos: for siblings in several stays. */
export function TogetherPage() {
  const families = useFamilies();
  useEffect(() => sweepKeepsakes(new Date()), []);
  if (families.length === 0) return <ToSignIn />;
  return (
    <main id="contenu" tabIndex={-1} className="grow">
      <Together key={families.map(({ token }) => token).join()} sessions={families} />
    </main>
  );
}

interface Shown {
  stay: Stay;
  session: StaySession;
  whole: string;
  short: string;
}

type Stay = NonNullable<ReturnType<typeof useStayOf>['query']['data']>;

function Together({ sessions }: { sessions: readonly StaySession[] }) {
  const { today } = useSite();
  const { arrive } = useNotices();
  useEffect(arrive, [arrive]);
  const asked = useEach(sessions, useStayOf);
  const queries = asked.map(({ query }) => query);
  const [only, setOnly] = useState<number>();
  const shown = useShown(
    sessions,
    queries.map(({ data }) => data),
  );
  const failed = queries.find(({ data, isError }) => isError && data === undefined);
  // Not for ever: without an answer, the cookies that are there go on opening files.
  const isWaiting =
    queries.some(({ data, isError }) => data === undefined && !isError) ||
    asked.some(({ files }) => files.isLoading);
  const chosen = shown.filter(({ stay }) => only === undefined || stay.id === only);
  // After their last day photos are no longer online, though the sign-in may go on for an hour.
  const stays = useMemo(
    () => galleryOf(shown.filter(({ stay }) => stay.photos_jusquau >= today)),
    [shown, today],
  );
  const isOnline = stays.some(({ stageId }) => only === undefined || stageId === only);
  return (
    <>
      <Head title={sessions.length === 1 ? sessions[0]?.nom : 'Mes séjours'}>
        {shown.length > 1 && (
          <ChoiceBar
            label="Séjours à montrer"
            className="filters"
            choices={[
              { value: undefined, label: 'Tous' },
              ...shown.map(({ stay, whole }) => ({ value: stay.id, label: whole })),
            ]}
            chosen={only}
            onChoose={setOnly}
          />
        )}
      </Head>
      <div className="pb-4">
        {chosen.map(({ stay, whole }) => (
          <RemovalAnswers
            key={stay.id}
            stageId={stay.id}
            as={familyOf(stay.id)}
            of={sessions.length > 1 ? whole : undefined}
          />
        ))}
        {failed && !isWaiting && (
          <div className="mx-auto w-full max-w-6xl px-4 pb-4">
            <LoadState query={failed} failed="Un séjour n’a pas pu être chargé.">
              {() => null}
            </LoadState>
          </div>
        )}
        {isWaiting && <GallerySkeleton />}
        {!isWaiting && isOnline && (
          <Gallery
            key={stays.map(({ stageId }) => stageId).join()}
            stays={stays}
            only={only}
            isRunning={chosen.some(({ stay }) => stateOf(stay, today) === 'running')}
            nothing={<Nothing chosen={chosen} />}
          />
        )}
        {!isWaiting && shown.length > 0 && !isOnline && (
          <PhotosOver>Leur dernier jour est passé. Elles ne sont plus en ligne.</PhotosOver>
        )}
      </div>
      <BelowPhotos>
        <div className="page flex flex-col gap-8 pt-6">
          {chosen.map((one) => (
            <AboutStay key={one.stay.id} {...one} isAlone={sessions.length === 1} />
          ))}
          <StayFooter session={undefined} />
        </div>
      </BelowPhotos>
    </>
  );
}

function Head({ title, children }: { title: string | undefined; children: ReactNode }) {
  return (
    <header className="mx-auto flex w-full max-w-6xl flex-col px-4 sm:gap-2 sm:pt-4">
      <div className="flex items-center justify-between gap-x-3">
        <h1 className="min-w-0 max-sm:text-[1.375rem] sm:text-[1.75rem]">{title}</h1>
        <div className="-mr-2 shrink-0">
          <TextSizeControl />
        </div>
      </div>
      {children}
    </header>
  );
}

/**
 * A stay, asked for as its family, with its photos ahead of the gallery. Its files are opened at the same time: the
 * cookie of its sign-in may be gone, or older than this page, unless the server has just rendered the page for it.
 */
function useStayOf(session: StaySession) {
  const { stageId, token } = session;
  const as = familyOf(stageId);
  useEarlyPhotos(stageId, session, as);
  const query = useThing(stayQuestion(stageId, as), STILL_OPEN);
  const hasCookie = useVisited().some((visited) => visited.token === token);
  const files = useQuery({
    enabled: !hasCookie,
    queryKey: ['reprise', token],
    queryFn: () => call('POST /session/reprise', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEndOfVisit(session, query.error ?? files.error);
  return { query, files };
}

/** The stays that have come, under names that differ: with their dates where two have the same. */
function useShown(
  sessions: readonly StaySession[],
  data: readonly (Stay | null | undefined)[],
): readonly Shown[] {
  const { locale } = useSite();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `data`, of which there is always as much
  return useMemo(() => {
    const found = sessions.flatMap((session, index) => {
      const stay = data[index];
      return stay ? [{ session, stay }] : [];
    });
    const names = found.map(({ stay }) => stay.nom_stage);
    const wholes = found.map(({ stay }) =>
      names.filter((name) => name === stay.nom_stage).length > 1 ? stayLabel(stay, locale) : stay.nom_stage,
    );
    const shorts = shortNames(wholes);
    return found.map((one, index) => ({
      ...one,
      whole: wholes[index] ?? '',
      short: shorts[index] ?? '',
    }));
  }, [...data, sessions, locale]);
}

/** Streams of events that are open at once: a browser has six connections to a site, and photos need them. */
const LIVE_MAX = 2;

function galleryOf(shown: readonly Shown[]): GalleryStay[] {
  const lastFirst = shown.toSorted((one, other) => (one.stay.date_fin < other.stay.date_fin ? 1 : -1));
  const live = new Set(lastFirst.slice(0, LIVE_MAX));
  return shown.map((one) => ({
    stageId: one.stay.id,
    as: familyOf(one.stay.id),
    session: one.session,
    lastDay: one.stay.photos_jusquau,
    isLive: live.has(one),
    name: shown.length > 1 ? { whole: one.whole, short: one.short } : undefined,
  }));
}

function Nothing({ chosen }: { chosen: readonly Shown[] }) {
  const { today } = useSite();
  const [one, ...others] = chosen;
  if (one && others.length === 0) return <NoPhotos stay={one.stay} />;
  const areOver = chosen.every(({ stay }) => stay.date_fin < today);
  return (
    <PhotosPlace title={areOver ? 'Les photos des séjours' : 'Les photos arriveront ici'}>
      <p>
        Aucun de vos séjours n’a encore de photos. Leurs équipes les regardent une à une avant de les montrer.
      </p>
    </PhotosPlace>
  );
}

function AboutStay({ stay, session, whole, isAlone }: Shown & { isAlone: boolean }) {
  const { locale, today } = useSite();
  const shown = { as: familyOf(stay.id), of: isAlone ? undefined : whole };
  const titleId = `sejour-${stay.id}`;
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={titleId} tabIndex={-1} className="wrap-anywhere">
            {whole}
          </h2>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <p className="first-letter:uppercase">{rangeOf(stay.date_debut, stay.date_fin, locale)}</p>
            <p className="rounded-full bg-sun px-2 text-sm font-semibold text-on-sun">
              {progressOf(stay, today)}
            </p>
          </div>
        </div>
        {!isAlone && <CloseButton session={session} />}
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <PracticalInfo stay={stay} {...shown} />
        <Booklets stageId={stay.id} {...shown} />
      </div>
      <Questionnaire stay={stay} session={session} {...shown} />
    </section>
  );
}
