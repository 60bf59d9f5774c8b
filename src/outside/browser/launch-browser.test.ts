import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDriverUrl } from './launch-browser.ts';

test("the driver's address is read once Chromium has written all of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-launch-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'runner'), `1\n${folder}`);
  const file = join(folder, 'DevToolsActivePort');
  const reading = readDriverUrl(folder);
  await new Promise((done) => setTimeout(done, 60));
  writeFileSync(file, '40123\n');
  await new Promise((done) => setTimeout(done, 60));
  writeFileSync(file, '40123\n/devtools/browser/x');
  expect(await reading).toBe('ws://127.0.0.1:40123/devtools/browser/x');
});
