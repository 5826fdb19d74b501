import { Link, useSearchParams } from 'react-router';
import { Scenes } from '#features/accounts/web/sign-in/Scenes.tsx';
import { OpenStays } from './OpenStays.tsx';
import { StaySignInForm } from './StaySignInForm.tsx';

/** The door of families and directors to the photos of their stay. */
export function StaySignInPage() {
  const [search] = useSearchParams();
  // From the link of a mail, say.
  const number = search.get('stageId')?.match(/^\d{1,15}$/)?.[0];
  return (
    <>
      <Scenes className="h-[clamp(13rem,32.5vw,26rem)] w-full" />
      <div className="page z-10 -mt-20 max-w-md md:-mt-32 lg:-mt-44 xl:-mt-56">
        <div className="card p-6 sm:p-8">
          <h1 className="text-2xl sm:text-3xl">Photos des séjours</h1>
          <p className="mt-2 mb-6 text-quiet">Pour les familles et les directeurs de séjour.</p>
          <OpenStays />
          <StaySignInForm key={number} givenNumber={number} />
          <p className="mt-6 border-t border-mist pt-4 text-quiet">
            Les codes arrivent par e-mail avant le séjour. Une question{'\u202f'}?{' '}
            <Link to="/mentions-legales#contact">Écrivez-nous</Link>.
          </p>
          <p>
            <Link to="/politique-photos" className="inline-flex min-h-11 items-center">
              Politique photos
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}
