import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InlineConfig } from 'vite';
import { layerOrder } from './layer-order.ts';

const packages = join(import.meta.dirname, '..');
const CLIENT_ENTRIES = ['overlay', 'elements'];

/** The packages of this repository are compiled from their sources. */
const alias = [
  { find: /^@redpen\/client$/, replacement: join(packages, 'client/src/index.ts') },
  { find: /^@redpen\/client\/(.+)$/, replacement: join(packages, 'client/src/$1.ts') },
  { find: /^@redpen\/elements$/, replacement: join(packages, 'elements/src/elements.ts') },
  { find: /^@redpen\/elements\/(.+)$/, replacement: join(packages, 'elements/src/$1.ts') },
];

const always = {
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias },
} satisfies InlineConfig;

/** The console: a page, and hashed files beside it. */
export const consoleBuild = (outDir: string): InlineConfig => ({
  ...always,
  root: join(packages, 'console'),
  base: '/console/',
  plugins: [layerOrder()],
  build: {
    outDir,
    // Style rules stay as they are written, such as `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    emptyOutDir: true,
    // The policy of the page allows files of its own origin only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});

/** Scripts with fixed names for pages of other origins, and hashed files that they load; undefined without sources. */
export function clientBuild(outDir: string): InlineConfig | undefined {
  const entries = CLIENT_ENTRIES.map((name) => [name, join(packages, `elements/src/${name}.ts`)] as const);
  const input = Object.fromEntries(entries.filter(([, file]) => existsSync(file)));
  if (Object.keys(input).length === 0) return undefined;
  return {
    ...always,
    root: join(packages, 'elements'),
    // Relative to the script, whose origin is not that of the page.
    base: './',
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'exports-only',
        output: { entryFileNames: '[name].js', chunkFileNames: 'assets/[name]-[hash].js' },
      },
    },
  };
}
