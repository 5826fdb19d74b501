import { RotateCcw, RotateCw, SquareDashed } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSaid } from '#features/photos/web/useSaid.ts';
import { BlurEditor } from './BlurEditor.tsx';
import { useDecisions } from './decisions.tsx';

interface RetouchToolsProps {
  photo: Photo;
  /** They lie over the photo: without words, and light on dark. */
  isOverPhoto?: boolean;
}

/** The buttons that turn a prepared photo or blur zones of it, and what became of it. */
export function RetouchTools({ photo, isOverPhoto = false }: RetouchToolsProps) {
  const { retouch } = useDecisions();
  const { said, isBusy, run } = useSaid();
  const [isBlurring, setBlurring] = useState(false);
  const turn = (quarts: 1 | 3) => run(() => retouch(photo, { quarts }));
  const tools = [
    { label: 'Tourner à gauche', short: 'À gauche', Icon: RotateCcw, act: () => turn(3) },
    { label: 'Tourner à droite', short: 'À droite', Icon: RotateCw, act: () => turn(1) },
    { label: 'Flouter une zone', short: 'Flouter', Icon: SquareDashed, act: () => setBlurring(true) },
  ];
  return (
    <div
      className={isOverPhoto ? 'absolute top-2 right-2 flex flex-col items-end gap-2' : 'flex flex-col gap-2'}
    >
      <div className={isOverPhoto ? 'flex rounded-full bg-[#0a1916]/80 text-white' : 'flex flex-wrap gap-2'}>
        {tools.map(({ label, short, Icon, act }) => (
          <button
            key={label}
            type="button"
            className={isOverPhoto ? 'round-button text-white hover:bg-white/20' : 'button quiet px-3'}
            aria-label={label}
            title={label}
            aria-disabled={isBusy}
            onClick={() => !isBusy && act()}
          >
            <Icon aria-hidden="true" className="size-5 shrink-0" />
            {!isOverPhoto && short}
          </button>
        ))}
      </div>
      <div role="status" className={chip(isOverPhoto, 'text-pine')}>
        {isBusy ? 'Un instant…' : !said?.isFailure && said?.text}
      </div>
      <div role="alert" className={chip(isOverPhoto, 'text-coral')}>
        {said?.isFailure && said.text}
      </div>
      {isBlurring && (
        <BlurEditor
          photo={photo}
          onClose={() => setBlurring(false)}
          onBlurred={(message) => {
            setBlurring(false);
            void run(async () => message);
          }}
        />
      )}
    </div>
  );
}

/** Of a line that says what became of the photo; without room of its own while it is empty. */
function chip(isOverPhoto: boolean, colour: string): string {
  if (isOverPhoto)
    return 'max-w-72 rounded-control bg-[#0a1916]/80 text-sm text-white not-empty:px-3 not-empty:py-2';
  return `font-semibold empty:-mt-2 ${colour}`;
}
