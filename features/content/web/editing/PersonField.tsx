import { useQuestion } from '#platform/web/questions.ts';
import { Field } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { EMPLOYEES, type Employee, inTreeOrder, NOBODY } from './useItems.ts';

interface PersonFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  defaultValue: string;
  /** Whose superior is chosen: neither this employee nor anyone below can be. */
  self: number | undefined;
}

/** An employee, chosen among all of them in the order of the chart. */
export function PersonField({ defaultValue, self, ...field }: PersonFieldProps) {
  const query = useQuestion(EMPLOYEES, 'Erreur lors de la récupération des employés:', {
    isFresh: true,
  });
  return (
    <Field {...field}>
      {(control) => (
        <>
          {/* Until there is something to choose from, the form still holds what was chosen. */}
          {!query.data && <input type="hidden" name={control.name} value={defaultValue} />}
          <LoadState query={query} failed="La liste des employés n’a pas pu être chargée.">
            {(people) => (
              <select {...control} className="input" defaultValue={defaultValue}>
                <option value="">{NOBODY}</option>
                {/* Never « nobody » for somebody who is missing here: it would be saved. */}
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

/** Plain spaces would be dropped from an option. */
const INDENT = '\u00a0\u00a0\u00a0\u00a0';

function labelOf({ nom, prenom, poste }: Employee): string {
  return `${nom} ${prenom} — ${poste}`;
}
