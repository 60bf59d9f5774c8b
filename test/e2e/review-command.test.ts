import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../../examples/site-server.ts';
import type { Report } from '../../src/report/report.ts';
import { newPlace, type Place, runRedpen, startRedpen } from './redpen-command.ts';
import { type Service, startService } from './service.ts';

let site: Awaited<ReturnType<typeof startSite>>;
let place: Place;
beforeAll(async () => {
  site = await startSite();
  place = newPlace();
});
afterAll(async () => {
  await site.close();
  place.remove();
});

const run = (words: string[], environment: Record<string, string> = {}) =>
  runRedpen(place, ['review', ...words], environment);
const read = (...path: string[]) => readFileSync(join(place.folder, ...path), 'utf8');

/** The parts of a report that are the same for each review of the same pages. */
const lasting = (text: string) => {
  const { id: _id, startedAt: _s, completedAt: _c, ...report } = JSON.parse(text) as Report;
  const agents = report.agents.map(({ executionIds: _e, durationMs: _d, ...agent }) => agent);
  return { ...report, agents };
};

test('findings fail a review, whose reports are all written; a baseline makes it pass', async () => {
  const page = `${site.url}/boats/osprey.html`;
  const agents = ['--agents', 'accessibility-checker,spell-check'];
  const formats = 'text,json,html,junit,sarif,markdown,csv,codequality';
  const failing = await run([page, ...agents, '--format', formats, '--output', 'out']);
  expect(failing).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Images must have alternative text'),
    stderr: expect.stringMatching(/^Starting Redpen\n.*Accessibility checker: 1 page, /s),
  });
  expect(failing.stdout + failing.stderr).not.toContain('\x1b');
  expect(readdirSync(join(place.folder, 'out')).sort()).toEqual([
    'codequality.json',
    'report.csv',
    'report.html',
    'report.json',
    'report.md',
    'report.sarif',
    'report.txt',
    'report.xml',
  ]);
  const report = JSON.parse(read('out', 'report.json')) as Report;
  expect(report.gate).toMatchObject({ failOn: 'high', passed: false });
  expect(report.findings.filter(({ failsGate }) => failsGate)).not.toEqual([]);
  expect(read('out', 'report.html')).toContain('data:image/webp');

  const baseline = ['--baseline', 'known.json'];
  expect(await run([page, ...agents, ...baseline, '--update-baseline', '--quiet'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The baseline .*known\.json has \d+ findings\.\n$/),
  });
  const known = read('known.json');
  const passing = await run([page, ...agents, ...baseline, '--format', 'json', '--fail-on', 'info']);
  expect(passing.code).toBe(0);
  const judged = JSON.parse(passing.stdout) as Report;
  expect(judged.gate).toMatchObject({ passed: true });
  expect(new Set(judged.findings.map(({ ignored }) => ignored))).toEqual(new Set(['baseline']));
  expect(read('known.json')).toBe(known);
  expect(place.leftovers()).toEqual({ files: [], processes: [] });
});

test('a report that cannot be written is printed, and the others are written', async () => {
  mkdirSync(join(place.folder, 'full/report.json'), { recursive: true });
  const words = [
    `${site.url}/about.html`,
    '--agents',
    'spell-check',
    '--output',
    'full',
    '--fail-on',
    'never',
  ];
  const ended = await run([...words, '--baseline', 'new/known.json', '--update-baseline']);
  expect(ended).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('Review of '),
    stderr: expect.stringMatching(/The report .*report\.json could not be written: EISDIR/),
  });
  expect(readdirSync(join(place.folder, 'full')).sort()).toEqual([
    'report.html',
    'report.json',
    'report.txt',
  ]);
  expect(JSON.parse(read('new', 'known.json'))).toMatchObject({ schema: 'redpen-baseline/1' });
  expect(place.leftovers()).toEqual({ files: [], processes: [] });
});

test('a reader that has gone ends neither the review nor its clean-up', async () => {
  const running = startRedpen(place, ['review', `${site.url}/about.html`, '--agents', 'spell-check']);
  running.child.stdout!.destroy();
  expect(await running.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('EPIPE') });
  expect(place.leftovers()).toEqual({ files: [], processes: [] });
});

