import { Eye } from 'lucide-react';
import { Link } from 'react-router';
import type { PasswordType } from '#platform/shared/roles.ts';

interface ViewBannerProps {
  stageId: number;
  /** Undefined: staff. */
  role: PasswordType | undefined;
}

/** Says to whoever is no family that they see the page of families, and leads back. */
export function ViewBanner({ stageId, role }: ViewBannerProps) {
  if (role === 'stagiaire') return null;
  const isStaff = role === undefined;
  return (
    <div className="border-b border-mist bg-mist">
      <div className="mx-auto flex w-full max-w-5xl flex-wrap items-center gap-x-4 px-4 py-1">
        <Eye aria-hidden="true" className="size-5 shrink-0 text-pine" />
        <p className="grow basis-56 font-semibold">
          {isStaff ? 'Vue d’administrateur' : 'Vous voyez la page comme une famille'}
        </p>
        <Link
          to={isStaff ? `/photos-modify/${stageId}` : '/formateur'}
          className="inline-flex min-h-11 items-center"
        >
          {isStaff ? 'Retour au portail' : 'Revenir à mon espace'}
        </Link>
      </div>
    </div>
  );
}
