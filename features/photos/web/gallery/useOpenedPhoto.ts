import { useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

interface Opened {
  photo: number;
  plays: boolean;
}

/** The photo that is open over the page, kept in the history of the browser: its Back closes it. */
export function useOpenedPhoto() {
  const { pathname, search, state, key } = useLocation();
  const navigate = useNavigate();
  const closed = useRef<string>(undefined);
  return {
    opened: readOpened(state),
    open: (photo: number, plays = false) => {
      navigate(pathname + search, { state: { photo, plays } satisfies Opened });
    },
    close: () => {
      // Asked for twice before the browser is back, it would leave the page.
      if (closed.current === key) return;
      closed.current = key;
      navigate(-1);
    },
  };
}

function readOpened(state: unknown): Opened | undefined {
  const { photo, plays } = (state ?? {}) as Partial<Record<keyof Opened, unknown>>;
  return typeof photo === 'number' ? { photo, plays: plays === true } : undefined;
}
