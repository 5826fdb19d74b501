import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { SignInForm } from './SignInForm.tsx';

export function PortalSignInPage() {
  const navigate = useNavigate();
  const answers = useQueryClient();
  const from = wantedPage(useLocation().state);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Does not take the focus from a field where somebody is typing already.
    if (document.activeElement instanceof HTMLInputElement) return;
    page.current?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={page} className="flex grow flex-col">
      <Drawing name="horizon" className="h-[clamp(8.5rem,22vw,24vh)] w-full" />
      <div className="page -mt-16 max-w-md">
        <div className="card p-6 sm:p-8">
          <h1 className="text-3xl">Portail administrateur</h1>
          <p className="mt-2 mb-6 text-quiet">Réservé à l’équipe du CSE.</p>
          <SignInForm
            onSignedIn={() => {
              answers.clear();
              navigate(from, { replace: true });
            }}
          />
        </div>
      </div>
    </div>
  );
}

/** The page of the portal that redirected here, or its first page; only the site itself writes this state. */
function wantedPage(state: unknown): string {
  const from = state && typeof state === 'object' && 'from' in state ? state.from : undefined;
  return typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : '/portail';
}
