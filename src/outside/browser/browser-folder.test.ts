import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeBrowserFolder } from './browser-folder.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browser-folder-test-'));
  vi.stubEnv('TMPDIR', folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('leftovers of a dead browser are removed, and folders of live or starting browsers and of others are kept', async () => {
  const dead = spawn('true');
  await once(dead, 'exit');
  const browser = (name: string, pid: number, profile: string) => {
    mkdirSync(join(folder, `redpen-browser-${name}`));
    writeFileSync(join(folder, `redpen-browser-${name}`, 'runner'), `${pid}\n${join(folder, profile)}`);
    mkdirSync(join(folder, profile), { recursive: true });
  };
  browser('dead', dead.pid!, 'playwright_chromiumdev_profile-dead');
  browser('live', process.pid, 'playwright_chromiumdev_profile-live');
  browser('foreign', dead.pid!, 'precious');
  browser('traversing', dead.pid!, 'precious/../precious');
  mkdirSync(join(folder, 'redpen-browser-starting'));
  mkdirSync(join(folder, 'redpen-browser-never'));
  utimesSync(join(folder, 'redpen-browser-never'), 0, 0);

  const created = await makeBrowserFolder();
  expect(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .sort(),
  ).toEqual(
    [
      created,
      join(folder, 'redpen-browser-live'),
      join(folder, 'redpen-browser-starting'),
      join(folder, 'playwright_chromiumdev_profile-live'),
      join(folder, 'precious'),
    ].sort(),
  );
});
