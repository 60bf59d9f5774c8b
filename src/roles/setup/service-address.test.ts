import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../config.ts';
import { lostProcess, noteAddress } from './service-address.ts';

function newConfig(): Config {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-address-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { REDPEN_DATA_DIR: folder } as Config;
}

test('a process that stopped is not lost, nor is one that runs', () => {
  const config = newConfig();
  expect(lostProcess(config)).toBeUndefined();
  const forget = noteAddress(config, 'http://127.0.0.1:8080');
  expect(lostProcess(config)).toBeUndefined();
  forget();
  expect(lostProcess(config)).toBeUndefined();
});

test('a process is lost whose address is still there, also if another process has its id now', () => {
  const config = newConfig();
  const note = { url: 'http://127.0.0.1:8080', pid: process.pid, startedAt: 'another time' };
  writeFileSync(join(config.REDPEN_DATA_DIR, 'address'), JSON.stringify(note));
  expect(lostProcess(config)).toBe(process.pid);
});
