import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { paced, pause } from '#features/photos/shared/pace.ts';
import { PHOTOS_LISTED } from '#features/photos/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call, listen } from '#platform/web/api.ts';
import { type AskedQuestion, useAskAgain, useQuestion } from '#platform/web/questions.ts';
import type { AskedAs, StaySession } from '#platform/web/session.ts';

/** As whom the photos of a stay are looked at. */
export type Viewer = Extract<AskedAs, 'stay' | 'portal'>;

/** The photos of a stay that its viewer may see, the latest first. */
export interface StayPhotos {
  photos: readonly Photo[];
  /** How many there are in all; more than in `photos` while the rest is still on its way. */
  total: number;
  /** What changes later is asked for with it. */
  repere: string;
  isWhole: boolean;
}

/** Photos of the first answer: as many as fill any window, so that it comes soon. */
const FIRST = 120;
/** Time, in ms, after which changes are asked for even when no event said so: a proxy may hold events back. */
const EVERY_MS = 60_000;
/** Time, in ms, between two questions that events lead to: the first one is asked at once, for the sake of removals. */
const SHORTEST_MS = 1_000;
/** Longest time, in ms, before the whole list is asked for anew: what makes one page do so makes all of them. */
const SPREAD_MS = 3_000;

/**
 * The photos of a stay, kept up to date while they are shown: changes made by others arrive by themselves, and those made
 * here after `useAskPhotos`.
 */
export function useStayPhotos(stageId: number, as: Viewer) {
  const answers = useQueryClient();
  const query = useQuery({
    ...photosQuery(answers, stageId, as),
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
  });
  const isWhole = query.data?.isWhole ?? false;
  useEffect(() => {
    if (!isWhole) return;
    const ask = () => askChanges(answers, stageId, as);
    return whileSeen(() =>
      together(photosKey(stageId, as).join(), () => listen(stageId, paced(ask, SHORTEST_MS))),
    );
  }, [answers, stageId, as, isWhole]);
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: failed loads are always logged
    if (query.error) console.error('Erreur lors de la récupération des photos:', query.error);
  }, [query.error]);
  return query;
}

/** Has the photos of a family's stay on their way while the page still waits for what else there is to say of it. */
export function useEarlyPhotos(stageId: number, session: StaySession | undefined): void {
  const answers = useQueryClient();
  const query = photosQuery(answers, stageId, 'stay');
  if (session && !answers.getQueryState(query.queryKey)) void answers.prefetchQuery(query);
}

function photosQuery(answers: QueryClient, stageId: number, as: Viewer) {
  const queryKey = photosKey(stageId, as);
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    const known = answers.getQueryData<StayPhotos>(queryKey);
    const show = (part: StayPhotos) => answers.setQueryData(queryKey, part);
    return known?.isWhole ? follow(stageId, as, known, signal) : loadAll(stageId, as, signal, show);
  };
  return { queryKey, queryFn };
}

/** Asks for what changed in the photos of a stay, wherever they are shown; settles when it is there. */
export function useAskPhotos(stageId: number, as: Viewer): () => Promise<void> {
  const answers = useQueryClient();
  return () => askChanges(answers, stageId, as);
}

/** An answer that is already on its way may not tell of the last change: it is let come, and asked for again after it. */
async function askChanges(answers: QueryClient, stageId: number, as: Viewer): Promise<void> {
  const asked = { queryKey: photosKey(stageId, as), exact: true };
  const isUnderWay = answers.isFetching(asked) > 0;
  await answers.invalidateQueries(asked, { cancelRefetch: false });
  if (isUnderWay) await answers.invalidateQueries(asked, { cancelRefetch: false });
}

/** The mark of what is shown of a stay's photos, which says what whoever decides has looked at. */
export function useMark(stageId: number, as: Viewer): () => string | undefined {
  const answers = useQueryClient();
  return () => answers.getQueryData<StayPhotos>(photosKey(stageId, as))?.repere;
}

