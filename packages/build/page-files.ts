import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Lines of the router: the path of a page and the module that shows it. */
const PAGE = /\[\s*'(\/[^']*)',\s*\(\) => import\('([^']+)'\)/g;
const EARLY = /early-session-[^/]*\.js$/;

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
 * script that asks for them. Makes the question for the session a script of its own, which runs while the rest loads.
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
      handler(_, { bundle = {} }) {
        const early = Object.keys(bundle).find((name) => EARLY.test(name));
        if (early === undefined) throw new Error('There is no script that asks for the session.');
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/console/${early}` };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry)!;
        const first = filesOf(bundle, entry.fileName);
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
