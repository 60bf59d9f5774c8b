import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildEnvironmentOptions, InlineConfig, Plugin } from 'vite';
import { layerOrder } from './layer-order.ts';
import { LICENSES, licenses } from './licenses.ts';
import { pageFiles } from './page-files.ts';

export const repository = resolve(import.meta.dirname, '../..');
const packages = join(repository, 'packages');

/** The scripts for pages of others by their names, with their sources. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map(
  ['overlay', 'elements']
    .map((name) => [name, join(packages, `elements/src/${name}.ts`)] as const)
    .filter(([, source]) => existsSync(source)),
);

/** The packages of this repository are compiled from their sources. */
const alias = [
  { find: /^@redpen\/client$/, replacement: join(packages, 'client/src/index.ts') },
  { find: /^@redpen\/client\/(.+)$/, replacement: join(packages, 'client/src/$1.ts') },
  { find: /^@redpen\/elements$/, replacement: join(packages, 'elements/src/elements.ts') },
  { find: /^@redpen\/elements\/(.+)$/, replacement: join(packages, 'elements/src/$1.ts') },
];

/** Vite would replace modules of Node by empty ones. */
const withoutNode = (): Plugin => ({
  name: 'redpen:without-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.startsWith('node:')) this.error(`${importer} imports ${source}, which browsers do not have.`);
  },
});

/** The service replaces this by a new value in each response. Libraries give it to the styles that they add. */
const NONCE = '<meta property="csp-nonce" nonce="redpen-nonce">';

const withNonce = (): Plugin => ({
  name: 'redpen:nonce',
  transformIndexHtml: (html) => html.replace(/<head>/, `<head>\n    ${NONCE}`),
});

/** Settings of a build and of serving the sources. */
export const sharedSettings = {
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: 'warn',
  resolve: { alias },
  plugins: [withoutNode()],
  root: join(packages, 'console'),
  base: '/console/',
} satisfies InlineConfig;

type Bundler = NonNullable<BuildEnvironmentOptions['rolldownOptions']>;
type OnLog = Bundler['onLog'];
type CodeSplitting = NonNullable<Exclude<Bundler['output'], unknown[] | undefined>['codeSplitting']>;

/** Libraries mark what also runs on servers of React, which does not concern a page. */
const onLog: OnLog = (level, log, handle) => {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
};

const output = {
  emptyOutDir: true,
  // The policy of the page allows files of its own origin only.
  assetsInlineLimit: 0,
  license: LICENSES,
  reportCompressedSize: false,
  // A test limits what a page loads.
  chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
} satisfies BuildEnvironmentOptions;

/**
 * Few files in place of one for each set of pages that share a module: a browser asks for six files at a time, and each
 * costs a way to the service and back.
 */
const codeSplitting: CodeSplitting = {
  groups: [
    // Runs before the rest is there.
    { name: 'early-session', test: /early-session/, priority: 3 },
    { name: 'main', tags: ['$initial'], priority: 2 },
    // What most pages use. Editors and the elements of the overlay stay with the pages that show them.
    {
      name: 'controls',
      test: /react-aria|react-stately|@internationalized|react-query|query-core|lucide-react|console.src.(?!pages)/,
      minShareCount: 4,
      priority: 1,
    },
    { name: 'icons', test: /lucide-react/, minShareCount: 2 },
  ],
};

/** The console: a page, and files with hashes in their names. */
export const consoleSettings = (outDir: string): InlineConfig => ({
  ...sharedSettings,
  plugins: [...sharedSettings.plugins, layerOrder(), withNonce(), pageFiles(), licenses()],
  build: {
    ...output,
    outDir,
    // Style rules stay as they are written, such as `light-dark()`.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: { onLog, output: { codeSplitting } },
  },
});

/** Lit makes its templates with a policy of Trusted Types, and pages allow policies by their names. */
const ownPolicy = (): Plugin => ({
  name: 'redpen:own-policy',
  transform: (code, id) =>
    id.includes('/lit-html/')
      ? code.replaceAll('createPolicy("lit-html"', 'createPolicy("redpen"')
      : undefined,
});

/** What both scripts need at once is one file. */
const sharedByScripts: CodeSplitting = {
  groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }],
};

/** Scripts for pages of other origins with fixed names, and files that they load, with hashes in their names. */
export const scriptSettings = (outDir: string): InlineConfig => ({
  ...sharedSettings,
  plugins: [...sharedSettings.plugins, ownPolicy(), licenses()],
  root: join(packages, 'elements'),
  // Relative to the script, whose origin is not that of the page.
  base: './',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ...output,
    outDir,
    // As a library, so that no code of Vite adds links to the page.
    lib: {
      entry: Object.fromEntries(SCRIPTS),
      formats: ['es'],
      fileName: (_, name) => `${name}.js`,
    },
    rolldownOptions: {
      onLog,
      output: {
        minify: true,
        chunkFileNames: 'assets/[name]-[hash].js',
        codeSplitting: sharedByScripts,
      },
    },
  },
});
