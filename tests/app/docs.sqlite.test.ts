import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls } from '#app/calls.ts';
import { API_PREFIX, statusOf } from '#platform/shared/call.ts';
import { form, picture } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite } from '#tests/support/site.ts';

type Json = Record<string, unknown>;

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const WHO = {
  admin: 'administrateur',
  director: 'directeur',
  family: 'famille',
  reader: 'lecteur des comptes rendus',
  contenus: 'administrateur (droit «\u00a0Contenus et organigramme\u00a0»)',
  sejours: 'administrateur (droit «\u00a0Séjours et familles\u00a0»)',
  photos: 'administrateur (droit «\u00a0Photos\u00a0»)',
  reglages: 'administrateur (droit «\u00a0Comptes et réglages\u00a0»)',
  tous: 'administrateur (tous les droits)',
};

describe('The documentation page', () => {
  test('is open to anyone and stands under the site’s policy: no script, no style of its own', async () => {
    const page = await site.ask('GET /api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toMatch(/^<!doctype html>\s*<html lang="fr">/);
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:|<iframe|<base|<form/i);
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.text).not.toMatch(/undefined|\[object|\$\{/);
  });

  test('is well made: each tag closed, each heading there', async () => {
    const { text } = await site.ask('GET /api/docs');
    const open: string[] = [];
    const wrong: string[] = [];
    for (const [, closing, name = ''] of text.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (['meta', 'link'].includes(name)) continue;
      if (!closing) open.push(name);
      else if (open.pop() !== name) wrong.push(name);
    }
    expect([open, wrong]).toEqual([[], []]);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<h2>/g)).toHaveLength(calls.length);
    expect(text).toMatch(/<title>.+<\/title>/);
  });

  test('says of every call its address, what it does, who may, and whether it asks for a new proof', async () => {
    const { text } = await site.ask('GET /api/docs');
    const sections = text.split('<section>').slice(1);
    for (const { method, path, call } of calls) {
      const section = sections.find((one) => one.includes(`<h2><code>${method} ${path}</code></h2>`)) ?? '';
      expect(section, `${method} ${path}`).toContain(
        call.summary.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
      );
      const who =
        call.access === 'anyone' ? 'tout le monde' : call.access.map((role) => WHO[role]).join(', ');
      expect(section, `${method} ${path}`).toContain(`Ouvert à\u202f: ${who}.`);
      expect(section.includes('Refusé par 403 avec «\u00a0etape: preuve\u00a0»'), path).toBe(
        call.fresh === true,
      );
      if (call.media) expect(section, path).toContain(`<code>${call.media}</code>`);
      if (call.body?.as === 'multipart') {
        for (const name of Object.keys(call.body.files))
          expect(section, path).toContain(`<code>${name}</code>`);
      }
    }
    expect(sections).toHaveLength(calls.length);
  });

  test('names the fields of a person of the chart, who holds others of the kind', async () => {
    const { text } = await site.ask('GET /api/docs');
    const section = text.split('<section>').find((one) => one.includes('/employe/orgchart')) ?? '';
    for (const name of ['nom', 'telephone', 'children']) expect(section).toContain(`<code>${name}</code>`);
  });

  test('names every text field that a call reads', async () => {
    const { text } = await site.ask('GET /api/docs');
    const missing: string[] = [];
    for (const { key, call } of calls) {
      const section =
        text.split('<section>').find((one) => one.includes(`<h2><code>${key}</code></h2>`)) ?? '';
      const body = call.body?.schema as { shape?: Json; in?: { shape?: Json } } | undefined;
      const fields = Object.keys(body?.shape ?? body?.in?.shape ?? {});
      const names = [
        ...fields,
        ...Object.keys(call.query?.shape ?? {}),
        ...Object.keys(call.params?.shape ?? {}),
      ];
      missing.push(
        ...names.filter((name) => !section.includes(`<code>${name}</code>`)).map((name) => `${key}: ${name}`),
      );
    }
    expect(missing).toEqual([]);
  });
});

