/** A note beside a button that does not work without scripts. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="font-semibold">Cette partie du site a besoin de JavaScript.</p>
    </noscript>
  );
}
