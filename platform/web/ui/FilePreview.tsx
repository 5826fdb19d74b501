import { useState } from 'react';
import { namedFile, useFileAddress } from './files.ts';

interface FilePreviewProps {
  file: File;
  className: string;
}

/** A picture as it will be seen; a browser that cannot draw it (HEIC, mostly) shows its name. */
export function FilePreview({ file, className }: FilePreviewProps) {
  const address = useFileAddress(file);
  /** The address that could not be drawn. */
  const [undrawn, setUndrawn] = useState<string>();
  const isUndrawn = address !== undefined && undrawn === address;
  return (
    <figure className="min-w-0">
      {address && !isUndrawn && (
        <img
          src={address}
          alt=""
          decoding="async"
          className={className}
          onError={() => setUndrawn(address)}
        />
      )}
      <figcaption className="mt-1 text-sm wrap-anywhere">
        {namedFile(file)}
        {isUndrawn && NOT_DRAWN}
      </figcaption>
    </figure>
  );
}

const NOT_DRAWN = ' — aperçu impossible dans ce navigateur, l’image sera bien envoyée';
