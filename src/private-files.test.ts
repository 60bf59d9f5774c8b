import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const here = import.meta.dirname;

test.each(['main.ts', 'cli.ts'])('%s restricts the mode of its files before any other import', (file) => {
  const [first] = readFileSync(join(here, file), 'utf8').split('\n');
  expect(first).toBe("import './private-files.ts';");
});

test('files that a process writes are readable only by its user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-umask-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = `await import(${JSON.stringify(join(here, 'private-files.ts'))});
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync('made');
    writeFileSync('made/file', '');`;
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777;
  expect([modeOf('made'), modeOf('made/file')]).toEqual([0o700, 0o600]);
});
