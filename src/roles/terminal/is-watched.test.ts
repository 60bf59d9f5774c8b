import { expect, test } from 'vitest';
import { isWatched } from './is-watched.ts';

const terminal = { pid: 4711, env: {}, stdout: { isTTY: true } };
const none = () => false;

test('a terminal outside of a container is watched, and nothing else is', () => {
  expect(isWatched(terminal, none)).toBe(true);
  expect(isWatched({ ...terminal, stdout: {} }, none)).toBe(false);
});

test.each([
  ['as the first process', { pid: 1 }, none],
  ['in Docker', {}, (path: string) => path === '/.dockerenv'],
  ['in Podman', {}, (path: string) => path === '/run/.containerenv'],
  ['in systemd-nspawn', { env: { container: 'systemd-nspawn' } }, none],
  ['in Kubernetes', { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }, none],
])('a terminal %s is not watched, since its output is kept', (_, where, exists) => {
  expect(isWatched({ ...terminal, ...where }, exists)).toBe(false);
});
