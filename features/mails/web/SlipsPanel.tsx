import { Printer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { StaySelect } from '#features/stays/web/StaySelect.tsx';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { useChosenStay, useStayChoice } from '#features/stays/web/useStayChoice.ts';
import { call } from '#platform/web/api.ts';
import { Field } from '#platform/web/ui/Field.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { SLIPS_A_SHEET, type SlipContent, SlipSheets } from './SlipSheets.tsx';
import { StaysWithCodes } from './StayCounts.tsx';

/** As many as a stay could need; more would keep a printer busy by mistake. */
const SLIPS_MAX = 500;

/** The codes of a stay on paper, cut into one slip a family. */
export function SlipsPanel() {
  return (
    <div className="max-w-4xl">
      <h1>Étiquettes à imprimer</h1>
      <p className="mt-3 mb-6 text-quiet">
        De quoi donner le code d’un séjour à ses familles en main propre. Le mot de passe y est écrit
        {'\u202f'}: chaque préparation est inscrite au journal.
      </p>
      <StaysWithCodes>{(stays) => <SlipsOfStay stays={stays} />}</StaysWithCodes>
    </div>
  );
}

function SlipsOfStay({ stays }: { stays: readonly NamedStay[] }) {
  const { chosen, place, error, choose, withChosen } = useStayChoice(stays, useChosenStay());
  const [typed, setTyped] = useState('');
  const [prepared, setPrepared] = useState<SlipContent>();
  const number = useRef<HTMLInputElement>(null);
  const { isBusy, run } = useAction();
  // An answer may come after another stay was chosen.
  const slips = prepared?.id === chosen?.id ? prepared : undefined;
  const wrong = isCount(typed) ? undefined : `de 1 à ${SLIPS_MAX} étiquettes.`;
  const prepare = ({ id }: NamedStay) => {
    if (wrong) return number.current?.focus();
    const read = async () => setPrepared(await call('GET /stages/:id/etiquettes', { params: { id } }));
    return run(read, 'Les étiquettes n’ont pas pu être préparées.');
  };
  return (
    <div ref={place} className="flex flex-col gap-6">
      <StaySelect
        stays={stays}
        value={chosen?.id}
        error={error}
        onChoose={(stay) => {
          setPrepared(undefined);
          choose(stay);
        }}
      />
      <Field
        label="Nombre d’étiquettes"
        name="nombre"
        help={`Vide, une par famille inscrite. ${SLIPS_MAX} au plus.`}
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
        <button type="button" className="button" aria-disabled={isBusy} onClick={() => withChosen(prepare)}>
          {isBusy ? 'Préparation…' : 'Préparer les étiquettes'}
        </button>
      </p>
      {slips && !wrong && <Prepared slips={slips} count={countOf(typed, slips.familles)} />}
    </div>
  );
}

/** Nothing, or a number of slips that may be printed. */
function isCount(typed: string): boolean {
  const text = typed.trim();
  return text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= SLIPS_MAX);
}

/** The number that was typed, else one a family; one to look at where nobody is recorded yet. */
function countOf(typed: string, families: number): number {
  return Number(typed) || Math.min(Math.max(families, 1), SLIPS_MAX);
}

function Prepared({ slips, count }: { slips: SlipContent; count: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const sheets = Math.ceil(count / SLIPS_A_SHEET);
  return (
    <section className="flex flex-col gap-4">
      <h2 ref={heading} tabIndex={-1}>
        {count === 1 ? '1 étiquette' : `${count} étiquettes`} sur{' '}
        {sheets === 1 ? '1 feuille' : `${sheets} feuilles`}
      </h2>
      <p className="text-quiet">
        {familiesOf(slips.familles)} Imprimez sur du papier A4, à 100{'\u00a0'}%, puis coupez le long des
        pointillés.
      </p>
      <p>
        <button type="button" className="button" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          Imprimer
        </button>
      </p>
      <SlipSheets slips={slips} count={count} />
    </section>
  );
}

function familiesOf(count: number): string {
  if (count === 0) return 'Aucune famille n’est inscrite à ce séjour.';
  return count === 1
    ? 'Une famille est inscrite à ce séjour.'
    : `${count} familles sont inscrites à ce séjour.`;
}
