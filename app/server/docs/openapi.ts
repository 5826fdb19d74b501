import { z } from 'zod';
import { calls } from '#app/calls.ts';
import { API_PREFIX, type Call, refusal } from '#platform/shared/call.ts';

/** The table of calls as an OpenAPI 3.1 document. */
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
      version: '1',
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

/** Moves the schemas that hold themselves, and so need a name, to where a document has its named ones. */
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
    ...(call.access === 'anyone' ? {} : { security: [{ jeton: call.access }] }),
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')],
    ...(call.body ? { requestBody: requestBody(call.body) } : {}),
    responses: {
      [call.status]: {
        description: 'Réussite',
        content: { [call.media ?? JSON_TYPE]: { schema: jsonSchema(call.reply, 'output') } },
      },
      ...(call.conflict
        ? { 409: { description: 'Conflit', content: json(jsonSchema(call.conflict, 'output')) } }
        : {}),
      default: { description: 'Refus', content: json({ $ref: '#/components/schemas/Refus' }) },
    },
  };
}

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

/** What a schema cannot say in JSON Schema (a transformation, say) is left open rather than wrong. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _version, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}
