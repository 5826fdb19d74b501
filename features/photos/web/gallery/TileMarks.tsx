import { Heart } from 'lucide-react';

/** On a photo of the grid: that it is new here, and that it is a favourite; its name says so to ears. */
export function TileMarks({ isNew, isFavourite }: { isNew: boolean; isFavourite: boolean }) {
  return (
    <span aria-hidden="true" className="photo-marks">
      {isNew && <span className="photo-new">Nouveau</span>}
      {isFavourite && <Heart className="ml-auto size-5 fill-[#ffc043] text-[#16302b]" />}
    </span>
  );
}
