/** Beside a button that nothing listens to where scripts are off. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="font-semibold">Cette partie du site a besoin de JavaScript.</p>
    </noscript>
  );
}
