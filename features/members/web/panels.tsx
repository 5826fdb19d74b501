import { employees } from '#features/content/shared/kinds.ts';
import { creation, itemForm, modification } from '#features/content/web/panels.tsx';
import type { ItemPanel, Panel } from '#platform/web/pages.tsx';

const CREATE_EMPLOYEE = creation(20, 'employe-creer', employees, 'Ajouter un employé', 'Équipe');

export const membersPanels: readonly Panel[] = [
  CREATE_EMPLOYEE,
  modification(30, 'employe-modifier', employees, 'Modifier un employé', CREATE_EMPLOYEE),
];

export const memberItemPanels: readonly ItemPanel[] = [itemForm(employees, 'employe-modifier')];
