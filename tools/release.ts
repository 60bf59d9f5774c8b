// `node tools/release.ts VERSION` makes a release of a clean checkout: it sets the version, dates the changes in the
// changelog, keeps the contract and a record of what this version stores, commits, and tags. Nothing is pushed.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dateChanges, isLater } from './release-text.ts';

const ROOT = resolve(import.meta.dirname, '..');
const USAGE = 'Usage: node tools/release.ts VERSION [--dry-run]';
const RECORDS = 'test/upgrade/released';

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(ROOT, path), text);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
}

/** Sets the version of a package, and that of the packages of this repository that it depends on. */
function setVersion(manifest: Manifest, version: string): void {
  if (manifest.version !== undefined) manifest.version = version;
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (name.startsWith('@redpen/')) manifest.dependencies![name] = version;
  }
}

function edit<T>(path: string, change: (content: T) => void): void {
  const content = JSON.parse(read(path)) as T;
  change(content);
  write(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Writes the version into every file that has it. */
function setVersions(version: string): void {
  const own = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })];
  for (const path of own) edit<Manifest>(path, (manifest) => setVersion(manifest, version));
  edit<Manifest & { packages: Record<string, Manifest> }>('package-lock.json', (lock) => {
    lock.version = version;
    for (const [path, manifest] of Object.entries(lock.packages)) {
      if (!path.includes('node_modules/')) setVersion(manifest, version);
    }
  });
  const chart = 'deploy/helm/redpen/Chart.yaml';
  write(chart, read(chart).replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
}

/** Sentences about what is in the way of a release. */
function problemsOf(version: string): string[] {
  const current = (JSON.parse(read('package.json')) as Manifest).version!;
  const tags = git('tag', '--list', 'v*').split('\n').filter(Boolean);
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`${version} is no version such as 0.2.0.`];
  if (tags.includes(`v${version}`)) problems.push(`There is a tag v${version} already.`);
  // The first release has the version that the source has had from the beginning.
  if (tags.length > 0 && !isLater(version, current))
    problems.push(`${version} is not later than ${current}.`);
  if (tags.length === 0 && isLater(current, version)) problems.push(`${version} is earlier than ${current}.`);
  if (git('status', '--porcelain') !== '') problems.push('The checkout has changes: commit them first.');
  return problems;
}

function release(version: string, isDryRun: boolean): void {
  const changelog = dateChanges(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  const problems = [...problemsOf(version), ...('problem' in changelog ? [changelog.problem] : [])];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (isDryRun) {
    say(`${version} can be released.`);
    return;
  }
  const node = (...args: string[]) => {
    say(`node ${args.join(' ')}`);
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  };
  try {
    setVersions(version);
    write('CHANGELOG.md', 'text' in changelog ? changelog.text : '');
    node('test/contract/renew-contract.ts');
    node('test/upgrade/record-release.ts', RECORDS);
    git('add', '--all');
    git('commit', '--quiet', '--message', `Release ${version}`);
  } catch (error) {
    git('reset', '--quiet', '--hard', 'HEAD');
    git('clean', '--quiet', '--force', RECORDS);
    throw error;
  }
  git('tag', '--annotate', `v${version}`, '--message', `Redpen ${version}`);
  say(`Redpen ${version} is committed and tagged. Run .ci/run, then: git push --follow-tags`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});
const [version, ...others] = positionals;
if (version === undefined || others.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(1);
}
try {
  release(version.replace(/^v/, ''), values['dry-run']);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
