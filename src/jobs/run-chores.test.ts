import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { testLog as log } from '../../test/run/log-watch.ts';
import { until } from '../../test/run/until.ts';
import { testApp } from '../../test/service/harness.ts';
import { PRUNING } from '../roles/jobs/maintenance-prune.ts';
import { choreFailures } from './job-metrics.ts';
import { repeatChore, runChores } from './run-chores.ts';

test('a chore that fails is logged and counted, and later chores run all the same', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const done: string[] = [];
  const chore = (name: string, fails: boolean) => ({
    name,
    async run() {
      if (fails) throw new Error(`${name} broke`);
      done.push(name);
    },
  });
  const failed = await runChores([chore('first', true), chore('second', false), chore('third', true)], {
    log,
  });
  expect([failed, done]).toEqual([['first', 'third'], ['second']]);
  expect(lines.map((line) => (JSON.parse(line) as { chore: string }).chore)).toEqual(['first', 'third']);
  const { values } = await choreFailures.get();
  expect(values).toContainEqual(expect.objectContaining({ labels: { chore: 'first' }, value: 1 }));
});

test('all pruning chores run', async () => {
  const { deps } = await testApp();
  expect(await runChores(PRUNING, deps)).toEqual([]);
});

test('runs of a recurring chore never overlap, and delay no other chore', async () => {
  const runs = { slow: 0, quick: 0 };
  const slow = async () => {
    runs.slow += 1;
    await new Promise(() => {});
  };
  const quick = async () => {
    runs.quick += 1;
  };
  const stops = [
    repeatChore({ name: 'slow', run: slow }, { log }, 1),
    repeatChore({ name: 'quick', run: quick }, { log }, 1),
  ];
  onTestFinished(() => {
    for (const stop of stops) stop();
  });
  await until(() => runs.slow > 0 && runs.quick > 20);
  expect(runs.slow).toBe(1);
});
