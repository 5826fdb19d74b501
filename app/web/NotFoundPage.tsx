import { SearchForm } from '#features/site/web/search/SearchForm.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';

export function NotFoundPage() {
  return (
    <div className="page flex flex-col items-center text-center">
      <Drawing name="lostTent" className="h-auto w-full max-w-md" />
      <h1 className="mt-6">Page non trouvée</h1>
      <p className="mt-4 max-w-prose">
        La page que vous recherchez n’existe pas. Voici un lien pour vous rediriger{'\u202f'}:
      </p>
      <p className="mt-8">
        <Link className="button" to="/">
          Retour Accueil
        </Link>
      </p>
      <div className="mt-10 flex w-full justify-center">
        <SearchForm />
      </div>
    </div>
  );
}
