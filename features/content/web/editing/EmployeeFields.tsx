import { useId } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Field, Tick } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';

/* The fields that, of all kinds, only employees have: their manager, and the ticks of what the site shows of them. */

export const EMPLOYEES = { key: 'GET /employes' } as const;
type Employee = ReplyOf<'GET /employes'>[number];

export const NOBODY = 'Personne (en haut de l’organigramme)';

interface PersonFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  defaultValue: string;
  /** The employee whose manager is chosen: neither they nor anyone in their team can be. */
  self: number | undefined;
}

export function PersonField({ defaultValue, self, ...field }: PersonFieldProps) {
  const query = useQuestion(EMPLOYEES, { isFresh: true });
  return (
    <Field {...field}>
      {(control) => (
        <>
          {/* Until the list is loaded, the form still sends the stored value. */}
          {!query.data && <input type="hidden" name={control.name} value={defaultValue} />}
          <LoadState query={query} failed="La liste des employés n’a pas pu être chargée.">
            {(people) => (
              <select {...control} className="input" defaultValue={defaultValue}>
                <option value="">{NOBODY}</option>
                {/* A manager missing from the list gets an option: « nobody » would be selected instead, and saved. */}
                {defaultValue !== '' && !people.some(({ id }) => String(id) === defaultValue) && (
                  <option value={defaultValue}>Inchangé</option>
                )}
                {inTreeOrder(people, self).map(({ person, depth }) => (
                  <option key={person.id} value={person.id}>
                    {INDENT.repeat(depth) + labelOf(person)}
                  </option>
                ))}
              </select>
            )}
          </LoadState>
        </>
      )}
    </Field>
  );
}

/** No-break spaces: browsers drop plain ones at the start of an option. */
const INDENT = '\u00a0\u00a0\u00a0\u00a0';

function labelOf({ nom, prenom, poste }: Employee): string {
  return `${nom} ${prenom} — ${poste}`;
}

/** The employees with their depth, each followed by their team; leaves out the employee `left` and their whole team. */
function inTreeOrder(
  people: readonly Employee[],
  left: number | undefined,
  manager: number | null = null,
  depth = 0,
): { person: Employee; depth: number }[] {
  return people
    .filter(({ id, manager_id }) => manager_id === manager && id !== left)
    .flatMap((person) => [{ person, depth }, ...inTreeOrder(people, left, person.id, depth + 1)]);
}

/** A checkbox, which sends `1` or `0`. */
export function TickField({ name, label, error, defaultValue }: Omit<PersonFieldProps, 'self'>) {
  const id = useId();
  return (
    // Moved up, close to the field that it is about.
    <div className="-mt-3">
      {/* An unticked box sends nothing; then this is the only, hence last, value of the name, and counts. */}
      <input type="hidden" name={name} value="0" />
      <Tick
        name={name}
        value="1"
        defaultChecked={defaultValue === '1'}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      >
        {label}
      </Tick>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
