// Builds the console and the scripts for pages of others, or serves them from their sources while they are edited:
//   node packages/build.ts [FOLDER]
//   node packages/build.ts --watch [ADDRESS OF A SERVICE]
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: 'boolean', default: false }, port: { type: 'string', default: '5173' } },
});
const [first] = positionals;

if (values.watch) {
  const { serveSources } = await import('./build/serve-sources.ts');
  await serveSources(new URL(first ?? 'http://127.0.0.1:8080'), Number(values.port));
} else {
  // React takes its own checks along otherwise.
  process.env.NODE_ENV = 'production';
  const { buildInto } = await import('./build/build-into.ts');
  await buildInto(resolve(first ?? join(import.meta.dirname, 'dist')));
}
