import { firstPhotosQuestion, removalsQuestion } from '#features/photos/web/questions.ts';
import { SIGNED_OUT_ADDRESS, TOGETHER_ADDRESS } from '#features/stays/web/sessions.ts';
import { dayWordsQuestion, isStayId, stayQuestion } from '#features/stays/web/stays.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { type ItemPage, lazyPage, type Page } from '#platform/web/pages.tsx';
import { familyOf } from '#platform/web/session.ts';

export const photosPages: readonly Page[] = [
  {
    path: '/stage-details/:id',
    title: 'Photos du séjour',
    isRendered: false,
    Component: lazyPage(async () => (await import('./StayPage.tsx')).StayPage),
    server: import.meta.env.SSR && {
      module: 'features/stayPages/web/StayPage.tsx',
      description: 'Les photos d’un séjour, pour ses familles.',
      isIndexed: false,
      visits: ({ id = '' }) =>
        isStayId(id) ? { stageId: Number(id), as: () => 'stay', questions: questionsOf } : undefined,
    },
  },
  {
    path: TOGETHER_ADDRESS,
    title: 'Mes séjours',
    isRendered: false,
    Component: lazyPage(async () => (await import('./TogetherPage.tsx')).TogetherPage),
    server: import.meta.env.SSR && {
      module: 'features/stayPages/web/TogetherPage.tsx',
      description: 'Les photos de plusieurs séjours, pour une même famille.',
      isIndexed: false,
      visits: () => ({ as: familyOf, questions: questionsOf }),
    },
  },
  {
    path: '/formateur',
    title: 'Espace des directeurs',
    isRendered: false,
    Component: lazyPage(async () => (await import('./DirectorPage.tsx')).DirectorPage),
    server: import.meta.env.SSR && {
      module: 'features/stayPages/web/DirectorPage.tsx',
      description: 'Un séjour, pour ses directeurs.',
      isIndexed: false,
    },
  },
  {
    path: SIGNED_OUT_ADDRESS,
    title: 'Déconnexion',
    isRendered: true,
    Component: lazyPage(async () => (await import('./SignedOutPage.tsx')).SignedOutPage),
    server: import.meta.env.SSR && {
      module: 'features/stayPages/web/SignedOutPage.tsx',
      description: 'Ce qui reste sur un appareil après la déconnexion d’un séjour.',
      isIndexed: false,
    },
  },
];

export const photoItemPages: readonly ItemPage[] = [
  { path: '/photos-modify/:id', title: 'Photos du séjour' },
];

/** What the first screen of a page shows of a stay. */
function questionsOf(stageId: number, role: PasswordType) {
  return [
    stayQuestion(stageId),
    firstPhotosQuestion(stageId),
    dayWordsQuestion(stageId),
    ...(role === 'stagiaire' ? [removalsQuestion(stageId)] : []),
  ];
}
