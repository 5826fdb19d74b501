/** Progress bar of an upload; `part` is the part sent so far, from 0 to 1. */
export function SendingBar({ part }: { part: number }) {
  const isSent = part >= 1;
  return (
    <div>
      <progress className="bar" max={1} value={isSent ? undefined : part} aria-label="Envoi des fichiers" />
      <p className="text-sm" role="status">
        {isSent
          ? 'Envoi terminé, le site prépare ce qu’il a reçu…'
          : `Envoi\u202f: ${Math.round(part * 100)}\u202f%`}
      </p>
    </div>
  );
}
