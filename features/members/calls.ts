import { z } from 'zod';
import { illustration, itemForm, staleItem } from '#features/content/calls.ts';
import { employees } from '#features/content/shared/kinds.ts';
import { call, idParams, instant } from '#platform/shared/call.ts';

/* The people of the org chart, and the calls that read and change them. */

const employee = z.object({
  id: z.number(),
  nom: z.string(),
  prenom: z.string(),
  poste: z.string(),
  role: z.string(),
  /** Id of the direct manager; `null` at the top of the chart. */
  manager_id: z.number().nullable(),
  email: z.string(),
  telephone: z.string(),
  photo: z.string().nullable(),
  illustrations: z.array(illustration),
  /** Square crop: of the part of the photo that it leaves out, the percentage to its left and above it. */
  cadrage_x: z.number(),
  cadrage_y: z.number(),
  /** 1: shown to visitors. */
  email_public: z.number(),
  telephone_public: z.number(),
  photo_public: z.number(),
  created_at: instant,
  version: z.number(),
});

const person = employee.pick({
  id: true,
  nom: true,
  prenom: true,
  poste: true,
  role: true,
  photo: true,
  illustrations: true,
  cadrage_x: true,
  cadrage_y: true,
});

export type ChartNode = z.infer<typeof person> & {
  /** `null`: none, or not shown to visitors. */
  email: string | null;
  telephone: string | null;
  children: ChartNode[];
};

const chartNode: z.ZodType<ChartNode> = person
  .extend({
    email: z.string().nullable(),
    telephone: z.string().nullable(),
    get children() {
      return z.array(chartNode);
    },
  })
  .meta({ id: 'Personne' });

const saved = employee.extend({ message: z.string() });

/** The form of an employee. The original creation form calls `manager_id` `managerId`; both are accepted. */
const form = (creation: boolean) => {
  const { schema, ...rest } = itemForm(employees, creation);
  return { ...rest, schema: z.preprocess(withManager, schema) };
};

function withManager(body: unknown): unknown {
  const { managerId, ...rest } = (body ?? {}) as Record<string, unknown>;
  return managerId === undefined ? body : { manager_id: managerId, ...rest };
}

export const employeeCalls = {
  'GET /employe/orgchart': call({
    summary: 'L’organigramme\u202f: chaque personne et celles qu’elle dirige',
    access: 'anyone',
    reply: z.array(chartNode),
  }),
  'GET /employes': call({
    summary: 'Les employés, par nom',
    access: ['contenus'],
    reply: z.array(employee),
  }),
  'GET /employes/:id': call({
    summary: 'Un employé',
    access: ['contenus'],
    params: idParams,
    reply: employee,
  }),
  'POST /create-employes': call({
    summary: 'Création d’un employé',
    access: ['contenus'],
    body: form(true),
    status: 201,
    reply: saved,
  }),
  'PUT /employes/:id': call({
    summary: 'Modification d’un employé',
    access: ['contenus'],
    params: idParams,
    body: form(false),
    reply: saved,
    conflict: staleItem(employee),
  }),
  'DELETE /employes/:id': call({
    summary: 'Mise à la corbeille d’un employé\u202f; son équipe monte d’un niveau',
    access: ['contenus'],
    params: idParams,
  }),
};
