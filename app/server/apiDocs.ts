import { z } from 'zod';
import { calls } from '#app/calls.ts';
import { VERSION } from '#platform/server/config.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import { atMost } from '#platform/shared/bytes.ts';
import { API_PREFIX, type Call, isCreation, refusal, statusOf } from '#platform/shared/call.ts';
import { type Need, RIGHTS, type Right, type Role } from '#platform/shared/roles.ts';

/** The documentation of the calls as one plain page, without script, as the site's content security policy requires. */
export function docsPage(stylesheet: string): string {
  const rows = calls.map(({ method, path, call }) => section(method, path, call)).join('\n');
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Les appels du site — Passerelle</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${escapeHtml(stylesheet)}">
</head>
<body>
<main class="docs">
<h1>Les appels du site</h1>
<p>Version ${VERSION} du site. Chaque appel commence par <code>${API_PREFIX}</code>. Un jeton se présente dans l’en-tête
<code>Authorization: Bearer …</code>. Un refus répond toujours
<code>{ "message": "…", "champs"?: { "champ": "raison" }, "etape"?: "code" | "preuve" }</code>. La même table se lit par un programme\u202f:
<a href="/api/docs/openapi.json">openapi.json</a>.</p>
${rows}
</main>
</body>
</html>`;
}

const WHO: Record<Role | Need, string> = {
  admin: 'administrateur',
  director: 'directeur',
  family: 'famille',
  reader: 'lecteur des comptes rendus',
  contenus: staffWith('contenus'),
  sejours: staffWith('sejours'),
  photos: staffWith('photos'),
  reglages: staffWith('reglages'),
  tous: 'administrateur (tous les droits)',
};

function staffWith(right: Right): string {
  return `administrateur (droit «\u00a0${RIGHTS[right]}\u00a0»)`;
}

function section(method: string, path: string, call: Call): string {
  const who = call.access === 'anyone' ? 'tout le monde' : call.access.map((one) => WHO[one]).join(', ');
  return `<section>
<h2><code>${method} ${escapeHtml(path)}</code></h2>
<p>${escapeHtml(call.summary)}. Ouvert à\u202f: ${who}.${call.fresh ? ` ${escapeHtml(PROOF)}` : ''}</p>
${fields('Paramètres', call.params && jsonSchema(call.params, 'input'))}
${fields('Question', call.query && jsonSchema(call.query, 'input'))}
${call.body ? fields(`Corps (${BODY[call.body.as]})`, jsonSchema(call.body.schema, 'input'), fileRows(call)) : ''}
${reply(call)}
</section>`;
}

const PROOF =
  'Refusé par 403 avec «\u00a0etape: preuve\u00a0» quand la dernière preuve que l’on est soi a plus de dix minutes\u202f: ' +
  'donnez-en une par POST /admins/moi/preuve, puis demandez de nouveau.';

const BODY = { json: 'JSON', form: 'formulaire', multipart: 'formulaire avec fichiers' };

function fileRows(call: Call): string[] {
  if (call.body?.as !== 'multipart') return [];
  return Object.entries(call.body.files).map(([name, rule]) => {
    const count = rule.maxFiles > 1 ? `, ${rule.maxFiles} au plus` : '';
    return row(name, `fichier, ${atMost(rule.maxBytes)}${count}`, rule.label);
  });
}

function fields(title: string, schema: Record<string, unknown> | undefined, more: string[] = []): string {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, Record<string, unknown>>);
  if (properties.length + more.length === 0) return '';
  const required = new Set((schema?.required ?? []) as string[]);
  const rows = properties.map(([name, one]) =>
    row(name, `${kindOf(one)}${required.has(name) ? ', obligatoire' : ''}`, String(one.title ?? '')),
  );
  return `<h3>${title}</h3>
<table><thead><tr><th scope="col">Nom</th><th scope="col">Valeur</th><th scope="col">À l’écran</th></tr></thead>
<tbody>${[...rows, ...more].join('')}</tbody></table>`;
}

function row(name: string, value: string, label: string): string {
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(value)}</td><td>${escapeHtml(label)}</td></tr>`;
}

const KINDS: Record<string, string> = {
  string: 'texte',
  number: 'nombre',
  integer: 'nombre entier',
  boolean: 'oui ou non',
  array: 'liste',
  object: 'objet',
};

function kindOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  return KINDS[String(schema.type)] ?? 'valeur';
}

