import type { ReactNode } from 'react';
import { Drawing } from '#platform/web/ui/Drawing.tsx';

/** Where the photos of a stay will be, as long as there are none. */
export function PhotosPlace({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="well flex flex-col items-center gap-x-8 gap-y-3 sm:flex-row sm:p-8">
      <Drawing name="clothesline" className="h-36 w-52 shrink-0" />
      <div className="max-w-[60ch]">
        <h2 id="photos">{title}</h2>
        <div className="mt-2 flex flex-col gap-2">{children}</div>
      </div>
    </div>
  );
}
