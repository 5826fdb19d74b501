import { useEffect, useState } from 'react';

/** How long after each failure a picture is asked for again, in ms; what the last one leaves missing stays so. */
const WAITS = [2_000, 10_000];

/**
 * For a picture that did not come, over a line that breaks or from a site that is asked for too much: `tries` as its key
 * has it fetched anew.
 */
export function useRetries(): { tries: number; onError: () => void } {
  const [tries, setTries] = useState(0);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const wait = WAITS[tries];
    if (!isMissing || wait === undefined) return;
    // Not all that failed together at the same instant.
    const timer = setTimeout(() => again(), wait * (0.75 + Math.random() / 2));
    function again() {
      setMissing(false);
      setTries(tries + 1);
    }
    window.addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', again);
    };
  }, [isMissing, tries]);
  return { tries, onError: () => setMissing(true) };
}
