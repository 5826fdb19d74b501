import { useState } from 'react';
import { PauseButton, useAutoplay } from '#platform/web/ui/autoplay.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';

const SCENES = ['horizon', 'mountain', 'lake'] as const;
/** Time, in ms, that each is shown. */
const EVERY = 5_000;

/** A day by the sea, one in the mountains and an evening at a lake, one after another. */
export function Scenes({ className }: { className: string }) {
  const [shown, setShown] = useState(0);
  const clock = useAutoplay(EVERY, () => setShown((shown + 1) % SCENES.length));
  return (
    <div className={`relative ${className}`}>
      {SCENES.map((name, place) => (
        <Drawing
          key={name}
          name={name}
          // Each over those before it, which stay: between two, nothing shows through.
          className={`absolute inset-0 size-full transition-opacity duration-250 ${place <= shown ? '' : 'opacity-0'}`}
        />
      ))}
      <PauseButton clock={clock} className="absolute top-3 right-3 bg-card shadow-card" />
    </div>
  );
}
