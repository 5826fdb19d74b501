import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { StaySession, Viewer } from '#features/stays/web/sessions.ts';
import { aboutStay } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { paced, pause } from '#platform/shared/pace.ts';
import { addressOf, call } from '#platform/web/api.ts';
import { useAskAgain } from '#platform/web/askAgain.ts';
import { listen } from '#platform/web/listen.ts';
import { answerKey, FRESH_MS, useQuestion } from '#platform/web/questions.ts';
import type { Photo } from '../calls.ts';
import { PHOTOS_LISTED } from '../shared/terms.ts';
import { FIRST, firstPhotosQuestion } from './questions.ts';

/** The photos of a stay that its viewer may see, the last day first and each day in its order. */
export interface StayPhotos {
  photos: readonly Photo[];
  /** Number of photos in all; more than in `photos` while the rest is still loading. */
  total: number;
  /** Cursor: later changes are requested with it. */
  repere: string;
  /** Where the rest of the list begins; null once it is whole. */
  suite: string | null;
  isWhole: boolean;
}

/** Time, in ms, after which changes are requested even without an event: a proxy may hold events back. */
const EVERY_MS = 60_000;
/** Shortest time, in ms, between two requests caused by events; the first goes at once, for the sake of removals. */
const SHORTEST_MS = 1_000;
/** Longest random delay, in ms, before reloading the whole list: what makes one page do so makes all of them. */
const SPREAD_MS = 3_000;

/**
 * The photos of a stay, kept up to date while they are shown: changes made by others arrive by themselves, those made
 * here once the function of `useAskPhotos` is called. `isLive`: false where changes are only asked for each minute.
 */
export function useStayPhotos(stageId: number, as: Viewer, isLive = true) {
  const answers = useQueryClient();
  const query = useQuery({
    ...photosQuery(answers, stageId, as),
    refetchInterval: EVERY_MS,
    refetchOnWindowFocus: true,
  });
  const isWhole = query.data?.isWhole ?? false;
  useEffect(() => {
    if (!isWhole || !isLive) return;
    const ask = () => askChanges(answers, stageId, as);
    return whileSeen(() =>
      together(photosKey(stageId, as).join(), () =>
        listen(
          addressOf('GET /stages/:id/flux', { params: { id: stageId } }),
          'photos',
          paced(ask, SHORTEST_MS),
        ),
      ),
    );
  }, [answers, stageId, as, isWhole, isLive]);
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: failed loads are always logged
    if (query.error) console.error('Erreur lors de la récupération des photos:', query.error);
  }, [query.error]);
  return query;
}

/** Prefetches the photos of a stay for a family, while the page still waits for the rest of the stay's data. */
export function useEarlyPhotos(stageId: number, session: StaySession | undefined, as: Viewer = 'stay'): void {
  const answers = useQueryClient();
  const query = photosQuery(answers, stageId, as);
  const isKnown = answers.getQueryState(query.queryKey) !== undefined || query.initialData() !== undefined;
  if (session && !isKnown) void answers.prefetchQuery(query);
}

function photosQuery(answers: QueryClient, stageId: number, as: Viewer) {
  const queryKey = photosKey(stageId, as);
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    const known = answers.getQueryData<StayPhotos>(queryKey);
    const show = (part: StayPhotos) => answers.setQueryData(queryKey, part);
    return known?.isWhole ? follow(stageId, as, known, signal) : loadAll(stageId, as, signal, show, known);
  };
  const first = answerKey(firstPhotosQuestion(stageId, as));
  return {
    queryKey,
    queryFn,
    /** Those that came with the page. */
    initialData: () => {
      const part = answers.getQueryData<ReplyOf<'GET /stages/:id/photos'>>(first);
      return part && joined(undefined, part);
    },
    initialDataUpdatedAt: () => answers.getQueryState(first)?.dataUpdatedAt,
    staleTime: ({ state }: { state: { data?: StayPhotos | undefined } }) =>
      state.data?.isWhole ? FRESH_MS : 0,
  };
}

