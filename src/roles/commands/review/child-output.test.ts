import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endOf } from './child-output.ts';

test('the last lines of a process are shown without escape codes', async () => {
  const log = JSON.stringify({ level: 'warn', msg: 'a page says \x1b[2J\x9b31m', url: 'http://a.example/' });
  const child = spawn(process.execPath, ['-e', `console.log(${JSON.stringify(log)}); process.exit(2)`]);
  expect((await endOf(child)).failure).toBe(
    'it ended with code 2\nwarn: a page says  {"url":"http://a.example/"}',
  );
});
