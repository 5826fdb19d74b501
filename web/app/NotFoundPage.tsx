import { Link } from 'react-router';

export function NotFoundPage() {
  return (
    <div className="mx-auto max-w-prose py-12 text-center">
      <h1>Page non trouvée</h1>
      <p className="mt-4">
        La page que vous recherchez n'existe pas. Voici un lien pour vous rediriger{'\u202f'}:
      </p>
      <p className="mt-8">
        <Link className="button" to="/">
          Retour Accueil
        </Link>
      </p>
    </div>
  );
}
