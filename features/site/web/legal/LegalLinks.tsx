import { Link } from 'react-router';

const TEXTS = [
  { to: '/politique-confidentialite', label: 'Politique de confidentialité' },
  { to: '/politique-photos', label: 'Politique photos' },
  { to: '/accessibilite', label: 'Accessibilité' },
];

/** The other texts by which the site is bound. */
export function LegalLinks() {
  return (
    <nav aria-labelledby="voir-aussi" className="mt-12 print:hidden">
      <h2 id="voir-aussi" className="text-xl">
        Voir aussi
      </h2>
      <ul className="mt-2 flex flex-wrap gap-x-6">
        {TEXTS.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="inline-flex min-h-11 items-center">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
