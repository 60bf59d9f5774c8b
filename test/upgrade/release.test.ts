import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { dateChanges, isLater } from '../../tools/release-text.ts';
import { atEnd } from '../run/at-end.ts';
import { isThorough } from '../run/rounds.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const current: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const next = `${Number(current.split('.')[0]) + 1}.1.0`;
/** The changes of the repository itself have no unreleased ones after a release. */
const CHANGES = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n';
let clone: string;

interface Exit {
  code: number;
  output: string;
}

const run = (program: string, args: string[], cwd: string): Promise<Exit> =>
  new Promise((done) => {
    const { PATH, HOME } = process.env;
    const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@acme.dev' };
    const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@acme.dev' };
    const env = { PATH, HOME, GIT_CONFIG_GLOBAL: '/dev/null', ...identity, ...committer };
    const child = execFile(program, args, { cwd, env, maxBuffer: 50_000_000 }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });
const git = async (...args: string[]): Promise<string> => {
  const { code, output } = await run('git', args, clone);
  expect({ args, code, output }).toMatchObject({ code: 0 });
  return output.trim();
};
const release = (...args: string[]): Promise<Exit> =>
  run(process.execPath, ['tools/release.ts', ...args], clone);
const textOf = (path: string): string => readFileSync(join(clone, path), 'utf8');

/** Clones the repository as it is here, with changes that are not committed yet, and with unreleased ones. */
async function makeClone(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-clone-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  clone = join(folder, 'clone');
  expect(await run('git', ['clone', '--quiet', '--no-tags', ROOT, clone], folder)).toMatchObject({ code: 0 });
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], ROOT);
  for (const path of output.split('\0').filter(Boolean)) {
    if (!existsSync(join(ROOT, path))) rmSync(join(clone, path), { force: true });
    else cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  }
  writeFileSync(join(clone, 'CHANGELOG.md'), CHANGES);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  // A link is no folder, which .gitignore leaves out.
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', 'As it is here');
}

test.runIf(isThorough)(
  'a release sets the version everywhere, dates the changes, keeps a record of its data, commits and tags',
  async () => {
    await makeClone();
    await git('tag', `v${current}`);
    expect(await release(current)).toMatchObject({
      code: 1,
      output: `There is a tag v${current} already.\n${current} is not later than ${current}.\n`,
    });
    expect(await release('next')).toMatchObject({ code: 1, output: 'next is no version such as 0.2.0.\n' });
    writeFileSync(join(clone, 'README.md'), `${textOf('README.md')}\nA change.\n`);
    expect(await release(next)).toMatchObject({
      code: 1,
      output: 'The checkout has changes: commit them first.\n',
    });
    await git('checkout', '--', 'README.md');
    expect(await release(next, '--dry-run')).toEqual({
      code: 0,
      output: `${next} can be released.\n`,
    });
    expect(await git('status', '--porcelain')).toBe('');

    const { code, output } = await release(next);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringContaining('committed and tagged'),
    });
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('describe', '--exact-match')).toBe(`v${next}`);
    expect(textOf('CHANGELOG.md').replace(/\d{4}-\d\d-\d\d/, 'DATE')).toBe(
      CHANGES.replace('[Unreleased]\n', `[Unreleased]\n\n## [${next}] - DATE\n`),
    );
    expect(textOf('deploy/helm/redpen/Chart.yaml')).toContain(`\nversion: ${next}\nappVersion: ${next}\n`);
    expect(textOf('packages/console/package.json')).toContain(`"@redpen/client": "${next}"`);
    const lock = JSON.parse(textOf('package-lock.json'));
    expect([lock.version, lock.packages[''].version, lock.packages['packages/client'].version]).toEqual([
      next,
      next,
      next,
    ]);
    // npm accepts the lockfile.
    expect(await run('npm', ['ls', '--package-lock-only', '--depth=0'], clone)).toMatchObject({ code: 0 });
    for (const name of [`${next}.tar.gz`, `${next}.json.gz`]) {
      expect(existsSync(join(clone, dirname('test/upgrade/released/x'), name))).toBe(true);
    }
  },
);

test('the changes of a release keep their place below those to come', () => {
  const before =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-11-27\n\n- Zero.\n';
  expect(dateChanges(before, '0.2.0', '2026-12-01')).toEqual({
    text: '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-11-27\n\n- Zero.\n',
  });
  const without = { problem: 'CHANGELOG.md has no changes under [Unreleased].' };
  expect(dateChanges('## [Unreleased]\n\n## [0.1.0] - 2026-11-27\n\n- Zero.\n', '0.2.0', 'x')).toEqual(
    without,
  );
  expect(dateChanges(before, '0.1.0', 'x')).toEqual({
    problem: 'CHANGELOG.md has a section [0.1.0] already.',
  });
});

test('versions are compared by their numbers', () => {
  expect(isLater('0.10.0', '0.9.9')).toBe(true);
  expect(isLater('1.0.0', '0.9.9')).toBe(true);
  expect(isLater('0.9.9', '0.10.0')).toBe(false);
  expect(isLater('0.1.0', '0.1.0')).toBe(false);
});
