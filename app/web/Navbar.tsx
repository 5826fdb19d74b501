import { ChevronDown, LogOut, Menu, X } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { useSignOut } from '#features/photos/web/useSignOut.ts';
import { addressOfStay } from '#features/stays/web/useSwitchStay.ts';
import { useIsSignedIn, useStaySession } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';

const MAIN = [
  { to: '/', label: 'Accueil' },
  { to: '/a-propos', label: 'A propos du CSE' },
  { to: '/membres', label: 'Les membres' },
  { to: '/Evenements', label: 'Nos événements' },
];
const MINUTES = { to: '/compte-rendus', label: 'Compte rendus' };
const BENEFITS = { to: '/avantages', label: 'Avantages du CSE' };

/** The bar at the top of every page. */
export function Navbar() {
  const { organisation } = useSite();
  const isSignedIn = useIsSignedIn();
  const signOut = useSignOut();
  return (
    <header className={`site-bar ${isSignedIn ? 'signed-in' : ''}`}>
      <div className="mx-auto flex w-full max-w-6xl items-center gap-2 px-4 py-2">
        <Link
          to="/"
          className="mr-auto flex min-h-11 min-w-36 items-center gap-3 font-title text-lg leading-tight font-bold text-pine no-underline"
        >
          <img src="/icon.svg" alt="" width="40" height="40" className="shrink-0" />
          <span className="min-w-0">
            Portail CSE
            {organisation && (
              <span className="block truncate font-text text-sm font-normal text-quiet">{organisation}</span>
            )}
          </span>
        </Link>
        <nav aria-label="Navigation principale" className="when-wide">
          <ul className="flex items-center gap-1">
            {MAIN.map(({ to, label }) => (
              <li key={to}>
                <NavLink to={to} end className="bar-link">
                  {label}
                </NavLink>
              </li>
            ))}
            <li>
              <UsefulMenu />
            </li>
          </ul>
        </nav>
        {isSignedIn && (
          <button type="button" className="bar-link when-wide" onClick={signOut}>
            <LogOut aria-hidden="true" className="size-5" />
            Déconnexion
          </button>
        )}
        <SideMenu isSignedIn={isSignedIn} signOut={signOut} />
      </div>
    </header>
  );
}

/** « Informations utiles »: opens under a mouse that rests on it, and by a press or a tap. */
function UsefulMenu() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: true });
  return (
    <div ref={menu.ref} className="relative" {...menu.hover}>
      <button type="button" className="bar-link" {...menu.button}>
        Informations utiles
        <ChevronDown
          aria-hidden="true"
          className={`size-4 transition-transform ${menu.isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <ul id={menu.id} className={`dropdown left-0 w-56 ${menu.isOpen ? '' : 'closed'}`}>
        <UsefulLinks />
      </ul>
    </div>
  );
}

function UsefulLinks() {
  const { jobOffersUrl } = useSite();
  return (
    <>
      <MenuLink {...MINUTES} />
      {jobOffersUrl && (
        <li>
          <a href={jobOffersUrl} target="_blank" rel="noopener noreferrer" className="menu-link">
            Offre d’emplois
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        </li>
      )}
      <MenuLink {...BENEFITS} />
    </>
  );
}

/** Behind the three bars: on a desktop what is for some people only, on a phone the whole menu. */
function SideMenu({ isSignedIn, signOut }: { isSignedIn: boolean; signOut(): void }) {
  const stay = useStaySession();
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  const Icon = menu.isOpen ? X : Menu;
  return (
    <div ref={menu.ref} className="relative">
      <button type="button" className="round-button" {...menu.button}>
        <Icon aria-hidden="true" className="size-7" />
        <span className="sr-only">Menu</span>
      </button>
      <nav
        id={menu.id}
        aria-label="Menu"
        className={`dropdown right-0 w-72 max-w-[calc(100vw-2rem)] ${menu.isOpen ? '' : 'closed'}`}
      >
        <ul className="when-narrow border-b border-mist pb-2">
          {MAIN.map((link) => (
            <MenuLink key={link.to} {...link} />
          ))}
          <li className="px-4 pt-3 pb-1 text-sm font-semibold text-quiet" aria-hidden="true">
            Informations utiles
          </li>
          <UsefulLinks />
        </ul>
        <ul className="pt-1">
          {stay && <MenuLink to={addressOfStay(stay)} label="Mon séjour" />}
          <li>
            <NavLink to="/portail" className="menu-link">
              <span className="when-narrow">Portail Administrateur</span>
              <span className="when-wide">Administrateur</span>
            </NavLink>
          </li>
          {isSignedIn && (
            <li className="when-narrow">
              <button type="button" className="menu-link" onClick={signOut}>
                <LogOut aria-hidden="true" className="size-5" />
                Déconnexion
              </button>
            </li>
          )}
        </ul>
      </nav>
    </div>
  );
}

function MenuLink({ to, label }: { to: string; label: string }) {
  return (
    <li>
      <NavLink to={to} end className="menu-link">
        {label}
      </NavLink>
    </li>
  );
}