/** Returns a function that fetches the changes in a stay's photos, for all their views; settles when they are there. */
export function useAskPhotos(stageId: number, as: Viewer): () => Promise<void> {
  const answers = useQueryClient();
  return () => askChanges(answers, stageId, as);
}

/** Fetches changes; if a request is under way, it may lack the last change, so another one follows it. */
async function askChanges(answers: QueryClient, stageId: number, as: Viewer): Promise<void> {
  const asked = { queryKey: photosKey(stageId, as), exact: true };
  const isUnderWay = answers.isFetching(asked) > 0;
  await answers.invalidateQueries(asked, { cancelRefetch: false });
  if (isUnderWay) await answers.invalidateQueries(asked, { cancelRefetch: false });
}

export function useReadPhotos(stageId: number, as: Viewer): () => StayPhotos | undefined {
  const answers = useQueryClient();
  return () => answers.getQueryData<StayPhotos>(photosKey(stageId, as));
}

function photosKey(stageId: number, as: Viewer) {
  return ['photos', stageId, as] as const;
}

async function loadAll(
  stageId: number,
  as: Viewer,
  signal: AbortSignal,
  show: (part: StayPhotos) => void,
  known?: StayPhotos,
): Promise<StayPhotos> {
  for (;;) {
    const apres = known?.suite;
    const query = apres ? { limite: PHOTOS_LISTED, apres } : { limite: FIRST };
    const part: ReplyOf<'GET /stages/:id/photos'> = await call('GET /stages/:id/photos', {
      params: { id: stageId },
      query,
      as,
      signal,
    });
    known = joined(known, part);
    if (known.isWhole) return known;
    show(known);
  }
}

function joined(known: StayPhotos | undefined, part: ReplyOf<'GET /stages/:id/photos'>): StayPhotos {
  const photos = [...(known?.photos ?? []), ...part.photos];
  return {
    photos,
    total: Math.max(part.total, photos.length),
    // The cursor of the first part: changes made while the other parts load are then requested again.
    repere: known?.repere ?? part.repere,
    suite: part.suite,
    isWhole: part.suite === null,
  };
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
  const all = [...known.photos.filter(({ id }) => !changed.has(id)), ...photos].sort(asListed);
  return { photos: all, total: all.length, repere, suite: null, isWhole: true };
}

export function asListed(one: Photo, other: Photo): number {
  return compare(other.jour, one.jour) || withinDay(one, other);
}

export function asTaken(one: Photo, other: Photo): number {
  return compare(one.jour, other.jour) || withinDay(one, other);
}

function withinDay(one: Photo, other: Photo): number {
  return compare(one.rang, other.rang) || one.id - other.id;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Runs something only while the page is visible: a hidden tab keeps no connection open. */
function whileSeen(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const update = () => {
    if (document.visibilityState === 'visible') end ??= begin();
    else {
      end?.();
      end = undefined;
    }
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    end?.();
  };
}

/** Shared activities by name, each with its number of users and the function that ends it. */
const shared = new Map<string, { users: number; end: () => void }>();

/** Begins something for its first user and ends it with the last one: browsers allow few open connections. */
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

/** Counts and state of a stay's photos, for its directors and staff. */
export type Tracking = ReplyOf<'GET /stages/:id/photos/suivi'>;

const trackingQuestion = aboutStay('GET /stages/:id/photos/suivi');

/** Returns a function that fetches the changes in a stay's photos, and the counts, which may change when no photo does. */
export function useAskTracking(stageId: number, as: Viewer): () => Promise<void> {
  const askPhotos = useAskPhotos(stageId, as);
  const askAgain = useAskAgain(trackingQuestion(stageId, as));
  return async () => {
    await Promise.all([askPhotos(), askAgain()]);
  };
}

export function useTracking(stageId: number, as: Viewer) {
  const photos = useStayPhotos(stageId, as);
  const question = trackingQuestion(stageId, as);
  const tracking = useQuestion(question);
  const askAgain = useAskAgain(question);
  const list = photos.data?.photos;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a photo has changed
  useEffect(() => {
    if (list) void askAgain();
  }, [list]);
  return { photos, tracking };
}
