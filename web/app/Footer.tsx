import { Link } from 'react-router';
import { API_PREFIX } from '../api.ts';
import { useSite } from '../site.tsx';

/** The counter's parameters are those the site has always sent; the built-in one draws the same figures. */
const COUNTER = `${API_PREFIX}/compteur.svg?page=site&style=passerelle&nbdigits=5&type=page&initCount=0`;

export function Footer() {
  const { organisation } = useSite();
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
          <li>
            <Link to="/mentions-legales" className="inline-flex min-h-11 items-center">
              Mentions légales
            </Link>
          </li>
          <li>
            <Link to="/politique-confidentialite" className="inline-flex min-h-11 items-center">
              Politique de confidentialité
            </Link>
          </li>
        </ul>
        <p className="flex shrink-0 items-center gap-2 text-quiet">
          Visites
          <img src={COUNTER} alt="Compteur de visites" height="20" loading="lazy" className="h-5 w-auto" />
        </p>
      </div>
    </footer>
  );
}
