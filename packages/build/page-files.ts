import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Lines of the router: the path of a page and the module that shows it. */
const PAGE = /\[\s*'(\/[^']*)',\s*\(\) => import\('([^']+)'\)/g;
/** The tag of the script that asks for the session, however the bundler writes it. */
const EARLY =
  /<(?:script type="module"|link rel="modulepreload")[^>]* (?:src|href)="([^"]*early-session-[^"]*)">(?:<\/script>)?/;

/** All files that a chunk needs before it runs. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (found.has(name) || chunk?.type !== 'chunk') return found;
  found.add(name);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  return found;
}

/**
 * Lists the files of each page, so that the service can name them in the first answer and the browser need not wait for the
 * script that asks for them. The script that asks for the session waits for none of the others.
 */
export const pageFiles = (): Plugin => {
  let router: string;
  return {
    name: 'redpen:page-files',
    apply: 'build',
    enforce: 'post',
    configResolved({ root }) {
      router = join(root, 'src/router.tsx');
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const written = html.replace(EARLY, '<script type="module" async crossorigin src="$1"></script>');
        if (written === html) throw new Error('There is no script that asks for the session.');
        return written;
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const html = bundle['index.html'];
        if (html?.type !== 'asset') throw new Error('There is no page.');
        const first = new Set<string>();
        for (const [, name] of String(html.source).matchAll(/\/console\/(assets\/[^"]+)/g)) {
          first.add(name!);
          for (const file of filesOf(bundle, name!)) first.add(file);
        }
        const pages = [...readFileSync(router, 'utf8').matchAll(PAGE)].map(([, path, module]) => {
          const id = join(dirname(router), module!);
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id);
          if (!chunk) throw new Error(`The page ${path} has no file.`);
          return [path!, [...filesOf(bundle, chunk.fileName)].filter((name) => !first.has(name))] as const;
        });
        const source = JSON.stringify(Object.fromEntries(pages));
        this.emitFile({ type: 'asset', fileName: 'pages.json', source });
      },
    },
  };
};
