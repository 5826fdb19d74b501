import type { Photo } from '#features/photos/calls.ts';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { NoticeRegion } from '#platform/web/ui/notices.tsx';
import { WholeDialog } from '#platform/web/ui/WholeDialog.tsx';
import type { FilterName } from './filters.tsx';
import { PhotoShelf } from './PhotoShelf.tsx';

interface PhotoAlbumProps {
  photos: readonly Photo[];
  stay: NamedStay;
  tracking: Tracking;
  first: FilterName;
  onClose(): void;
}

export function PhotoAlbum({ photos, stay, tracking, first, onClose }: PhotoAlbumProps) {
  return (
    <WholeDialog title="Toutes les photos" onClose={onClose} isOnlyClosed>
      {() => (
        <div className="album" data-scroller>
          {/* Those of the page lie behind the dialog. */}
          <NoticeRegion />
          <div className="px-3 py-4 sm:px-6">
            <PhotoShelf photos={photos} stay={stay} tracking={tracking} first={first} />
          </div>
        </div>
      )}
    </WholeDialog>
  );
}
