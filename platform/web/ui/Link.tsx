import type { ComponentProps } from 'react';
import { createPath, useHref, useLocation, useNavigate } from 'react-router';
import { opensElsewhere } from '../history.tsx';

interface LinkProps extends ComponentProps<'a'> {
  to: string;
  /** Takes the place of this page in the history, instead of following it. */
  replace?: boolean;
  /** What the page behind it finds in its location's `state`. */
  state?: unknown;
}

/**
 * A link to a page of this site, which the router shows without loading it anew. React Router's own `Link` would bring
 * its loaders and forms along: 4 kB of scripts on every page.
 */
export function Link({ to, replace = false, state, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const here = createPath(useLocation());
  const href = useHref(to);
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || rest.target || event.button !== 0) return;
        if (event.altKey || opensElsewhere(event)) return;
        event.preventDefault();
        // As browsers do: a link to the page that is shown adds no entry to the history.
        navigate(to, { replace: replace || href === here, state });
      }}
    />
  );
}
