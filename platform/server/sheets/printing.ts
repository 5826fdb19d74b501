import type { Feature, Image } from 'write-excel-file/node';
import type { Sheet } from './sheets.ts';

/*
 * How sheets are printed, which `write-excel-file` leaves to its features: on A4, as wide as the page, the first row
 * on each page, the page's number at its foot.
 */

/** Characters that fit side by side on an upright page, a little smaller than on screen; what is wider is printed across. */
const UPRIGHT = 110;
/** Inches. */
const MARGINS = { left: 0.5, right: 0.5, top: 0.5, bottom: 0.75, header: 0.3, footer: 0.3 };
/** Spreadsheets refuse a file with more than 255 characters in a foot; those of a text may count twice. */
const ABOUT_MAX = 90;

/** Everything that these sheets need to be printed well. */
export function printing(sheets: readonly Sheet[]): Feature<Image['content']> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transformElementAttributes: (tagName, attributes, _index, _options, { sheetIndex }) => {
            if (tagName === 'pageMargins') return MARGINS;
            if (tagName !== 'pageSetup') return attributes;
            const width = sheets[sheetIndex]?.widths.reduce((sum, one) => sum + one, 0) ?? 0;
            // A height of 0 pages is as many as it takes.
            const fit = { fitToWidth: 1, fitToHeight: 0 };
            return { ...attributes, ...fit, orientation: width > UPRIGHT ? 'landscape' : 'portrait' };
          },
          transform: (xml, _options, { sheetIndex }) => {
            const about = inFoot(sheets[sheetIndex]?.about ?? '');
            const foot = `<headerFooter scaleWithDoc="0"><oddFooter>&amp;L${about}&amp;C&amp;A&amp;RPage &amp;P sur &amp;N</oddFooter></headerFooter>`;
            return xml
              .replace('<sheetViews>', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>$&')
              .replace(/<pageSetup [^>]*>/, (setup) => `${setup}${foot}`);
          },
        },
        'xl/workbook.xml': {
          transform: (xml) =>
            xml.replace('<definedNames/>', () => `<definedNames>${titles(sheets)}</definedNames>`),
        },
      },
    },
  };
}

/** The first row of each sheet, which is printed on each of its pages. */
function titles(sheets: readonly Sheet[]): string {
  return sheets
    .map(({ name }, index) => {
      const rows = `'${name.replaceAll("'", "''")}'!$1:$1`;
      return `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">${inXml(rows)}</definedName>`;
    })
    .join('');
}

/** A text as it stands in a foot, where `&` begins a code. */
function inFoot(text: string): string {
  const readable = text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, ' ');
  const short = [...readable].slice(0, ABOUT_MAX).join('');
  return inXml((short === readable ? short : `${short}…`).replaceAll('&', '&&'));
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
