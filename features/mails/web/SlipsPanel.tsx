import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useOneOrSeveral } from '#features/stays/web/StaySelect.tsx';
import { panelOf } from '#features/stays/web/stayPage.tsx';
import type { CountedStay, NamedStay } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useArrivalFocus } from '#platform/web/ui/arrival.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Field } from '#platform/web/ui/Field.tsx';
import { QrCode } from '#platform/web/ui/QrCode.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { LocalLinks, RecipientsField } from './mailings.tsx';
import { StaysWithCodes } from './StayCounts.tsx';

/** Most slips printed at once: more than a stay could need would be a mistake that keeps a printer busy. */
const SLIPS_MAX = 500;

export const SlipsPanel = panelOf('Étiquettes à imprimer', 'max-w-4xl', Slips);

export function Slips() {
  return (
    <>
      <p className="mt-3 mb-6 text-quiet">
        De quoi donner les codes d’un séjour en main propre. Chaque étiquette a son propre lien, dans le
        dessin à viser avec un téléphone, et le mot de passe{'\u202f'}: chaque préparation est inscrite au
        journal.
      </p>
      <LocalLinks />
      <StaysWithCodes>{(stays) => <SlipsOfStay stays={stays} />}</StaysWithCodes>
    </>
  );
}

function SlipsOfStay({ stays }: { stays: readonly CountedStay[] }) {
  const [typed, setTyped] = useState('');
  const [type, setType] = useState<PasswordType>('stagiaire');
  const [prepared, setPrepared] = useState<readonly SlipContent[]>([]);
  const { chosen, isSeveral, place, field, withChosen } = useOneOrSeveral(stays, {
    onChoose: () => setPrepared([]),
  });
  const number = useRef<HTMLInputElement>(null);
  const { isBusy, run } = useAction();
  // An answer that comes after another stay was chosen is ignored.
  const slips = prepared.filter(({ id }) => chosen.some((stay) => stay.id === id));
  const wrong = isCount(typed) ? undefined : `de 1 à ${SLIPS_MAX} étiquettes.`;
  const prepare = (wanted: readonly NamedStay[]) => {
    if (wrong) return number.current?.focus();
    const read = async () => {
      const read: SlipContent[] = [];
      for (const stay of wanted) read.push(await slipsOf(stay, type, wanted.length > 1));
      setPrepared(read);
    };
    return run(read, 'Les étiquettes n’ont pas pu être préparées.');
  };
  const { state } = useLocation();
  // Whoever asked for the slips of ticked stays need not ask twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the stays that the address names
  useEffect(() => {
    if (state === 'prepare') void prepare(chosen);
  }, []);
  return (
    <div ref={place} className="flex flex-col gap-6">
      {field}
      <RecipientsField
        isOfCodes
        type={type}
        onChoose={(chosen) => {
          setType(chosen);
          setPrepared([]);
        }}
      />
      <Field
        label="Nombre d’étiquettes"
        name="nombre"
        help={`Vide, une à chaque nom. Avec un nombre, autant d’étiquettes sans nom ni lien. ${SLIPS_MAX} au plus${isSeveral ? ' par séjour' : ''}.`}
        error={wrong}
      >
        {(control) => (
          <input
            {...control}
            ref={number}
            type="text"
            inputMode="numeric"
            className="input max-w-40"
            maxLength={3}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      <p>
        <Button aria-disabled={isBusy} onClick={() => withChosen(prepare)}>
          {isBusy ? 'Préparation…' : 'Préparer les étiquettes'}
        </Button>
      </p>
      {slips.length > 0 && slips.length === chosen.length && !wrong && (
        <Prepared all={slips} slipsOf={(one) => listSlips(typed, one)} />
      )}
    </div>
  );
}

/** `isOneOfSeveral`: a refusal says of which stay it is. */
async function slipsOf(
  { id, nom_stage }: NamedStay,
  type: PasswordType,
  isOneOfSeveral: boolean,
): Promise<SlipContent> {
  try {
    return await call('GET /stages/:id/etiquettes', { params: { id }, query: { type } });
  } catch (error) {
    if (!(error instanceof CallError && isOneOfSeveral)) throw error;
    throw new CallError(error.status, `${nom_stage}\u202f: ${error.message}`);
  }
}

function isCount(typed: string): boolean {
  const text = typed.trim();
  return text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= SLIPS_MAX);
}

interface OneSlip {
  /** Whose it is; blank: anybody's. */
  noms: string;
  qr: SlipContent['qr'];
}

/** One for each name, else as many as were typed that are all alike; one as a sample where nobody is recorded yet. */
function listSlips(typed: string, { etiquettes, mot_de_passe, qr }: SlipContent): readonly OneSlip[] {
  const count = mot_de_passe === null ? 0 : Number(typed);
  if (count === 0 && etiquettes.length > 0) return etiquettes.slice(0, SLIPS_MAX);
  return Array<OneSlip>(Math.max(count, 1)).fill({ noms: '', qr });
}

interface PreparedProps {
  all: readonly SlipContent[];
  slipsOf(content: SlipContent): readonly OneSlip[];
}

function Prepared({ all, slipsOf }: PreparedProps) {
  const heading = useArrivalFocus();
  const counts = all.map((content) => slipsOf(content).length);
  const count = counts.reduce((sum, one) => sum + one, 0);
  const sheets = counts.reduce((sum, one) => sum + Math.ceil(one / SLIPS_A_SHEET), 0);
  const families = all.reduce((sum, { familles }) => sum + familles, 0);
  const without = all.reduce((sum, { sans_email }) => sum + sans_email, 0);
  return (
    <section className="flex flex-col gap-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-20">
        {count === 1 ? '1 étiquette' : `${count} étiquettes`} sur{' '}
        {sheets === 1 ? '1 feuille' : `${sheets} feuilles`}
      </h2>
      <p className="text-quiet">
        {familiesOf(families, all)}
        {without > 0 && ` Sans e-mail, et donc sans codes par e-mail\u202f: ${without}.`} Imprimez sur du
        papier A4, à 100{'\u00a0'}%, puis coupez le long des pointillés.
      </p>
      <p>
        <Button onClick={() => window.print()}>
          <Printer className="size-5" />
          Imprimer
        </Button>
      </p>
      {all.map((slips) => (
        <SlipSheets key={slips.id} content={slips} slips={slipsOf(slips)} />
      ))}
    </section>
  );
}

function familiesOf(count: number, all: readonly SlipContent[]): string {
  const where = all.length === 1 ? 'à ce séjour' : `à ces ${all.length} séjours`;
  if (all[0]?.type === 'formateur')
    return count === 0 ? `Aucun directeur n’est affecté ${where}.` : 'Une étiquette par directeur.';
  if (count === 0) return `Aucune famille n’est inscrite ${where}.`;
  return count === 1 ? `Une famille est inscrite ${where}.` : `${count} familles sont inscrites ${where}.`;
}

type SlipContent = ReplyOf<'GET /stages/:id/etiquettes'>;

const SLIPS_A_SHEET = 8;

/** Always French: families read it, whatever the language of the person who prints. */
const LOCALE = 'fr-FR';

function SlipSheets({ content, slips }: { content: SlipContent; slips: readonly OneSlip[] }) {
  const sheets = Array.from({ length: Math.ceil(slips.length / SLIPS_A_SHEET) }, (_, sheet) =>
    slips.slice(sheet * SLIPS_A_SHEET, (sheet + 1) * SLIPS_A_SHEET),
  );
  return (
    <div className="slips">
      {sheets.map((own, sheet) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sheet is its place
        <div key={sheet} className="slip-sheet">
          {own.map((one, place) => (
            // Where all are alike, screen readers read only the first.
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a slip is its place
              key={place}
              className="slip"
              aria-hidden={(one.noms === '' && sheet + place > 0) || undefined}
            >
              <Slip content={content} slip={one} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Slip({ content, slip: { noms, qr } }: { content: SlipContent; slip: OneSlip }) {
  const { id, type, nom_stage: name, date_debut, date_fin, adresse_site, mot_de_passe: password } = content;
  const who = noms === '' ? '' : `Pour ${noms}`;
  return (
    <>
      <div className="slip-steps">
        <p>{content.organisation || 'Comité social et économique'}</p>
        <p className="slip-name" style={{ fontSize: millimetres(name.length > 60 ? 3.2 : 4.2) }}>
          {name}
        </p>
        <p>{rangeOf(date_debut, date_fin, LOCALE)}</p>
        <p className="slip-who">{who}</p>
        {password !== null && (
          <>
            <p className="slip-step">
              1. Allez sur <strong>{adresse_site}/connexion</strong>
            </p>
            <p className="slip-step">
              2. Numéro du séjour{'\u202f'}: <strong>{id}</strong>
            </p>
          </>
        )}
      </div>
      <div className="slip-code">
        <QrCode qr={qr} />
        <p>
          {password === null ? 'Visez' : 'Ou visez'} ce code{noms !== '' && ', à vous seul,'} avec un
          téléphone.
        </p>
      </div>
      <div className="slip-whole">
        {password !== null && (
          <>
            <p>3. Mot de passe{'\u202f'}:</p>
            <p className="slip-password" style={{ fontSize: millimetres(passwordSize(password)) }}>
              {password}
            </p>
          </>
        )}
        <p className="slip-rules">
          {password !== null &&
            `Il est commun ${type === 'stagiaire' ? 'aux familles' : 'à la direction'} du séjour\u202f: ne le transmettez à personne. `}
          Photos en ligne jusqu’au {dayOf(content.photos_jusquau, LOCALE, 'UTC')}.
        </p>
      </div>
    </>
  );
}

/** CSS length in millimetres of paper, scaled down on a screen narrower than the paper. */
function millimetres(length: number): string {
  return `calc(${length} * var(--mm))`;
}

/** Letter height in millimetres of a password, from 2.6 to 8: as large as fits, on one line if possible. */
function passwordSize(password: string): number {
  const room = 90;
  const widthOfLetter = 0.61;
  return Math.min(8, Math.max(2.6, room / (widthOfLetter * password.length)));
}
