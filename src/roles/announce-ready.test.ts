import { expect, test } from 'vitest';
import { version } from '../lib/version.ts';
import { printGreeting } from './announce-ready.ts';

const all = ['api', 'realtime', 'worker'];

test('who starts the service for the first time is given its address, its reference and the next step', () => {
  const url = 'http://0.0.0.0:8080';
  expect(printGreeting({ url, publicUrl: undefined, serves: all, hasWorkspace: false })).toBe(`
Redpen ${version} is ready at http://127.0.0.1:8080
  Reference  http://127.0.0.1:8080/docs
  Next step  npm run redpen -- workspace create you@example.com

`);
});

test('the address is the public one, and a process without operations names no reference', () => {
  const url = 'http://127.0.0.1:8080';
  const known = { url, publicUrl: 'https://redpen.example/api/', hasWorkspace: true };
  expect(printGreeting({ ...known, serves: all })).toContain('Reference  https://redpen.example/api/docs');
  const alone = printGreeting({ ...known, serves: ['realtime'] });
  expect(alone).toContain('ready at https://redpen.example/api\n  Commands   npm run redpen -- --help');
  expect(
    printGreeting({ url: undefined, publicUrl: undefined, serves: ['worker'], hasWorkspace: true }),
  ).toContain('is ready, as worker');
});
