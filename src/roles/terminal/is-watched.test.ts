import { expect, test } from 'vitest';
import { isWatched } from './is-watched.ts';

const alone = { pid: 4711, environment: {}, exists: () => false };

test('a terminal outside of a container is watched, and nothing else is', () => {
  expect(isWatched({ isTTY: true }, alone)).toBe(true);
  expect(isWatched({}, alone)).toBe(false);
});

test.each([
  ['as the first process', { pid: 1 }],
  ['in Docker', { exists: (path: string) => path === '/.dockerenv' }],
  ['in Podman', { exists: (path: string) => path === '/run/.containerenv' }],
  ['in systemd-nspawn', { environment: { container: 'systemd-nspawn' } }],
  ['in Kubernetes', { environment: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }],
])('a terminal %s is not watched, since its output is kept', (_, where) => {
  expect(isWatched({ isTTY: true }, { ...alone, ...where })).toBe(false);
});
