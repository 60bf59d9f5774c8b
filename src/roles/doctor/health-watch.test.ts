import { expect, onTestFinished, test } from 'vitest';
import { type Finding, failed, ok, skipped, warning } from './check.ts';
import { createHealthWatch, type Watched } from './health-watch.ts';

/** A watch that the test runs, with the lines that it logs. */
function createWatch(checks: (Partial<Watched> & Pick<Watched, 'name' | 'run'>)[]) {
  const lines: string[] = [];
  const logAt = (level: string) => (data: object, message: string) =>
    lines.push(`${level} ${message} ${JSON.stringify(data)}`);
  const log = { info: logAt('info'), warn: logAt('warn') };
  const hideSecrets = (text: string) => text.replaceAll('hunter2', '***');
  const health = createHealthWatch({ log, hideSecrets, everyMs: 1_000_000 });
  onTestFinished(() => health.stop());
  health.start(checks.map((check) => ({ timeoutMs: 60_000, regularly: 'same', ...check })));
  const states = () => Object.fromEntries(health.checks().map(({ name, status }) => [name, status]));
  return { health, lines, states };
}

test('a change of a finding is logged once, even if it is found repeatedly', async () => {
  let finding: Finding = ok('All is well.');
  const { health, lines, states } = createWatch([{ name: 'files', run: async () => finding }]);
  await health.look();
  expect(states()).toEqual({ files: 'ok' });
  expect(lines).toEqual([]);

  finding = failed(
    '/data: EACCES with hunter2',
    'Let it be written to.',
    'Files cannot be kept (REDPEN_BLOB_URL).',
  );
  for (let minute = 0; minute < 3; minute++) await health.look();
  expect(lines).toEqual([
    'warn Files cannot be kept (REDPEN_BLOB_URL). {"check":"files","reason":"/data: EACCES with ***","advice":"Let it be written to."}',
  ]);
  const [kept] = health.checks();
  expect(kept).toEqual({
    name: 'files',
    status: 'failed',
    message: 'Files cannot be kept (REDPEN_BLOB_URL).',
    since: expect.any(Number),
  });
  expect(JSON.stringify(health.checks())).not.toContain('/data');

  finding = ok('All is well.');
  for (let minute = 0; minute < 3; minute++) await health.look();
  expect(lines.slice(1)).toEqual(['info files: works again {"check":"files"}']);
  expect(states()).toEqual({ files: 'ok' });
});

test('an expensive check runs once, and then every minute only while it fails', async () => {
  let runs = 0;
  let finding: Finding = ok('It starts.');
  const run = async () => {
    runs++;
    return finding;
  };
  const { health, states } = createWatch([{ name: 'browser', run, regularly: 'nothing' }]);
  for (let minute = 0; minute < 3; minute++) await health.look();
  expect(runs).toBe(1);

  finding = failed('It does not start.');
  health.note('browser', finding);
  expect(states()).toEqual({ browser: 'failed' });
  for (let minute = 0; minute < 3; minute++) await health.look();
  expect(runs).toBe(4);
  finding = warning('It starts without its sandbox.');
  await health.look();
  await health.look();
  expect(runs).toBe(5);
  expect(states()).toEqual({ browser: 'warning' });
});

test('a cheap check reports a fault, and only the full check ends it', async () => {
  let fault: Finding | undefined;
  let runs = 0;
  const run = async () => {
    runs++;
    return fault ?? ok('It starts.');
  };
  const { health, lines, states } = createWatch([{ name: 'browser', run, regularly: async () => fault }]);
  await health.look();
  await health.look();
  expect(runs).toBe(1);
  fault = failed('The program is gone.');
  await health.look();
  expect(states()).toEqual({ browser: 'failed' });
  expect(runs).toBe(1);
  fault = undefined;
  await health.look();
  expect(runs).toBe(2);
  expect(states()).toEqual({ browser: 'ok' });
  expect(lines).toHaveLength(2);
});

test('a failure in use counts at once, and a success only after a failure', async () => {
  const { health, lines, states } = createWatch([
    { name: 'mail', run: async () => ok('It takes mail.'), regularly: 'nothing' },
    { name: 'fonts', run: async () => warning('No font has emoji.') },
    { name: 'model', run: async () => skipped('None is set.') },
  ]);
  await health.look();
  for (let sent = 0; sent < 3; sent++) health.note('mail', failed('ECONNREFUSED'));
  health.note('mail', 'works');
  health.note('mail', 'works');
  health.note('fonts', 'works');
  expect(states()).toEqual({ mail: 'ok', fonts: 'warning', model: 'skipped' });
  expect(lines.filter((line) => line.includes('"mail"'))).toEqual([
    expect.stringContaining('warn '),
    'info mail: works again {"check":"mail"}',
  ]);
});

test('a check that throws or never ends does not block the others', async () => {
  const { health, lines, states } = createWatch([
    {
      name: 'throws',
      run: async () => {
        throw new Error('Out of order');
      },
    },
    { name: 'hangs', run: () => new Promise(() => {}), timeoutMs: 1 },
    { name: 'works', run: async () => ok('') },
  ]);
  await health.look();
  expect(states()).toEqual({ throws: 'failed', hangs: 'failed', works: 'ok' });
  expect(lines.join()).toMatch(/Out of order/);
});

test('a stop does not wait for checks, and later findings are ignored', async () => {
  const { health, lines } = createWatch([{ name: 'hangs', run: () => new Promise(() => {}) }]);
  await health.stop();
  health.note('hangs', failed('late'));
  expect(health.checks()).toEqual([]);
  expect(lines).toEqual([]);
});
