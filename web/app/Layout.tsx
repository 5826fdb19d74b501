import { Link, Outlet } from 'react-router';
import { useSite } from '../site.tsx';
import { useArrival } from './useArrival.ts';

/** The frame of public pages. */
export function Layout() {
  const { organisation } = useSite();
  useArrival();
  return (
    <>
      <a className="skip-link" href="#contenu">
        Aller au contenu
      </a>
      <header className="border-b border-mist bg-paper">
        <div className="mx-auto flex max-w-6xl items-center px-4 py-2">
          <Link to="/" className="flex min-h-11 items-center gap-3 font-bold text-pine no-underline">
            <img src="/icon.svg" alt="" width="36" height="36" />
            <span>
              Portail CSE
              {organisation && <span className="block text-sm font-normal text-ink">{organisation}</span>}
            </span>
          </Link>
        </div>
      </header>
      <main id="contenu" tabIndex={-1} className="mx-auto w-full max-w-6xl grow px-4 py-8">
        <Outlet />
      </main>
      <footer className="border-t border-mist px-4 py-6 text-center text-sm">
        Portail CSE{organisation && ` — ${organisation}`}
      </footer>
    </>
  );
}
