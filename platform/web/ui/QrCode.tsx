/** Width, in modules, of the white margin around a QR code, without which readers do not find it. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  /** Dark modules as the `d` of an SVG path, in a square of `taille` units without margin. */
  qr: { taille: number; trace: string };
  className?: string;
}

/** A QR code, hidden from screen readers: its content must be shown as text beside it. */
export function QrCode({ qr, className }: QrCodeProps) {
  const size = qr.taille + 2 * QUIET_ZONE;
  return (
    <svg viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`} className={className} aria-hidden="true">
      <path d={qr.trace} />
    </svg>
  );
}
