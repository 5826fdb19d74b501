import { employees } from '#features/content/shared/kinds.ts';
import { itemForm, panelsOf } from '#features/content/web/panels.tsx';
import type { ItemPanel, Panel } from '#platform/web/pages.tsx';

export const membersPanels: readonly Panel[] = panelsOf({
  kind: employees,
  group: 'Équipe',
  place: 20,
  list: 'employes',
  create: ['employe-creer', 'Ajouter un employé'],
  choose: ['employe-modifier', 'Modifier un employé'],
});

export const memberItemPanels: readonly ItemPanel[] = [itemForm(employees, 'employe-modifier')];
