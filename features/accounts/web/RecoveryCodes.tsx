import { Check, Copy, Download, Printer } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { saveAs } from '#platform/web/api.ts';
import { usePortalSession } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useCopy } from '#platform/web/ui/useCopy.ts';

/** Recovery codes, in case the telephone or the computer with the passkey is lost; shown only once. */
export function RecoveryCodes({ codes, onNoted }: { codes: readonly string[]; onNoted(): void }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { isCopied, isRefused, copy } = useCopy(() => list.current?.focus());
  useEffect(() => heading.current?.focus(), []);
  useUnsaved(true, 'Vos codes de secours ne seront plus affichés.');
  const Icon = isCopied ? Check : Copy;
  const about = useAboutCodes();
  const save = () => {
    const text = [...about, '', ...codes, '', HOW_TO_USE, ''].join('\r\n');
    saveAs(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'codes-de-secours.txt');
  };
  return (
    <section aria-labelledby={id} className="printed-alone well flex max-w-xl flex-col gap-5">
      <h2 ref={heading} id={id} tabIndex={-1} className="print:hidden">
        Notez vos dix codes de secours
      </h2>
      <div className="hidden print:block">
        {about.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <p className="print:hidden">
        Si vous perdez votre téléphone ou votre clé d’accès, chacun d’eux ouvre votre compte une fois, avec
        votre mot de passe. Gardez-les sur papier, ailleurs que lui{'\u202f'}: ils ne seront plus affichés.
      </p>
      <ul
        ref={list}
        tabIndex={-1}
        className="grid gap-x-6 gap-y-2 font-mono text-lg tracking-wide sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="hidden print:block">{HOW_TO_USE}</p>
      <p role="status" className={isRefused ? 'font-semibold print:hidden' : 'sr-only'}>
        {isCopied && 'Codes de secours copiés.'}
        {isRefused && 'Copie impossible\u202f: notez-les à la main.'}
      </p>
      <div className="flex flex-wrap gap-3 print:hidden">
        <button type="button" className="button" onClick={onNoted}>
          C’est noté
        </button>
        <button type="button" className="button quiet" onClick={() => copy(codes.join('\n'))}>
          <Icon aria-hidden="true" className="size-5" />
          {isCopied ? 'Copié' : 'Copier'}
        </button>
        <button type="button" className="button quiet" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          Imprimer
        </button>
        <button type="button" className="button quiet" onClick={save}>
          <Download aria-hidden="true" className="size-5" />
          Télécharger
        </button>
      </div>
    </section>
  );
}

const HOW_TO_USE =
  'Sans votre téléphone ni votre clé d’accès, chacun ouvre votre compte une fois\u202f: rayez-le ensuite. Le panneau ' +
  '«\u00a0Mon compte\u00a0» dit combien il en reste. Gardez-les ailleurs que votre mot de passe.';

/** What the paper and the file say beside the codes: of which site and account they are, and since when. */
function useAboutCodes(): readonly string[] {
  const { organisation, locale, timeZone } = useSite();
  const { username } = usePortalSession();
  const site = organisation ? `Portail CSE, ${organisation}` : 'Portail CSE';
  return [
    `Codes de secours\u202f: ${site} (${window.location.host})`,
    `Compte\u202f: ${username}`,
    `Date\u202f: ${dayOf(new Date().toISOString(), locale, timeZone)}`,
  ];
}