function reply(call: Call): string {
  if (call.media) return `<h3>Réponse ${statusOf(call)}</h3><p><code>${escapeHtml(call.media)}</code></p>`;
  const schema = jsonSchema(call.reply, 'output');
  const isList = schema.type === 'array';
  const item = (isList ? schema.items : schema) as Record<string, unknown>;
  const shape = item.$ref ? namedIn(schema, String(item.$ref)) : item;
  const title = `Réponse ${statusOf(call)}${isList ? ' (une liste)' : ''}`;
  return fields(title, { ...shape, required: [] });
}

/** Resolves a reference to a named schema, as recursive schemas have. */
function namedIn(schema: Record<string, unknown>, reference: string): Record<string, unknown> {
  const named = schema.$defs as Record<string, Record<string, unknown>>;
  return named[reference.slice('#/$defs/'.length)] ?? {};
}

export function openApi(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { key, method, path, call } of calls) {
    const url = `${API_PREFIX}${path.replace(/:(\w+)/g, '{$1}')}`;
    paths[url] = { ...paths[url], [method.toLowerCase()]: operation(key, call) };
  }
  return withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: 'Passerelle',
      version: VERSION,
      description: 'Les appels du site, tels que le serveur les vérifie.',
    },
    paths,
    components: {
      securitySchemes: { jeton: { type: 'http', scheme: 'bearer' } },
      schemas: { Refus: jsonSchema(refusal, 'output') },
    },
  });
}

interface Document extends Record<string, unknown> {
  components: { securitySchemes: unknown; schemas: Record<string, unknown> };
}

/** Moves recursive schemas, which need a name, to the document's `components.schemas`. */
function withNamedSchemas(document: Document): Document {
  const named: Record<string, unknown> = {};
  const rest = JSON.stringify(document, (key, value) => {
    if (key !== '$defs') return value;
    Object.assign(named, value);
    return undefined;
  });
  const text = `[${rest}, ${JSON.stringify(named)}]`.replaceAll('"#/$defs/', '"#/components/schemas/');
  const [moved, schemas] = JSON.parse(text) as [Document, Record<string, unknown>];
  Object.assign(moved.components.schemas, schemas);
  return moved;
}

function operation(key: string, call: Call): Record<string, unknown> {
  return {
    operationId: key.replace(/[^\w]+/g, '_'),
    summary: call.summary,
    description: call.fresh && PROOF,
    security: call.access === 'anyone' ? undefined : [{ jeton: call.access }],
    parameters: [
      ...parameters(call.params, 'path'),
      ...parameters(call.query, 'query'),
      ...(isCreation(key.split(' ')[0] ?? '', call) ? [ONCE] : []),
    ],
    requestBody: call.body && requestBody(call.body),
    responses: {
      [statusOf(call)]: {
        description: 'Réussite',
        content: { [call.media ?? JSON_TYPE]: { schema: jsonSchema(call.reply, 'output') } },
      },
      409: call.conflict && {
        description: 'Conflit',
        content: json(jsonSchema(call.conflict, 'output')),
      },
      default: { description: 'Refus', content: json({ $ref: '#/components/schemas/Refus' }) },
    },
  };
}

/** The header of creations; see `platform/server/http/once.ts`. */
const ONCE = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'De 8 à 255 signes choisis au hasard\u202f: pendant un jour, la même demande avec la même clé ne crée rien de plus et reçoit la première réponse, avec Idempotent-Replayed\u202f: true.',
  schema: { type: 'string' },
};

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  if (!schema) return [];
  const described = jsonSchema(schema, 'input');
  const properties = (described.properties ?? {}) as Record<string, unknown>;
  const required = (described.required ?? []) as string[];
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }));
}

function requestBody(body: NonNullable<Call['body']>) {
  const schema = jsonSchema(body.schema, 'input');
  if (body.as === 'json') return { required: true, content: json(schema) };
  if (body.as === 'form')
    return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
  if (body.as !== 'multipart') throw new Error('unknown kind of body');
  const files = Object.fromEntries(
    Object.entries(body.files).map(([name, rule]) => {
      const file = {
        type: 'string',
        format: 'binary',
        description: `${rule.label} (${rule.maxBytes} octets au plus)`,
      };
      return [name, rule.maxFiles > 1 ? { type: 'array', maxItems: rule.maxFiles, items: file } : file];
    }),
  );
  const properties = { ...(schema.properties as object | undefined), ...files };
  return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties } } } };
}

const JSON_TYPE = 'application/json';

function json(schema: unknown) {
  return { [JSON_TYPE]: { schema } };
}

/** Converts a schema; a part that JSON Schema cannot express (such as a transformation) accepts anything. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _version, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}
