// Loads the bundle of the service and its commands once, so that Node keeps what it compiles of it, when the image is built.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
const bundles = new URL('../node_modules/.cache/redpen-bundle/', import.meta.url);
const { hash } = JSON.parse(readFileSync(new URL('current.json', bundles), 'utf8'));
// The programs begin when they are loaded.
for (const program of ['main.ts', 'cli.ts']) {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL(`../src/${program}`, import.meta.url)), '--version'],
    {
      env: { ...process.env, NODE_COMPILE_CACHE },
    },
  );
}
enableCompileCache(NODE_COMPILE_CACHE);
const parts = readdirSync(new URL(`${hash}/`, bundles)).filter((name) => !name.startsWith('run-'));
for (const part of parts) await import(new URL(`${hash}/${part}`, bundles));
flushCompileCache();
process.exit();
