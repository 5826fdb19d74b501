/** Where the photos will be, while they are on their way. */
export function GallerySkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-5xl px-4">
      <p className="sr-only">Chargement des photos…</p>
      <div aria-hidden="true" className="flex flex-wrap gap-1">
        {[4, 3, 5, 3, 4, 4, 3, 5].map((share, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            key={index}
            className="h-36 min-w-28 rounded-[4px] bg-mist"
            style={{ flexGrow: share, flexBasis: `${share * 2.5}rem` }}
          />
        ))}
      </div>
    </div>
  );
}
