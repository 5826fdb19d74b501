import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';

interface FloatingButtonProps {
  /** Photos that have arrived and wait to be shown. */
  waiting: number;
  onTop(): void;
}

/** The way back to the top, over photos further down; it says how many have arrived there. */
export function FloatingButton({ waiting, onTop }: FloatingButtonProps) {
  const isFar = useIsFar();
  const text = waiting === 1 ? 'Une nouvelle photo' : `${waiting}\u00a0nouvelles photos`;
  return (
    <div className="gallery-float">
      <p role="status" className="sr-only">
        {waiting > 0 && `${text} en haut de la page`}
      </p>
      {(waiting > 0 || isFar) && (
        <button
          type="button"
          className={`button shadow-card ${waiting > 0 ? 'bg-sun! text-on-sun!' : ''}`}
          onClick={onTop}
        >
          <ArrowUp aria-hidden="true" className="size-5" />
          {waiting > 0 ? text : 'En haut'}
        </button>
      )}
    </div>
  );
}

/** True when the page is scrolled by several windows. */
function useIsFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const look = () => setFar(window.scrollY > 3 * window.innerHeight);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isFar;
}