test('a page that cannot be reached gives a report all the same', async () => {
  const ended = await run(['http://127.0.0.1:1/', '--agents', 'spell-check', '--output', 'unreachable']);
  expect(ended.code).toBe(3);
  expect(JSON.parse(read('unreachable', 'report.json'))).toMatchObject({
    pages: [{ url: 'http://127.0.0.1:1/', status: 'failed' }],
  });
});

test('a missing browser gives a report all the same', async () => {
  const ended = await run([`${site.url}/`, '--agents', 'accessibility-checker', '--format', 'json'], {
    CHROME_PATH: '/nowhere/chromium',
  });
  expect({ ...ended, stdout: JSON.parse(ended.stdout) }).toMatchObject({
    code: 3,
    stdout: {
      schema: 'redpen-report/1',
      verdict: 'broken',
      gate: { passed: false, reasons: ['Not everything could be reviewed.'] },
    },
  });
});

test('wrong settings of the service are reported with its last lines', async () => {
  const ended = await run([`${site.url}/`, '--agents', 'spell-check', '--format', 'json'], {
    REDPEN_MODEL: 'gpt',
  });
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('REDPEN_MODEL') });
  expect(JSON.parse(ended.stdout)).toMatchObject({ verdict: 'broken', notes: [expect.any(String)] });
});

test('wrong use writes no report', async () => {
  writeFileSync(join(place.folder, 'bad.json'), '{"failOn": "severe"}');
  for (const words of [[], ['example.com'], [`${site.url}/`, '--config', 'bad.json']]) {
    expect(await run([...words, '--output', 'none'])).toMatchObject({ code: 2, stdout: '' });
  }
  expect(existsSync(join(place.folder, 'none'))).toBe(false);
});

test('a server gives the same report, and its decisions count', async () => {
  const [apiKey, authToken] = ['key_of_the_review', 'a'.repeat(64)];
  const service: Service = await startService({
    REDPEN_DATA_DIR: join(place.folder, 'data'),
    REDPEN_INIT_EMAIL: 'owner@example.com',
    REDPEN_INIT_API_KEY: apiKey,
    REDPEN_INIT_AUTH_TOKEN: authToken,
    REDPEN_ALLOW_HOSTS: new URL(site.url).host,
    REDPEN_LOG: 'json',
  });
  try {
    const credentials = { REDPEN_API_KEY: apiKey, REDPEN_AUTH_TOKEN: authToken };
    const words = [`${site.url}/about.html`, '--preset', 'content', '--format', 'json', '--fail-on', 'low'];
    const onServer = ['--server', service.url];
    const [embedded, remote] = [await run(words), await run([...words, ...onServer], credentials)];
    expect([embedded.code, remote.code], embedded.stderr + remote.stderr).toEqual([1, 1]);
    expect(lasting(remote.stdout)).toEqual(lasting(embedded.stdout));

    const refused = await run([...words, ...onServer], { ...credentials, REDPEN_AUTH_TOKEN: 'b'.repeat(64) });
    expect(refused).toMatchObject({ code: 2, stdout: '' });

    const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken };
    const place = { organizationId: 'acme', documentId: 'website' };
    await service.post(
      '/v2/organizations/documents/add',
      { organizationId: 'acme', documents: [{ documentId: 'website' }] },
      headers,
    );
    const onDocument = [...words, ...onServer, '--document', 'acme/website'];
    expect((await run(onDocument, credentials)).code).toBe(1);
    const { body } = await service.post('/v2/commentannotations/get', place, headers);
    const annotations = (body as { result: { data: { annotationId: string }[] } }).result.data;
    expect(annotations.length).toBeGreaterThan(0);
    const rejected = await service.post(
      '/v2/commentannotations/update',
      {
        ...place,
        annotationIds: annotations.map(({ annotationId }) => annotationId),
        updatedData: { suggestion: { status: 'rejected', summary: 'None.', rejectReason: 'It is meant.' } },
      },
      headers,
    );
    expect(rejected).toMatchObject({ status: 200, body: { result: { status: 'success' } } });
    const decided = await run(onDocument, credentials);
    expect(decided.code, decided.stdout).toBe(0);
  } finally {
    await service.kill('SIGTERM');
  }
});