/** Which photos of a stay are listed now. */
export function useListed(stageId: number, as: Viewer): () => ReadonlySet<number> {
  const answers = useQueryClient();
  return () => new Set(answers.getQueryData<StayPhotos>(photosKey(stageId, as))?.photos.map(({ id }) => id));
}

function photosKey(stageId: number, as: Viewer) {
  return ['photos', stageId, as] as const;
}

async function loadAll(
  stageId: number,
  as: Viewer,
  signal: AbortSignal,
  show: (part: StayPhotos) => void,
): Promise<StayPhotos> {
  let photos: Photo[] = [];
  let repere: string | undefined;
  let apres: string | undefined;
  for (;;) {
    const query = { limite: apres === undefined ? FIRST : PHOTOS_LISTED, ...(apres && { apres }) };
    const part: ReplyOf<'GET /stages/:id/photos'> = await call('GET /stages/:id/photos', {
      params: { id: stageId },
      query,
      as,
      signal,
    });
    photos = [...photos, ...part.photos];
    // The first one: what changes while the others are read is asked for again.
    repere ??= part.repere;
    const isWhole = part.suite === null;
    const known = { photos, total: Math.max(part.total, photos.length), repere, isWhole };
    if (isWhole) return known;
    show(known);
    apres = part.suite ?? undefined;
  }
}

async function follow(
  stageId: number,
  as: Viewer,
  known: StayPhotos,
  signal: AbortSignal,
): Promise<StayPhotos> {
  const { photos, parties, repere, tout } = await call('GET /stages/:id/photos/changements', {
    params: { id: stageId },
    query: { depuis: known.repere },
    as,
    signal,
  });
  if (tout) {
    await pause(Math.random() * SPREAD_MS, signal);
    return loadAll(stageId, as, signal, () => {});
  }
  if (photos.length === 0 && parties.length === 0) return { ...known, repere };
  const changed = new Set([...parties, ...photos.map(({ id }) => id)]);
  const all = [...known.photos.filter(({ id }) => !changed.has(id)), ...photos].sort(latestFirst);
  return { photos: all, total: all.length, repere, isWhole: true };
}

/** The order of the list. */
function latestFirst(one: Photo, other: Photo): number {
  return compare(other.jour, one.jour) || compare(other.prise_le, one.prise_le) || other.id - one.id;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Does something only while the page is seen: a hidden tab keeps no line open. */
function whileSeen(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const look = () => {
    if (document.visibilityState === 'visible') end ??= begin();
    else {
      end?.();
      end = undefined;
    }
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    end?.();
  };
}

/** What several do at once, by name: how many they are, and how it ends. */
const shared = new Map<string, { users: number; end: () => void }>();

/** Begins something for the first who wants it, and ends it with the last: a browser keeps few lines open. */
function together(name: string, begin: () => () => void): () => void {
  const one = shared.get(name) ?? { users: 0, end: begin() };
  shared.set(name, one);
  one.users += 1;
  return () => {
    one.users -= 1;
    if (one.users > 0) return;
    shared.delete(name);
    one.end();
  };
}

/** Where the photos of a stay are, for those who look after them. */
export type Tracking = ReplyOf<'GET /stages/:id/photos/suivi'>;

function trackingQuestion(stageId: number, as: Viewer) {
  return {
    key: 'GET /stages/:id/photos/suivi',
    params: { id: stageId },
    as,
  } as const satisfies AskedQuestion;
}

/** The photos of a stay and their counts, both kept up to date. */
export function useTracking(stageId: number, as: Viewer) {
  const photos = useStayPhotos(stageId, as);
  const question = trackingQuestion(stageId, as);
  const tracking = useQuestion(question, 'Erreur lors de la récupération du suivi des photos:');
  const askAgain = useAskAgain(question);
  const list = photos.data?.photos;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a photo has changed
  useEffect(() => {
    if (list) void askAgain();
  }, [list]);
  return { photos, tracking };
}
