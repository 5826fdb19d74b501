import { Link } from 'react-router';
import { callForBanner, useMayChoose, useOutside } from '#features/site/web/consent.ts';
import { API_PREFIX } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';

/** What the site has always asked its counter; the built-in one draws the same figures. */
const COUNTER = { page: 'site', style: 'passerelle', nbdigits: '5', type: 'page', initCount: '0' };

/** `outside`: the address of another counter, which may have a query of its own; blank: ours. */
function counterAddress(outside: string): string {
  if (outside === '') return `${API_PREFIX}/compteur.svg?${new URLSearchParams(COUNTER)}`;
  const address = new URL(outside);
  for (const [name, value] of Object.entries(COUNTER)) address.searchParams.set(name, value);
  return address.href;
}

const LINKS = [
  { to: '/connexion', label: 'Photos des séjours' },
  { to: '/mentions-legales', label: 'Mentions légales' },
  { to: '/politique-confidentialite', label: 'Politique de confidentialité' },
  { to: '/accessibilite', label: 'Accessibilité' },
];

export function Footer() {
  const { organisation } = useSite();
  const { counterUrl } = useOutside();
  const mayChoose = useMayChoose();
  return (
    <footer className="border-t border-mist bg-card">
      <div className="mx-auto flex w-full max-w-6xl flex-col flex-wrap gap-x-8 gap-y-4 px-4 py-6 text-sm md:flex-row md:items-center">
        <div className="flex min-w-0 items-center gap-3 md:max-w-sm">
          <img
            src="/icon.svg"
            alt=""
            title={['Portail du comité social et économique', organisation].filter(Boolean).join(' — ')}
            width="40"
            height="40"
            className="shrink-0"
          />
          <p className="min-w-0 font-title text-base font-semibold wrap-anywhere text-pine">
            Portail CSE
            {organisation && <span className="block text-sm font-normal text-quiet">{organisation}</span>}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-6 md:ml-auto">
          {LINKS.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className="inline-flex min-h-11 items-center">
                {label}
              </Link>
            </li>
          ))}
          {mayChoose && (
            <li className="noscript:hidden">
              <button
                type="button"
                className="min-h-11 text-lake underline underline-offset-3"
                onClick={callForBanner}
              >
                Gérer mes choix
              </button>
            </li>
          )}
        </ul>
        <p className="flex shrink-0 items-center gap-2 text-quiet">
          Visites
          <img
            referrerPolicy="no-referrer"
            src={counterAddress(counterUrl)}
            alt="Compteur de visites"
            height="20"
            loading="lazy"
            className="h-5 w-auto"
          />
        </p>
      </div>
    </footer>
  );
}