describe('openapi.json', () => {
  let document: {
    openapi: string;
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Record<string, Json>; securitySchemes: Json };
  };
  beforeAll(async () => {
    document = (await site.ask('GET /api/docs/openapi.json')).json;
  });

  const operationOf = (method: string, path: string) =>
    document.paths[API_PREFIX + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as
      | (Json & {
          parameters: Json[];
          responses: Record<string, { content: Record<string, { schema: Json }> }>;
        })
      | undefined;

  test('lists every call of the table, with its access, and no other', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { key, method, path, call } of calls) {
      const operation = operationOf(method, path);
      expect(operation?.summary, key).toBe(call.summary);
      expect(operation?.security, key).toEqual(
        call.access === 'anyone' ? undefined : [{ jeton: call.access }],
      );
      const statuses = [String(statusOf(call)), ...(call.conflict ? ['409'] : []), 'default'];
      expect(Object.keys(operation?.responses ?? {}), key).toEqual(statuses);
    }
    const listed = Object.values(document.paths).flatMap((one) => Object.keys(one));
    expect(listed).toHaveLength(calls.length);
    const ids = Object.values(document.paths).flatMap((one) =>
      Object.values(one).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(calls.length);
  });

  test('names every parameter of an address once', () => {
    for (const { key, method, path } of calls) {
      const inPath = operationOf(method, path)?.parameters.filter((one) => one.in === 'path') ?? [];
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name).sort(), key).toEqual(names.sort());
      for (const one of inPath) expect(one.required, key).toBe(true);
    }
  });

  test('every reply is closed: nothing leaves the server that is not written down', () => {
    for (const { key, method, path, call } of calls) {
      const operation = operationOf(method, path);
      const { content = {} } = operation?.responses[String(statusOf(call))] ?? {};
      expect(Object.keys(content), key).toEqual([call.media ?? 'application/json']);
      const schema = content[call.media ?? 'application/json']?.schema ?? {};
      expect(Object.keys(schema).length, key).toBeGreaterThan(0);
      expect(openPlaces(schema, key), key).toEqual([]);
    }
  });

  test('every name in a reply is that of a schema, which is closed as well', () => {
    const { schemas } = document.components;
    for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"(.*?)"/g))
      expect(Object.keys(schemas).map((one) => `#/components/schemas/${one}`)).toContain(name);
    for (const [name, schema] of Object.entries(schemas)) expect(openPlaces(schema, name), name).toEqual([]);
    expect(JSON.stringify(operationOf('GET', '/employe/orgchart'))).toContain(
      '"$ref":"#/components/schemas/Personne"',
    );
    expect(schemas.Personne).toMatchObject({
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Personne' } } },
    });
  });

  test('refusals have the form that they all have', () => {
    const { Refus } = document.components.schemas;
    expect(Refus).toMatchObject({ type: 'object', required: ['message'], additionalProperties: false });
    for (const { method, path } of calls) {
      const { schema } = operationOf(method, path)?.responses.default?.content['application/json'] ?? {};
      expect(schema).toEqual({ $ref: '#/components/schemas/Refus' });
    }
  });

  test('tells files from texts in forms', () => {
    for (const { key, method, path, call } of calls) {
      const body = operationOf(method, path)?.requestBody as
        | { content: Record<string, { schema: { properties: Json } }> }
        | undefined;
      if (call.body?.as !== 'multipart') {
        const types = { json: ['application/json'], form: ['application/x-www-form-urlencoded'] };
        expect(Object.keys(body?.content ?? {}), key).toEqual(call.body ? types[call.body.as] : []);
        continue;
      }
      const { properties } = body?.content['multipart/form-data']?.schema ?? { properties: {} };
      for (const name of Object.keys(call.body.files)) {
        expect(JSON.stringify(properties[name]), `${key}: ${name}`).toContain('"format":"binary"');
      }
    }
  });
});

/** What must be asked along with a call. */
const NEEDED: Record<string, string> = {
  'GET /imports/dernier': '?genre=familles',
  'GET /download-rapport': '?nomStage=Oleron',
  'GET /rapports': '?sejours=1',
  'GET /rgpd/document': '?email=camille@exemple.org',
  'GET /rgpd/export': '?email=camille@exemple.org',
};

test('a reply holds the fields written down and no other', async () => {
  const token = await site.tokenOf('admin');
  const stay = { nom_stage: 'Oléron', date_debut: '2026-06-06', date_fin: '2026-06-20' };
  expect((await site.call('POST /stages', { token, body: stay })).status).toBe(201);
  const logo = form({ logo: await picture() });
  expect((await site.call('PUT /reglages/logo', { token, body: logo })).status).toBe(200);
  const written = { nom: 'Camille', email: 'camille@exemple.org', message: 'Bonjour' };
  expect((await site.call('POST /contact', { body: written })).status).toBe(200);
  for (const { key, method, path, call } of calls) {
    if (method !== 'GET' || path.includes(':')) continue;
    const { json, text, status, headers } = await site.call(`GET ${path}${NEEDED[key] ?? ''}`, { token });
    expect(status, key).toBe(200);
    expect(headers.get('content-type'), key).toBe(call.media ?? 'application/json; charset=utf-8');
    // A made file is bytes, of which its kind is all that is written down.
    if (call.reply.def.type === 'file') continue;
    const reply = call.media ? text : json;
    expect(call.reply.parse(reply), key).toEqual(reply);
  }
});

/** Places of a schema where an object may hold more than is named, or where anything goes. */
function openPlaces(schema: Json, at: string): string[] {
  const found: string[] = [];
  const { type, properties, items, additionalProperties, $ref } = schema;
  // A named one is looked at under its name.
  if (typeof $ref === 'string') return [];
  const variants = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
  if (!type && !variants && !schema.enum && !('const' in schema)) found.push(`${at}: anything`);
  if (type === 'object') {
    const isRecord = typeof additionalProperties === 'object' && !properties;
    if (additionalProperties !== false && !isRecord) found.push(`${at}: open`);
    for (const [name, one] of Object.entries((properties ?? {}) as Record<string, Json>)) {
      found.push(...openPlaces(one, `${at}.${name}`));
    }
  }
  if (type === 'array') found.push(...openPlaces((items ?? {}) as Json, `${at}[]`));
  for (const one of variants ?? []) found.push(...openPlaces(one, at));
  return found;
}
