import { employees } from '#features/content/shared/employees.ts';
import { titleOf } from '#features/content/shared/kind.ts';
import { invalid } from '#platform/server/http/errors.ts';
import type { EmployeeRow } from './store.ts';
import { above, isTooDeep, MAX_LEVELS } from './tree.ts';

type Placed = Pick<EmployeeRow, 'id' | 'manager_id' | 'nom' | 'prenom'>;

/**
 * Throws a 422 when a person cannot stand under the manager that was chosen. `people` are all rows of the chart,
 * held by the transaction; a person who is new has the id 0.
 */
export function checkPlace(people: readonly EmployeeRow[], person: Placed): void {
  if (person.manager_id === null) return;
  if (person.manager_id === person.id) throw refused('une personne ne peut pas dépendre d’elle-même.');
  const present = people.filter((one) => one.supprime_le === null);
  const byId = new Map<number | null, EmployeeRow>(present.map((one) => [one.id, one]));
  const manager = byId.get(person.manager_id);
  if (!manager) throw refused('cette personne n’existe pas ou n’existe plus.');
  if (above(byId, manager).some((one) => one.id === person.id)) {
    const [name, other] = [titleOf(employees, person), titleOf(employees, manager)];
    throw refused(`${name} ne peut pas dépendre de ${other}, qui fait partie de son équipe.`);
  }
  const others = present.filter((one) => one.id !== person.id);
  if (isTooDeep([...others, person])) throw refused(`l’organigramme a ${MAX_LEVELS} niveaux au plus.`);
}

function refused(reason: string) {
  return invalid({ manager_id: reason }, { manager_id: employees.fields.manager_id.label });
}
