import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockedPackages } from '#tools/dependencies.mjs';
import { checkVulnerabilities, judge } from '#tools/vulnerabilities.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passerelle-check-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('known vulnerabilities', () => {
  const packages = [
    { name: 'runs', version: '1.0.0', path: 'node_modules/runs' },
    { name: 'builds', version: '2.0.0', path: 'node_modules/builds', dev: true },
  ];
  const audit = (name: string, severity: string) =>
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {
        [name]: {
          name,
          severity,
          isDirect: true,
          via: [
            {
              source: 1,
              name,
              dependency: name,
              title: 'Says too much',
              url: 'https://advisories.invalid/GHSA-aaaa-bbbb-cccc',
              severity,
              range: '>=1.0.0 <2.1.0',
            },
          ],
          effects: ['other'],
          range: '1.0.0 - 2.0.9',
          nodes: [`node_modules/${name}`],
          fixAvailable: true,
        },
        other: { name: 'other', severity, via: [name], nodes: [], fixAvailable: true },
      },
    });

  it('a grave one in what a site runs is refused, with its advisory and the version without it', () => {
    const { ok, output } = judge(audit('runs', 'high'), packages, '2030-01-01');
    expect(ok).toBe(false);
    expect(output).toBe('runs@1.0.0: high, GHSA-aaaa-bbbb-cccc (Says too much), fixed in 2.1.0');
    expect(judge(audit('runs', 'critical'), packages, '2030-01-01').ok).toBe(false);
  });

  it('a lesser one, and one in what builds or tests it, is said', () => {
    const lesser = judge(audit('runs', 'moderate'), packages, '2030-01-01');
    expect(lesser).toMatchObject({ ok: true, note: expect.stringMatching(/^runs@1\.0\.0: moderate, GHSA/) });
    const development = judge(audit('builds', 'critical'), packages, '2030-01-01');
    expect(development).toMatchObject({
      ok: true,
      note: expect.stringMatching(/critical, development, GHSA/),
    });
  });

  it('an accepted one is said until its day, and refused after it', () => {
    const accepted = { 'GHSA-aaaa-bbbb-cccc': { reason: 'never reached', until: '2030-01-31' } };
    const on = (day: string) => judge(audit('runs', 'high'), packages, day, accepted);
    expect(on('2030-01-31')).toMatchObject({ ok: true, note: expect.stringMatching(/until 2030-01-31$/) });
    expect(on('2030-02-01').ok).toBe(false);
  });

  /** What becomes of it when a registry answers every question about vulnerabilities with this; 0: never. */
  async function checkAgainst(status: number, answer: unknown, times = 1) {
    let questions = 0;
    const registry = createServer((request, response) => {
      const isQuestion = request.url?.includes('/advisories/') === true;
      if (isQuestion) questions++;
      request.resume();
      if (isQuestion && status === 0) return;
      response.writeHead(isQuestion ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isQuestion ? answer : {}));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const { port } = registry.address() as AddressInfo;
    const options = [`--registry=http://127.0.0.1:${port}`, `--cache=${join(folder, 'npm')}`];
    const kept = join(folder, 'vulnerabilities.json');
    const outcomes = [];
    for (let time = 0; time < times; time++)
      outcomes.push(await checkVulnerabilities({ kept, options, seconds: status === 0 ? 1 : 30 }));
    registry.closeAllConnections();
    registry.close();
    return { outcomes, questions };
  }
  const advisory = (severity: string) => [
    {
      id: 1,
      url: 'https://advisories.invalid/GHSA-aaaa-bbbb-cccc',
      title: 'Says too much',
      severity,
      vulnerable_versions: '<999.0.0',
      cwe: [],
      cvss: { score: 0, vectorString: null },
    },
  ];

  it('npm asks the registry: a grave one stays red', async () => {
    const { outcomes } = await checkAgainst(200, { fastify: advisory('high') }, 2);
    const { version } = lockedPackages().find(({ path }) => path === 'node_modules/fastify') ?? {};
    const output = `fastify@${version}: high, GHSA-aaaa-bbbb-cccc (Says too much), fixed in 999.0.0`;
    expect(outcomes).toMatchObject([
      { ok: false, output },
      { ok: false, output },
    ]);
  });

  it('where there is none, the registry is asked once a day', async () => {
    const { outcomes, questions } = await checkAgainst(200, {}, 2);
    expect(outcomes).toMatchObject([
      { ok: true, note: '' },
      { ok: true, note: '', isUnchanged: true },
    ]);
    expect(questions).toBe(1);
  });

  it.each([405, 500, 0])('a registry that does not tell (%i) is no failure, and is said', async (status) => {
    const { outcomes } = await checkAgainst(status, {});
    expect(outcomes).toMatchObject([
      { ok: true, note: expect.stringMatching(/^not looked for: the registry does not tell \(.+\)$/) },
    ]);
  });
});
