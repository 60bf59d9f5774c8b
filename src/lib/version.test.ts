import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeVersion, findCommit, version } from './version.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

/** Creates a folder with these files. */
const folderWith = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

test.each<[string, Record<string, string>, string | null, string?]>([
  ['a clone on a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${A}\n` }, A],
  [
    'a clone whose branches are packed',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs with: peeled\n${B} refs/heads/main2\n${A} refs/heads/main\n^${B}\n`,
    },
    A,
  ],
  ['a clone at a commit', { '.git/HEAD': `${A}\n` }, A],
  [
    'a worktree',
    {
      'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
      'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/tree\n',
      'main/.git/worktrees/tree/commondir': '../..\n',
      'main/.git/refs/heads/tree': `${A}\n`,
    },
    A,
    'tree',
  ],
  ['an image', { '.commit': `${A}\n` }, A],
  ['an image built without a commit', { '.commit': '\n' }, null],
  ['a new clone without commits', { '.git/HEAD': 'ref: refs/heads/main\n' }, null],
  ['an unpacked archive', { 'package.json': '{}' }, null],
  ['a folder with invalid content', { '.git': 'x', '.commit': 'main' }, null],
])('the commit of %s is found, or reported as null', (_name, files, commit, inside = '.') => {
  expect(findCommit(join(folderWith(files), inside))).toBe(commit);
});

test('the version is that of package.json, and its description includes the commit if it is known', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(version).toBe(JSON.parse(text).version);
  expect(describeVersion({ version: '1.2.3', commit: A })).toBe(`Redpen 1.2.3 (commit ${A})`);
  expect(describeVersion({ version: '1.2.3', commit: null })).toBe('Redpen 1.2.3');
});
