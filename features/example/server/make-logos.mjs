/**
 * Draws the logos of the seven invented partners of the example content.
 *
 *   npm i --no-save sharp && node make-logos.mjs
 *
 * The PNGs in logos/ are committed and are what the example uses: text is drawn with the fonts of the
 * machine at hand, so running this elsewhere may give slightly different pictures. It is kept only to make
 * them again.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const WIDTH = 600;
const HEIGHT = 300;
const FONT = 'DejaVu Sans, Liberation Sans, sans-serif';

/** One line of a name. */
function line(text, { x = 270, y, size, fill }) {
  return `<text x="${x}" y="${y}" font-family="${FONT}" font-weight="bold" font-size="${size}"
    fill="${fill}">${text}</text>`;
}

/** Points of a regular star, given once so that the drawings stay readable. */
function star(cx, cy, outer, inner, branches) {
  const points = [];
  for (let i = 0; i < branches * 2; i += 1) {
    const radius = i % 2 === 0 ? outer : inner;
    const angle = (Math.PI * i) / branches - Math.PI / 2;
    const x = cx + radius * Math.cos(angle);
    const y = cy + radius * Math.sin(angle);
    points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  return points.join(' ');
}

/** Swimming pool: a swimmer's head and arm over two waves. */
const piscine = `
  <clipPath id="c"><circle cx="140" cy="150" r="105"/></clipPath>
  <circle cx="140" cy="150" r="105" fill="#d8f1f8"/>
  <g clip-path="url(#c)">
    <circle cx="176" cy="112" r="20" fill="#ff8a3d"/>
    <path d="M74 152 L118 104 L160 148" fill="none" stroke="#ff8a3d" stroke-width="20"
      stroke-linecap="round" stroke-linejoin="round"/>
    <path d="M20 165 q20 -22 40 0 t40 0 t40 0 t40 0 t40 0 t40 0 V270 H20 Z" fill="#1aa6c9"/>
    <path d="M0 205 q20 -22 40 0 t40 0 t40 0 t40 0 t40 0 t40 0 t40 0 V270 H0 Z" fill="#0b6f96"/>
  </g>
  ${line('Ondelise', { y: 156, size: 62, fill: '#0b5f82' })}
  ${line('PISCINE &amp; BIEN-ÊTRE', { y: 198, size: 22, fill: '#1a93b5' })}`;

/** Mutual insurance: two leaves held in a shield. */
const mutuelle = `
  <path d="M140 40 L232 72 V150 C232 208 190 244 140 264 C90 244 48 208 48 150 V72 Z" fill="#1f7a54"/>
  <path d="M140 214 C140 150 96 132 84 104 C130 100 152 130 140 214 Z" fill="#bfe6b4"/>
  <path d="M142 214 C138 140 172 108 200 92 C206 144 186 184 142 214 Z" fill="#f4c24b"/>
  ${line('Fougeline', { y: 152, size: 54, fill: '#175e41' })}
  ${line('MUTUELLE SOLIDAIRE', { y: 196, size: 22, fill: '#d69a12' })}`;

/** Theatre: a curtain opening on a blue bell. */
const theatre = `
  <path d="M40 48 H240 V256 H40 Z" fill="#2b1230"/>
  <circle cx="140" cy="122" r="10" fill="none" stroke="#2f7fd6" stroke-width="7"/>
  <circle cx="140" cy="172" r="42" fill="#4aa3ff"/>
  <path d="M100 166 H180" stroke="#2f7fd6" stroke-width="9"/>
  <path d="M140 182 V212" stroke="#2b1230" stroke-width="8" stroke-linecap="round"/>
  <circle cx="140" cy="184" r="8" fill="#2b1230"/>
  <path d="M40 48 H138 C132 130 104 180 62 200 C70 220 72 238 72 256 H40 Z" fill="#b3203f"/>
  <path d="M240 48 H142 C148 130 176 180 218 200 C210 220 208 238 208 256 H240 Z" fill="#b3203f"/>
  <path d="M72 62 C72 120 62 160 48 184 M104 62 C100 120 88 152 66 178" fill="none" stroke="#8c1430"
    stroke-width="7" stroke-linecap="round"/>
  <path d="M208 62 C208 120 218 160 232 184 M176 62 C180 120 192 152 214 178" fill="none" stroke="#8c1430"
    stroke-width="7" stroke-linecap="round"/>
  <path d="M32 40 H248 V66 q-12 16 -24 0 q-12 16 -24 0 q-12 16 -24 0 q-12 16 -24 0 q-12 16 -24 0
    q-12 16 -24 0 q-12 16 -24 0 q-12 16 -24 0 q-12 16 -24 0 Z" fill="#d9304f"/>
  ${line('Théâtre du', { y: 118, size: 36, fill: '#b3203f' })}
  ${line('Grelot Bleu', { y: 172, size: 46, fill: '#2b1230' })}
  ${line('SCÈNE JEUNE PUBLIC', { y: 210, size: 21, fill: '#b3203f' })}`;

/** Bike-hire co-operative: two wheels that meet a frame. */
const velo = `
  <g fill="none" stroke-linecap="round" stroke-linejoin="round">
    <circle cx="82" cy="186" r="52" stroke="#25344f" stroke-width="13"/>
    <circle cx="204" cy="186" r="52" stroke="#25344f" stroke-width="13"/>
    <path d="M82 186 L114 112 H178 L140 186 Z M114 112 L140 186 M204 186 L170 88 H196"
      stroke="#f26b21" stroke-width="13"/>
    <path d="M98 92 H128" stroke="#25344f" stroke-width="14"/>
  </g>
  <circle cx="140" cy="186" r="13" fill="#25344f"/>
  ${line('Vélombelle', { x: 284, y: 166, size: 48, fill: '#25344f' })}
  ${line('COOPÉRATIVE VÉLO', { x: 285, y: 208, size: 24, fill: '#f26b21' })}`;

/** Bookshop: an open book whose pages take off like a bird. */
const librairie = `
  <path d="M140 108 C112 82 74 80 40 90 V226 C76 216 112 220 140 244 Z" fill="#3b4cca"/>
  <path d="M140 108 C168 82 206 80 240 90 V226 C204 216 168 220 140 244 Z" fill="#2a379c"/>
  <path d="M140 104 C116 84 88 80 58 84 V206 C90 200 118 206 140 226 Z" fill="#fff3dc"/>
  <path d="M140 104 C164 84 192 80 222 84 V206 C190 200 162 206 140 226 Z" fill="#ffe4b5"/>
  <path d="M76 118 C94 115 108 119 122 128 M76 146 C94 143 108 147 122 156 M76 174 C94 171 108 175 122 184"
    fill="none" stroke="#d9b98a" stroke-width="7" stroke-linecap="round"/>
  <path d="M156 74 C166 46 190 36 214 44 C206 50 204 54 206 62 C192 58 176 62 168 82 Z" fill="#f25f5c"/>
  <path d="M164 84 C160 60 146 46 124 46 C130 54 130 58 126 64 C142 62 152 68 156 86 Z" fill="#ff8f73"/>
  ${line('La Loutre', { y: 138, size: 50, fill: '#2a379c' })}
  ${line('Liseuse', { y: 194, size: 50, fill: '#f25f5c' })}
  ${line('LIBRAIRIE INDÉPENDANTE', { y: 230, size: 19, fill: '#5d6594' })}`;

/** Climbing hall: a wall of holds with a rope going up to the summit. */
const escalade = `
  <path d="M140 38 L246 256 H34 Z" fill="#5b3a8c"/>
  <path d="M140 34 L180 118 L156 104 L140 124 L120 100 L99 120 Z" fill="#efe6ff"/>
  <path d="M130 250 C176 222 96 206 136 170 C158 150 138 138 140 118" fill="none" stroke="#ffcf3f"
    stroke-width="10" stroke-linecap="round"/>
  <circle cx="84" cy="220" r="15" fill="#ff6f59"/>
  <circle cx="196" cy="216" r="13" fill="#43d9a3"/>
  <circle cx="106" cy="166" r="11" fill="#43d9a3"/>
  <circle cx="176" cy="166" r="11" fill="#ff6f59"/>
  <circle cx="140" cy="118" r="13" fill="none" stroke="#ffcf3f" stroke-width="8"/>
  ${line('Grimpolune', { x: 266, y: 162, size: 48, fill: '#47297a' })}
  ${line('SALLE D’ESCALADE', { x: 267, y: 206, size: 25, fill: '#ff6f59' })}`;

/** Cinema: a film reel and two evening stars. */
const cinema = `
  <circle cx="140" cy="146" r="104" fill="#15324a"/>
  <circle cx="140" cy="84" r="25" fill="#f7e8c9"/>
  <circle cx="82" cy="126" r="25" fill="#f7e8c9"/>
  <circle cx="198" cy="126" r="25" fill="#f7e8c9"/>
  <circle cx="104" cy="194" r="25" fill="#f7e8c9"/>
  <circle cx="176" cy="194" r="25" fill="#f7e8c9"/>
  <circle cx="140" cy="142" r="14" fill="#e4572e"/>
  <path d="M140 250 H262" stroke="#15324a" stroke-width="16" stroke-linecap="round"/>
  ${line('Ciné', { y: 120, size: 44, fill: '#e4572e' })}
  ${line('Zéphyrine', { y: 178, size: 48, fill: '#15324a' })}
  ${line('ART ET ESSAI', { y: 216, size: 20, fill: '#8a7447' })}
  <polygon points="${star(548, 98, 22, 9, 5)}" fill="#f4b942"/>
  <polygon points="${star(508, 72, 13, 5.5, 5)}" fill="#f4b942"/>`;

const logos = {
  ondelise: piscine,
  fougeline: mutuelle,
  'theatre-du-grelot-bleu': theatre,
  velombelle: velo,
  'loutre-liseuse': librairie,
  grimpolune: escalade,
  'cine-zephyrine': cinema,
};

const folder = fileURLToPath(new URL('./logos/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, drawing] of Object.entries(logos)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"
    viewBox="0 0 ${WIDTH} ${HEIGHT}">${drawing}</svg>`;
  const picture = sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 95 });
  await picture.toFile(`${folder}${name}.png`);
}
