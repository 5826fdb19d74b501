import sharp from 'sharp';
import { minutesPdf, pdf } from '#tests/support/pdfs.ts';
import { workbook } from '#tests/support/workbooks.ts';
import type { Samples } from './requests.ts';

/** Files of each kind that forms take: good ones, cut ones, and those of another kind. */
export async function fileSamples(): Promise<Samples> {
  const create = { width: 12, height: 9, channels: 3, background: '#c33' } as const;
  const jpeg = await sharp({ create }).jpeg().toBuffer();
  const webp = await sharp({ create }).webp().toBuffer();
  const script = Buffer.from('<script>alert(1)</script>');
  const minutes = minutesPdf('Titre', ['Texte']);
  const sheet = workbook([
    ['nom_stage', 'date_debut', 'date_fin'],
    ['Neige', '01/02/2027', '08/02/2027'],
  ]);
  const families = 'nom;prenom;email;nom_stage;date_debut;date_fin\n';
  const tables = [
    'nom_stage;date_debut;date_fin\nÉté;01/07/2026;08/07/2026\n',
    `${families}Roy;Lou;lou@exemple.org;Été;01/07/2026;08/07/2026\n`,
    `${families}"=cmd|calc";\u202eLou;lou@exemple;Été;31/02/2026;x\n`,
    `${families}"Roy;Lou`,
    `${families}${'Roy;Lou;lou@exemple.org;Été;01/07/2026;08/07/2026\n'.repeat(300)}`,
  ].map((text) => Buffer.from(text));
  const others = [
    Buffer.alloc(0),
    Buffer.from('abc'),
    script,
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(70_000),
  ];
  const acting = pdf({
    plain: {
      1: '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
      2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    },
  });
  return {
    picture: [jpeg, jpeg, webp, jpeg.subarray(0, 99), Buffer.concat([jpeg, script]), minutes, ...others],
    pdf: [minutes, minutes, acting, minutes.subarray(0, 300), jpeg, ...others],
    table: [...tables, sheet, sheet.subarray(0, 200), jpeg, minutes, ...others],
  };
}
