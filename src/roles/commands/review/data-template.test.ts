import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isThorough } from '../../../../test/run/rounds.ts';
import { fillFromTemplate } from './data-template.ts';
import { environmentFor, startEmbedded } from './embedded-service.ts';
import { openWorkplace } from './workplace.ts';

let root: string;
let cache: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rp-'));
  cache = join(root, 'cache');
  mkdirSync(join(root, 't'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  vi.stubEnv('TMPDIR', join(root, 't'));
  return () => vi.unstubAllEnvs();
});

const templates = () => readdirSync(join(cache, 'redpen'));
const temporary = () => readdirSync(join(root, 't'));
const isFilled = (dataDir: string) => existsSync(join(dataDir, 'postgres', 'PG_VERSION'));

test('two reviews that make the template at the same time leave one, and the next one copies it', async () => {
  const workplaces = [openWorkplace(), openWorkplace()];
  const env = environmentFor(process.env);
  const made = await Promise.all(workplaces.map((workplace) => fillFromTemplate(workplace, env)));
  expect(made.map((path) => path?.startsWith(cache))).toEqual([true, true]);
  expect(workplaces.map(({ dataDir }) => isFilled(dataDir))).toEqual([true, true]);
  const names = templates();
  expect(names).toHaveLength(1);
  expect(readdirSync(join(cache, 'redpen', names[0]!))).toEqual(['postgres']);
  await Promise.all(workplaces.map((workplace) => workplace.clear()));
  expect([templates(), temporary()]).toEqual([names, []]);
});

test('a review that ends while it begins leaves no copy', async () => {
  const workplace = openWorkplace();
  const filling = fillFromTemplate(workplace, environmentFor(process.env)).catch(() => 'ended');
  await workplace.clear();
  expect(await filling).toBe('ended');
  expect(temporary()).toEqual([]);
});

test('what a killed process has left in the cache is removed although there is a template', async () => {
  const [name = ''] = templates();
  const drafts = ['.making-1', '.making-2'].map((end) => join(cache, 'redpen', name + end));
  for (const draft of drafts) mkdirSync(draft);
  for (const path of [drafts[0]!, join(cache, 'redpen', name)]) utimesSync(path, 0, 0);
  const workplace = openWorkplace();
  expect(await fillFromTemplate(workplace, environmentFor(process.env))).toBe(join(cache, 'redpen', name));
  await workplace.clear();
  expect(templates().sort()).toEqual([name, `${name}.making-2`]);
  rmSync(drafts[1]!, { recursive: true });
});

test.runIf(isThorough)('a template that has lost parts is replaced', async () => {
  const [name = ''] = templates();
  truncateSync(join(cache, 'redpen', name, 'postgres', 'global', 'pg_control'), 0);
  const workplace = openWorkplace();
  const service = await startEmbedded(workplace, { environment: process.env, allowHosts: [] });
  expect((await fetch(`${service.url}/ready`)).status).toBe(200);
  await workplace.clear();
  expect([templates(), temporary()]).toEqual([[], []]);
});

test('without a cache, a review has a database of its own', async () => {
  vi.stubEnv('XDG_CACHE_HOME', '/proc/nowhere');
  vi.stubEnv('HOME', '/proc/nowhere');
  const workplace = openWorkplace();
  expect(await fillFromTemplate(workplace, environmentFor(process.env))).toBeUndefined();
  expect(isFilled(workplace.dataDir)).toBe(false);
  await workplace.clear();
});

test('the folder of a review that was killed is removed by the next one', async () => {
  const namespace = readlinkSync('/proc/self/ns/pid');
  const leave = (name: string, owner: object): string => {
    const folder = join(root, 't', `redpen-review-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'owner'), JSON.stringify({ pid: 1, startedAt: 'never', namespace, ...owner }));
    return folder;
  };
  const old = [leave('old', {}), leave('of-another-container', { namespace: 'pid:[1]' })];
  for (const folder of old) utimesSync(folder, 0, 0);
  const recent = leave('recent', {});
  const workplace = openWorkplace();
  expect([...old, recent].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  await workplace.clear();
  for (const folder of [old[1]!, recent]) rmSync(folder, { recursive: true });
});
