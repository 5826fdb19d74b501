import { firstPhotosQuestion, removalsQuestion } from '#features/photos/web/questions.ts';
import { SIGNED_OUT_ADDRESS, TOGETHER_ADDRESS } from '#features/stays/web/sessions.ts';
import { dayWordsQuestion, isStayId, stayQuestion } from '#features/stays/web/stays.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { type ItemPage, lazyPage, type Page, type PageContent } from '#platform/web/pages.tsx';
import { familyOf } from '#platform/web/session.ts';

export const photosPages = [
  {
    path: '/stage-details/:id',
    title: 'Photos du séjour',
    isRendered: false,
    module: 'features/stayPages/web/StayPage.tsx',
    Component: lazyPage(async () => (await import('./StayPage.tsx')).StayPage),
  },
  {
    path: TOGETHER_ADDRESS,
    title: 'Mes séjours',
    isRendered: false,
    module: 'features/stayPages/web/TogetherPage.tsx',
    Component: lazyPage(async () => (await import('./TogetherPage.tsx')).TogetherPage),
  },
  {
    path: '/formateur',
    title: 'Espace des directeurs',
    isRendered: false,
    module: 'features/stayPages/web/DirectorPage.tsx',
    Component: lazyPage(async () => (await import('./DirectorPage.tsx')).DirectorPage),
  },
  {
    path: SIGNED_OUT_ADDRESS,
    title: 'Déconnexion',
    isRendered: true,
    module: 'features/stayPages/web/SignedOutPage.tsx',
    Component: lazyPage(async () => (await import('./SignedOutPage.tsx')).SignedOutPage),
  },
] as const satisfies readonly Page[];

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

/** Content of each page that only the server needs. */
export const photosContents: Record<(typeof photosPages)[number]['module'], PageContent> = {
  'features/stayPages/web/StayPage.tsx': {
    description: 'Les photos d’un séjour, pour ses familles.',
    isIndexed: false,
    visits: ({ id = '' }) =>
      isStayId(id) ? { stageId: Number(id), as: () => 'stay', questions: questionsOf } : undefined,
  },
  'features/stayPages/web/TogetherPage.tsx': {
    description: 'Les photos de plusieurs séjours, pour une même famille.',
    isIndexed: false,
    visits: () => ({ as: familyOf, questions: questionsOf }),
  },
  'features/stayPages/web/DirectorPage.tsx': {
    description: 'Un séjour, pour ses directeurs.',
    isIndexed: false,
  },
  'features/stayPages/web/SignedOutPage.tsx': {
    description: 'Ce qui reste sur un appareil après la déconnexion d’un séjour.',
    isIndexed: false,
  },
};
