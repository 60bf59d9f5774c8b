import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { version } from '../lib/version.ts';
import { announceReady, printGreeting } from './announce-ready.ts';

const all = ['api', 'realtime', 'worker'];

test('a first start prints the address, the reference and the next step', () => {
  const url = 'http://0.0.0.0:8080';
  expect(printGreeting({ url, publicUrl: undefined, serves: all, hasWorkspace: false })).toBe(`
Redpen ${version} is ready at http://127.0.0.1:8080
  Reference  http://127.0.0.1:8080/docs
  Next step  npm run redpen -- workspace create you@example.com

`);
});

test('a first start on a terminal prints a link that signs in to the console', () => {
  const settings = { url: 'http://0.0.0.0:8080', publicUrl: undefined, serves: all, hasWorkspace: false };
  expect(printGreeting({ ...settings, console: { code: 'rpl_x' } })).toContain(`
  Console    http://127.0.0.1:8080/console#code=rpl_x
             (once, within 24 hours; again: npm run redpen -- console link)
  Reference  http://127.0.0.1:8080/docs
`);
  expect(printGreeting({ ...settings, console: { code: undefined } })).toContain(`
  Console    http://127.0.0.1:8080/console   (sign in: npm run redpen -- console link)
`);
});

test('the public address is printed if it is set, and a process without the API has no reference', () => {
  const url = 'http://127.0.0.1:8080';
  const settings = { url, publicUrl: 'https://redpen.example/api/', hasWorkspace: true };
  expect(printGreeting({ ...settings, serves: all })).toContain('Reference  https://redpen.example/api/docs');
  const onlyRealtime = printGreeting({ ...settings, serves: ['realtime'] });
  expect(onlyRealtime).toContain(
    'ready at https://redpen.example/api\n  Commands   npm run redpen -- --help',
  );
  expect(
    printGreeting({ url: undefined, publicUrl: undefined, serves: ['worker'], hasWorkspace: true }),
  ).toContain('is ready, as worker');
});

test.each([
  ['on', 'redpen console link'],
  ['off', undefined],
])(
  'the log of a service whose console is %s says how to sign in, and contains no code',
  async (REDPEN_CONSOLE, signIn) => {
    const lines: object[] = [];
    const log = { info: (line: object) => lines.push(line), isLevelEnabled: () => true };
    const ready = { database: { kind: 'postgres' }, db: undefined, log, url: 'http://0.0.0.0:8080' };
    await announceReady(readConfig({ REDPEN_CONSOLE }), {
      ...(ready as unknown as Pick<Parameters<typeof announceReady>[1], 'database' | 'db' | 'log' | 'url'>),
      format: 'json',
      isTerminal: true,
    });
    expect(lines).toEqual([expect.objectContaining({ url: 'http://0.0.0.0:8080', signIn })]);
    expect(JSON.stringify(lines)).not.toContain('#code=');
  },
);
