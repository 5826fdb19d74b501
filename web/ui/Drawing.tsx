/** Hills, a pine and a tent in the place of a missing picture; `seed` (an id) varies them. */
export function Drawing({ seed, className }: { seed: number; className?: string }) {
  const shift = (seed * 37) % 60;
  const sun = 40 + ((seed * 53) % 220);
  return (
    <svg viewBox="0 0 300 200" className={className} aria-hidden="true" preserveAspectRatio="xMidYMid slice">
      <rect width="300" height="200" className="fill-mist" />
      <circle cx={sun} cy="58" r="20" className="fill-sun" />
      <path
        d={`M0 ${120 + shift / 6} Q75 ${70 + shift / 3} 150 115 T300 ${100 - shift / 4} V200 H0Z`}
        className="fill-moss"
        opacity="0.45"
      />
      <path
        d={`M0 160 Q90 ${110 + shift / 2} 190 150 T300 140 V200 H0Z`}
        className="fill-moss"
        opacity="0.8"
      />
      <g transform={`translate(${40 + shift * 2} 96)`}>
        <path d="M20 0l14 22h-8l12 20H2l12-20H6z" className="fill-pine" />
        <path d="M78 12L46 60h64z" fill="#fffbf4" />
        <path d="M78 30L65 60h26z" className="fill-coral" />
      </g>
    </svg>
  );
}
