import { Pause, Play } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { RoundButton } from './Button.tsx';

interface Clock {
  isPaused: boolean;
  toggle(): void;
}

/**
 * Calls `advance` every `every` ms until paused, except while the page is hidden. It starts paused for people who
 * prefer reduced motion. With `undefined` nothing advances.
 */
export function useAutoplay(every: number | undefined, advance: () => void): Clock {
  const [isPaused, setPaused] = useState(false);
  const go = useEffectEvent(advance);
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) setPaused(true);
  }, []);
  useEffect(() => {
    if (every === undefined || isPaused) return;
    const timer = window.setInterval(() => {
      if (!document.hidden) go();
    }, every);
    return () => window.clearInterval(timer);
  }, [every, isPaused]);
  return { isPaused, toggle: () => setPaused(!isPaused) };
}

export function PauseButton({ clock, className = '' }: { clock: Clock; className?: string }) {
  const Icon = clock.isPaused ? Play : Pause;
  return (
    <RoundButton
      label={clock.isPaused ? 'Reprendre le défilement' : 'Mettre le défilement en pause'}
      className={className}
      onClick={clock.toggle}
    >
      <Icon />
    </RoundButton>
  );
}
