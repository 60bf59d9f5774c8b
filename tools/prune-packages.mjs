// Deletes files of installed packages that no program of this machine reads, almost half of their size: libraries for
// other platforms, headers for C++ add-ons, source maps, reports in other languages, and, without development packages,
// declarations, sources in TypeScript, tests and readmes. Every start runs it, and does nothing unless packages were
// installed since the last time. An old Node may run this file, so it uses only the syntax of Node 16.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const foldersIn = (path) =>
  existsSync(path) ? readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];

const remove = (path) => rmSync(path, { recursive: true, force: true });

/** Removes all folders beside the one to keep; nothing if that one is missing. */
const keepOnly = (parent, kept) => {
  const names = foldersIn(parent).map(({ name }) => name);
  if (!names.includes(kept)) return;
  for (const name of names) if (name !== kept) remove(join(parent, name));
};

/** onnxruntime-node has one folder of libraries per platform and processor. */
const pruneOnnxRuntime = (modules) => {
  const libraries = join(modules, 'onnxruntime-node', 'bin');
  for (const { name } of foldersIn(libraries)) {
    const folder = join(libraries, name);
    if (!existsSync(join(folder, process.platform, process.arch))) continue;
    keepOnly(folder, process.platform);
    keepOnly(join(folder, process.platform), process.arch);
  }
};

const pruneNode = (modules) => {
  for (const { name } of foldersIn(modules)) {
    if (name.startsWith('node-linux-')) remove(join(modules, name, 'include'));
  }
};

/** Deletes a package and those within it, except each `package.json`, which npm and the start program read. */
const emptyPackage = (folder) => {
  for (const entry of readdirSync(folder)) {
    if (entry === 'node_modules') emptyPackages(join(folder, entry));
    else if (entry !== 'package.json') remove(join(folder, entry));
  }
};

const emptyPackages = (modules) => {
  for (const { name } of foldersIn(modules)) {
    if (name.startsWith('@')) emptyPackages(join(modules, name));
    else emptyPackage(join(modules, name));
  }
};

/** Lighthouse loads Sentry to report its errors to its authors, which it does only if it is asked to. */
const pruneErrorReports = (modules) => emptyPackages(join(modules, '@sentry'));

/** Lighthouse imports the texts of its reports in all languages, and is asked for English ones. */
const pruneReportTexts = (modules) => {
  const texts = join(modules, 'lighthouse', 'shared', 'localization', 'locales');
  const others = existsSync(texts) ? readdirSync(texts).filter((name) => name !== 'en-US.json') : [];
  for (const name of others) writeFileSync(join(texts, name), '{}');
  // Neither package reads these files.
  remove(join(modules, '@paulirish', 'trace_engine', 'locales'));
  remove(join(modules, 'third-party-web', 'dist', 'domain-map.csv'));
};

const SOURCE_MAP = /\.(?:[cm]?js|css|ts)\.map$/;
/** Only a compiler and people read them: Node runs no TypeScript in `node_modules`. */
const FOR_DEVELOPMENT = /\.[cm]?ts$|^(?:readme|changelog|changes|history)\.md$/i;
const TESTS = /^(?:tests?|__tests__)$/;

/** Deletes files by their names. It does not follow links, which may lead out of the folder. */
const pruneFiles = (folder, pattern) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) pruneFiles(path, pattern);
    else if (entry.isFile() && pattern.test(entry.name)) unlinkSync(path);
  }
};

/** Deletes the tests of each package, which are folders beside its `package.json`. */
const pruneTests = (folder) => {
  const isPackage = existsSync(join(folder, 'package.json'));
  for (const { name } of foldersIn(folder)) {
    if (isPackage && TESTS.test(name)) remove(join(folder, name));
    else if (!isPackage || name === 'node_modules') pruneTests(join(folder, name));
  }
};

const hasDevPackages = (modules) => {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  return Object.keys(packages).some((path) => packages[path].dev);
};

/** Prunes a `node_modules` unless nothing was installed since the last time. Never throws. */
export const prunePackages = (modules) => {
  try {
    const record = join(modules, '.cache', 'redpen-pruned');
    // npm writes its record at the end of every installation.
    const installedAt = statSync(join(modules, '.package-lock.json')).mtimeMs;
    if (existsSync(record) && statSync(record).mtimeMs >= installedAt) return;
    pruneOnnxRuntime(modules);
    pruneNode(modules);
    pruneErrorReports(modules);
    pruneReportTexts(modules);
    pruneFiles(modules, SOURCE_MAP);
    if (!hasDevPackages(modules)) {
      pruneFiles(modules, FOR_DEVELOPMENT);
      pruneTests(modules);
    }
    mkdirSync(dirname(record), { recursive: true });
    writeFileSync(record, '');
  } catch {
    // Nothing depends on it: the folder may belong to another user, or another start may be pruning it.
  }
};

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  prunePackages(fileURLToPath(new URL('../node_modules', import.meta.url)));
}
