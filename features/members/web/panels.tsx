import { employees } from '#features/content/shared/kinds.ts';
import { itemForm, panelsOf } from '#features/content/web/panels.tsx';
import type { ItemPanel, Panel } from '#platform/web/pages.tsx';

export const membersPanels: readonly Panel[] = panelsOf({
  kind: employees,
  group: 'Équipe',
  place: 20,
  words:
    'organigramme trombinoscope collègue salarié personnel membre élu CSE bureau secrétaire trésorier président poste fonction métier téléphone photo portrait quelqu’un parti embauche arrivée départ retraite service annuaire',
  list: 'employes',
  create: ['employe-creer', 'Ajouter un employé'],
  choose: ['employe-modifier', 'Modifier un employé'],
});

export const memberItemPanels: readonly ItemPanel[] = [itemForm(employees, 'employe-modifier')];
