import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { warnOfOpenSignup } from './init-workspace.ts';

test.each([
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '::' }, true],
  [{ HOST: '10.1.2.3' }, true],
  [{ REDPEN_PUBLIC_URL: 'https://redpen.example.com' }, true],
  [{}, false],
  [{ HOST: 'localhost' }, false],
  [{ HOST: '::1', REDPEN_PUBLIC_URL: 'http://[::1]:8080' }, false],
  [{ HOST: '127.0.0.2' }, false],
  [{ HOST: '0.0.0.0', REDPEN_SIGNUP: 'first' }, false],
  [{ HOST: '0.0.0.0', REDPEN_SIGNUP: 'closed' }, false],
  [{ HOST: '0.0.0.0', REDPEN_ROLES: 'worker' }, false],
])('with the settings %j, a warning about open signup is logged: %s', (env, isWarned) => {
  const lines: string[] = [];
  warnOfOpenSignup(readConfig(env), pino({}, { write: (line: string) => void lines.push(line) }));
  expect(lines.some((line) => line.includes('REDPEN_SIGNUP'))).toBe(isWarned);
});
