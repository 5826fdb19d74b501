import { WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextSizeControl } from './TextSizeControl.tsx';
import { UntilBanner } from './UntilBanner.tsx';

interface GalleryHeadProps {
  lastDay: string;
  /** The photos that are shown could not be compared with those there are. */
  isOffline: boolean;
  children: ReactNode;
}

/** Over the photos: until when they stay, and what can be done with them. */
export function GalleryHead({ lastDay, isOffline, children }: GalleryHeadProps) {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-2 px-4 sm:gap-3 sm:pb-2">
      <div className="flex flex-wrap items-center justify-between gap-x-1">
        <h2 id="photos" className="max-sm:text-xl">
          Les photos du séjour
        </h2>
        <TextSizeControl />
      </div>
      <UntilBanner lastDay={lastDay} />
      <div role="status" className="empty:hidden">
        {isOffline && (
          <p className="flex items-center gap-2 font-semibold">
            <WifiOff aria-hidden="true" className="size-5 shrink-0 text-coral" />
            Le site ne répond pas{'\u202f'}: de nouvelles photos peuvent manquer ici.
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
