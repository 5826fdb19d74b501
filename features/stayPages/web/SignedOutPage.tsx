import { House, LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { countFavourites } from '#features/gallery/web/keepsakes.ts';
import { countWaitingForSignIn } from '#features/sending/web/keptUploads.ts';
import { OpenStays } from '#features/stays/web/StaySignInPage.tsx';
import { NOBODY_SEES, useHoldsTokens, useStays } from '#features/stays/web/sessions.ts';
import { countDrafts } from '#platform/web/drafts.ts';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { TextSizeControl } from '#platform/web/ui/TextSize.tsx';

/** Where signing out of a stay leads: what stays on this device, and the ways back. */
export function SignedOutPage() {
  const hasOtherSignIns = useHoldsTokens();
  const hasOpenStays = useStays().length > 0;
  const left = useLeft();
  return (
    <>
      <Drawing name="lake" className="h-[clamp(7rem,18vw,14rem)] w-full" />
      <div className="page relative z-10 -mt-12 max-w-xl pt-0">
        <div className="card items-stretch gap-4 p-5 sm:p-8">
          <div className="flex flex-wrap items-center justify-between gap-x-2">
            <h1 className="text-xl sm:text-3xl">
              {hasOtherSignIns ? 'Ce séjour est fermé' : 'Vous êtes déconnecté'}
            </h1>
            <div className="-mr-2 ml-auto">
              <TextSizeControl />
            </div>
          </div>
          {!hasOpenStays && <p>{NOBODY_SEES}</p>}
          <div>
            <h2 className="text-lg">Ce qui reste sur cet appareil</h2>
            {left?.length === 0 && (
              <p className="mt-2 font-semibold">
                {hasOtherSignIns ? 'Rien de ce séjour' : 'Rien'}
                {'\u202f'}: ni photo, ni texte.
              </p>
            )}
            {left && left.length > 0 && (
              <ul className="prose mt-2">
                {left.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
            <p className="mt-2">
              Si vous avez enregistré ou téléchargé des photos, elles restent où vous les avez mises.
            </p>
          </div>
          <OpenStays />
          <p className="flex flex-wrap gap-3">
            <Link to="/connexion" className="button">
              <LogIn className="size-5" />
              {hasOpenStays ? 'Ouvrir un autre séjour' : 'Se connecter de nouveau'}
            </Link>
            <Link to="/" className="button quiet">
              <House className="size-5" />
              Aller à l’accueil
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}

/** What this site has left on this device, in words; undefined until it is known. */
function useLeft(): readonly string[] | undefined {
  const [left, setLeft] = useState<readonly string[]>();
  useEffect(() => {
    countWaitingForSignIn().then((unsent) =>
      setLeft([
        ...inWords(
          countFavourites(),
          'Le numéro de la photo que vous avez mise en favori, sans l’image.',
          (count) => `Les numéros des ${count}\u00a0photos que vous avez mises en favori, sans les images.`,
        ),
        ...inWords(
          countDrafts(),
          'Un texte commencé et pas encore envoyé, en brouillon.',
          (count) => `${count}\u00a0textes commencés et pas encore envoyés, en brouillon.`,
        ),
        ...inWords(
          unsent,
          'Une photo à envoyer, qui attend qu’un directeur de son séjour se connecte.',
          (count) =>
            `${count}\u00a0photos à envoyer, qui attendent qu’un directeur de leur séjour se connecte.`,
        ),
      ]),
    );
  }, []);
  return left;
}

function inWords(count: number, one: string, several: (count: number) => string): string[] {
  if (count === 0) return [];
  return [count === 1 ? one : several(count)];
}
