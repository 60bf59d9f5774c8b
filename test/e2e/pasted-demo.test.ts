import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test, vi } from 'vitest';
import { newReader, readPage } from './pasted/reader.ts';

// Longer than a wait in a terminal, whose error says what it waited for.
vi.setConfig({ testTimeout: 1_800_000 });

test('the demo shows findings, stays up on a terminal and ends with Ctrl-C', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'redpen-pasted-'));
  const reader = await newReader(dataDir);
  onTestFinished(() => {
    reader.leave();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await reader.paste(readPage('README.md').filter(({ terminal }) => terminal === 'demo'));
  await reader.terminal('demo')!.interrupt();
});
