import { useEffect, useRef, useState } from 'react';
import type { LastChange } from '#platform/web/conflicts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { ALTERNATIVE_TEXT } from '#platform/web/ui/ImageField.tsx';
import { ModifiedBy } from '#platform/web/ui/Time.tsx';
import { employees, type ItemKind, titleOf } from '../../shared/kinds.ts';
import { EMPLOYEES, NOBODY } from './EmployeeFields.tsx';
import { type AnyItem, PUBLICATION_LABELS, pictureOf } from './useItems.ts';

interface StaleChoiceProps {
  kind: ItemKind;
  message: string;
  change: LastChange | undefined;
  /** Texts by field: `base`, from which the form was drawn; `theirs`, saved by somebody else; `mine`, in this form. */
  base: Record<string, string>;
  theirs: Record<string, string>;
  mine: Record<string, string>;
  /** `item`: the one that the form was drawn from; `other`: the one stored now. */
  item: AnyItem | undefined;
  other: AnyItem;
  isBusy: boolean;
  onGivenUp(): void;
  onChosen(values: Record<string, string>): void;
}

/** Shows both versions side by side, field by field, when somebody else saved while this form was being filled in. */
export function StaleChoice(props: StaleChoiceProps) {
  const { kind, message, change, base, theirs, mine, item, other, isBusy, onGivenUp, onChosen } = props;
  const isSame = (one = '', other = '') => one.trim() === other.trim();
  const differing = Object.keys(mine).filter((name) => !isSame(mine[name], theirs[name]));
  // A field not changed here takes their text at first, as they changed it.
  const [taken, setTaken] = useState<Record<string, 'mine' | 'theirs'>>(
    Object.fromEntries(differing.map((name) => [name, isSame(mine[name], base[name]) ? 'theirs' : 'mine'])),
  );
  const shown = useShownText(kind);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const chosen = Object.fromEntries(
    Object.keys(mine).map((name) => [name, (taken[name] === 'mine' ? mine : theirs)[name] ?? '']),
  );
  return (
    <section className="rounded-card border-2 border-coral p-5" aria-labelledby="entre-temps">
      <h2 id="entre-temps" ref={heading} tabIndex={-1} className="text-xl">
        {message}
      </h2>
      <ModifiedBy change={change} />
      <p className="mt-2 mb-5">
        {differing.length > 0
          ? 'Rien n’a été écrasé. Pour chaque texte qui diffère, choisissez celui qui reste.'
          : 'Les deux textes sont les mêmes\u202f: enregistrez de nouveau pour garder le reste de vos changements.'}
      </p>
      {other.brouillon !== item?.brouillon && (
        <p className="-mt-2 mb-5">
          {other.brouillon ? 'Il est redevenu un brouillon' : 'Le brouillon a été publié'} entre-temps
          {'\u202f'}: cela reste.
        </p>
      )}
      {pictureOf(kind, other)?.nom !== pictureOf(kind, item)?.nom && (
        <p className="-mt-2 mb-5">
          L’image aussi a été changée entre-temps{'\u202f'}: elle reste, sauf si vous en avez choisi une
          autre.
        </p>
      )}
      {kind.gallery && other[kind.gallery.column] !== item?.[kind.gallery.column] && (
        <p className="-mt-2 mb-5">
          {`«\u00a0${kind.gallery.label}\u00a0» a aussi changé entre-temps\u202f: ce qui en a été retiré part, ce qui y a été ajouté vient après vos images.`}
        </p>
      )}
      <div className="flex flex-col gap-6">
        {differing.map((name) => (
          <fieldset key={name}>
            <legend className="mb-2 font-semibold">{labelOf(kind, name)}</legend>
            <div className="grid gap-3 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((whose) => (
                <label key={whose} className="choice">
                  <span className="flex items-center gap-2 font-semibold">
                    <input
                      type="radio"
                      name={`choix-${name}`}
                      checked={taken[name] === whose}
                      onChange={() => setTaken({ ...taken, [name]: whose })}
                    />
                    {whose === 'mine' ? 'Votre texte' : 'Le texte enregistré entre-temps'}
                  </span>
                  <span className="mt-1 block whitespace-pre-wrap">
                    {shown(name, (whose === 'mine' ? mine : theirs)[name] ?? '') || (
                      <em className="text-quiet">vide</em>
                    )}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button aria-disabled={isBusy} onClick={() => onChosen(chosen)}>
          Enregistrer ce choix
        </Button>
        <Button quiet onClick={onGivenUp}>
          Revenir à mon texte
        </Button>
      </div>
    </section>
  );
}

function labelOf(kind: ItemKind, name: string): string {
  const labels: Record<string, string> = {
    texte_alternatif: ALTERNATIVE_TEXT,
    cadrage_x: 'Cadrage horizontal',
    cadrage_y: 'Cadrage vertical',
    ...PUBLICATION_LABELS,
  };
  return kind.fields[name]?.label ?? labels[name] ?? name;
}

/** Returns a function that makes a text readable: a name for an id, yes or no for a tick. */
function useShownText(kind: ItemKind): (name: string, text: string) => string {
  const hasPerson = Object.values(kind.fields).some(({ type }) => type === 'person');
  const { data = [] } = useQuestion(EMPLOYEES, { isAsked: hasPerson });
  return (name, text) => {
    const type = kind.fields[name]?.type;
    if (type === 'tick') return text === '1' ? 'Oui' : 'Non';
    if (type !== 'person') return text;
    if (text === '') return NOBODY;
    const person = data.find(({ id }) => String(id) === text);
    return person ? titleOf(employees, person) : text;
  };
}
