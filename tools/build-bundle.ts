// Bundles the service and its commands, with the packages that only compute, so that a start reads a few files instead of
// 3,000. A start runs it when the sources have changed, and the image is built with it.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { BUNDLED, type BundleRecord, bundlesOf, hashInputs } from '../src/roles/bundle/find-bundle.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Bundles that stay: processes that run may still load parts of earlier ones. */
const KEPT = 4;
const DRAFT_MS = 3_600_000;

/**
 * Packages of many modules that load no files and keep no state which another package shares. All others stay where they
 * are, and are imported by their paths.
 */
const INLINED = new Set([
  '@opentelemetry/api',
  'ajv',
  'cron-parser',
  'diff',
  'fastify',
  'jose',
  'kysely',
  'pg',
  'pg-boss',
  'pino-pretty',
  'postcss',
  'prom-client',
  'semver',
  'undici',
  'zod',
]);

const MODULES = `${sep}node_modules${sep}`;

/** The folder of the package that a file belongs to, and its name; undefined for files of the project. */
function packageOf(file: string): { name: string; folder: string } | undefined {
  const start = file.lastIndexOf(MODULES);
  if (start === -1) return undefined;
  const from = start + MODULES.length;
  const parts = file.slice(from).split(sep);
  const name = parts.slice(0, parts[0]!.startsWith('@') ? 2 : 1);
  return { name: name.join('/'), folder: join(file.slice(0, from), ...name) };
}

/** Keeps packages that are not to be inlined out of the bundle. */
const outside: Plugin = {
  name: 'outside',
  async resolveId(source, importer, options) {
    if (importer === undefined || source.startsWith('node:')) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!found || found.external) return found;
    const from = packageOf(found.id);
    if (from === undefined || INLINED.has(from.name)) return found;
    // The path, because another version of the package may be nearer to the bundle.
    const id = options.kind === 'require-call' ? found.id : pathToFileURL(found.id).href;
    return { id, external: 'absolute' };
  },
};

/** A module that reads files beside it, or starts threads from them, finds them from the bundle, too. */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    if (id.startsWith('\0') || !code.includes('import.meta')) return null;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

const bundles = bundlesOf(ROOT);
mkdirSync(bundles, { recursive: true });
const draft = join(bundles, `draft-${process.pid}`);
const bundle = await rolldown({
  cwd: ROOT,
  input: BUNDLED.map((program) => join(ROOT, 'src', `${program}.ts`)),
  platform: 'node',
  logLevel: 'silent',
  plugins: [outside, ownPlaces],
});
// With another extension, Node parses each file twice to see if it is a module.
const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
const { output } = await bundle.write({ dir: draft, format: 'esm', ...names });
await bundle.close();
const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
const inputs = new Set([relative(ROOT, import.meta.filename)]);
for (const id of modules) {
  if (id.startsWith('\0')) continue;
  const from = packageOf(id);
  inputs.add(relative(ROOT, from === undefined ? id : join(from.folder, 'package.json')));
}
const sorted = [...inputs].sort();
const record: BundleRecord = { root: ROOT, inputs: sorted, hash: hashInputs(ROOT, sorted) };
try {
  renameSync(draft, join(bundles, record.hash));
} catch {
  // Another process has built the same.
  rmSync(draft, { recursive: true });
}
const written = join(bundles, `current-${process.pid}`);
writeFileSync(written, JSON.stringify(record));
renameSync(written, join(bundles, 'current.json'));

const ages = readdirSync(bundles, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== record.hash)
  .map(({ name }) => ({ folder: join(bundles, name), isDraft: name.startsWith('draft-') }))
  .map((entry) => ({ ...entry, madeAt: statSync(entry.folder).mtimeMs }))
  .sort((one, other) => other.madeAt - one.madeAt);
const old = ages.filter(({ isDraft }) => !isDraft).slice(KEPT - 1);
const broken = ages.filter(({ isDraft, madeAt }) => isDraft && madeAt < Date.now() - DRAFT_MS);
for (const { folder } of [...old, ...broken]) rmSync(folder, { recursive: true, force: true });
