import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../../examples/site-server.ts';
import type { Report } from '../../src/report/report.ts';
import { expectLog } from '../run/log-watch.ts';
import { ownTenant, type Tenant } from '../service/own-tenant.ts';
import { newPlace, type Place, runRedpen, startRedpen } from '../service/redpen-command.ts';
import { sharedService } from '../service/worker-service.ts';

let site: Awaited<ReturnType<typeof startSite>>;
let place: Place;
let tenant: Tenant;
/** Words that review with a running service. */
let onServer: string[];
beforeAll(async () => {
  site = await startSite();
  place = newPlace();
  const service = await sharedService();
  tenant = await ownTenant(() => service);
  onServer = ['--server', service.url];
});
afterAll(async () => {
  await site.close();
  place.remove();
});

const run = (words: string[], environment: Record<string, string> = {}) =>
  runRedpen(place, ['review', ...words], environment);
const runOnServer = (words: string[]) => run([...words, ...onServer], tenant.variables);
const read = (...path: string[]) => readFileSync(join(place.folder, ...path), 'utf8');
/** A page with faults, and agents that need no dictionary, which takes seconds to load. */
const faulty = () => [`${site.url}/boats/osprey.html`, ...['--agents', 'accessibility-checker,lorem-ipsum']];
const NOTHING = { files: [], processes: [] };

/** The parts of a report that are the same for each review of the same pages. */
const lasting = (text: string) => {
  const {
    id: _id,
    startedAt: _s,
    completedAt: _c,
    ...report
  } = JSON.parse(text.replaceAll(/\bfile_\w+/g, 'file')) as Report;
  const agents = report.agents.map(({ executionIds: _e, durationMs: _d, ...agent }) => agent);
  return { ...report, agents };
};

test('findings fail a review, whose reports are all written, and a server gives the same report', async () => {
  const formats = 'text,json,html,junit,sarif,markdown,csv,codequality';
  const failing = await run([...faulty(), '--format', formats, '--output', 'out']);
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
  expect(place.leftovers()).toEqual(NOTHING);

  const remote = await runOnServer([...faulty(), '--format', 'json,html', '--output', 'remote']);
  expect(remote.code, remote.stderr).toBe(1);
  expect(lasting(read('remote', 'report.json'))).toEqual(lasting(read('out', 'report.json')));
  expect(read('remote', 'report.html')).toContain('data:image/webp');
});

test('a baseline makes a review pass', async () => {
  const baseline = ['--baseline', 'known.json'];
  expect(await runOnServer([...faulty(), ...baseline, '--update-baseline', '--quiet'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The baseline .*known\.json has \d+ findings\.\n$/),
  });
  const known = read('known.json');
  const passing = await runOnServer([...faulty(), ...baseline, '--format', 'json', '--fail-on', 'info']);
  expect(passing.code).toBe(0);
  const judged = JSON.parse(passing.stdout) as Report;
  expect(judged.gate).toMatchObject({ passed: true });
  expect(new Set(judged.findings.map(({ ignored }) => ignored))).toEqual(new Set(['baseline']));
  expect(read('known.json')).toBe(known);
});

test('a report that cannot be written is printed, and the others are written', async () => {
  mkdirSync(join(place.folder, 'full/report.json'), { recursive: true });
  const words = [
    `${site.url}/about.html`,
    '--agents',
    'lorem-ipsum',
    '--output',
    'full',
    '--fail-on',
    'never',
  ];
  const ended = await runOnServer([...words, '--baseline', 'new/known.json', '--update-baseline']);
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
});

test('a page that cannot be reached gives a report all the same', async () => {
  expectLog(/page fails.*ERR_UNSAFE_PORT/);
  const ended = await runOnServer([
    'http://127.0.0.1:1/',
    ...['--agents', 'lorem-ipsum', '--output', 'unreachable'],
  ]);
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

test('wrong settings of the service are reported with its last lines, and a reader that has gone ends neither the report nor the clean-up', async () => {
  const words = ['--agents', 'lorem-ipsum', '--format', 'json', '--output', 'broken'];
  const running = startRedpen(place, ['review', `${site.url}/`, ...words], { REDPEN_MODEL: 'gpt' });
  running.child.stdout!.destroy();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('REDPEN_MODEL') });
  expect(stderr).not.toContain('EPIPE');
  expect(JSON.parse(read('broken', 'report.json'))).toMatchObject({
    verdict: 'broken',
    notes: [expect.any(String)],
  });
  expect(place.leftovers()).toEqual(NOTHING);
});

test('wrong use and wrong credentials write no report', async () => {
  writeFileSync(join(place.folder, 'bad.json'), '{"failOn": "severe"}');
  const words = [`${site.url}/`, '--output', 'none'];
  expect(await run([...words, '--config', 'bad.json'])).toMatchObject({ code: 2, stdout: '' });
  const wrong = { ...tenant.variables, REDPEN_AUTH_TOKEN: 'b'.repeat(64) };
  expect(await run([...words, ...onServer], wrong)).toMatchObject({ code: 2, stdout: '' });
  expect(existsSync(join(place.folder, 'none'))).toBe(false);
});

test('the decisions of a server count', async () => {
  const document = { organizationId: 'acme', documentId: 'website' };
  await tenant.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'website' }],
  });
  const onDocument = [...faulty(), '--document', 'acme/website'];
  expect((await runOnServer(onDocument)).code).toBe(1);
  const annotations: { annotationId: string }[] = await tenant.must('/v2/commentannotations/get', document);
  expect(annotations.length).toBeGreaterThan(0);
  await tenant.must('/v2/commentannotations/update', {
    ...document,
    annotationIds: annotations.map(({ annotationId }) => annotationId),
    updatedData: { suggestion: { status: 'rejected', summary: 'None.', rejectReason: 'It is meant.' } },
  });
  const decided = await runOnServer(onDocument);
  expect(decided.code, decided.stdout).toBe(0);
  expect(place.leftovers()).toEqual(NOTHING);
});
