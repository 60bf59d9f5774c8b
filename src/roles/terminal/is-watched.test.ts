import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isWatched } from './is-watched.ts';

const PTS_0 = 0x8800;
const PTS_1 = 0x8801;
const CONSOLE_OF_MACHINE = 0x0501;

const terminal = { pid: 4711, stdout: { isTTY: true, fd: 1 } };
const devices = (output: number, console: number | undefined) => (file: number | string) =>
  file === 1 ? output : console;

test.each([
  ['of a machine', devices(PTS_0, CONSOLE_OF_MACHINE)],
  ['of a shell in a container that has one of its own', devices(PTS_1, PTS_0)],
  ['of a shell in a container that has none of its own', devices(PTS_0, undefined)],
])('a terminal %s is watched', (_, device) => {
  expect(isWatched(terminal, device)).toBe(true);
  expect(isWatched({ ...terminal, stdout: { fd: 1 } }, device)).toBe(false);
});

test.each([
  ['of the first process', { pid: 1 }, devices(PTS_0, undefined)],
  ['with which a container is started', {}, devices(PTS_0, PTS_0)],
])('a terminal %s is not watched, since its output is kept', (_, where, device) => {
  expect(isWatched({ ...terminal, ...where }, device)).toBe(false);
});

test('files of the machine are compared by their devices', () => {
  const fd = openSync('/dev/null', 'w');
  expect(isWatched({ pid: 4711, stdout: { isTTY: true, fd } })).toBe(true);
  closeSync(fd);
});
