import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testApp } from '../../test/harness.ts';
import { choreFailures, DAILY, runChores } from './maintenance.ts';

test('a chore that fails is logged and counted, and stops none of those behind it', async () => {
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

test('every daily chore runs', async () => {
  const { deps } = await testApp();
  expect(await runChores(DAILY, deps)).toEqual([]);
});
