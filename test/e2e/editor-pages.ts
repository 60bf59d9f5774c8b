import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { atEnd } from '../run/at-end.ts';

const FOLDER = join(import.meta.dirname, 'editors');
const EDITORS = ['tiptap', 'prosemirror', 'codemirror', 'lexical'] as const;

export type EditorName = (typeof EDITORS)[number];

export interface EditorPages {
  /** URL of the page of an editor; what it opens is given after a `#`. */
  url(editor: EditorName): string;
}

/** Serves pages with real editors until the end of the file, bundled as an application would bundle them, on a separate origin. */
export async function startEditorPages(): Promise<EditorPages> {
  const files = await bundle();
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const code = files.get(name);
    if (code !== undefined) response.setHeader('content-type', 'text/javascript').end(code);
    else if (files.has(`${name}.js`)) response.setHeader('content-type', 'text/html').end(pageOf(name));
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  atEnd(() => server.close().closeAllConnections());
  return { url: (editor) => `http://127.0.0.1:${port}/${editor}` };
}

/** Bundled scripts by file name. */
async function bundle(): Promise<Map<string, string>> {
  const { output } = (await build({
    root: FOLDER,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(EDITORS.map((name) => [name, join(FOLDER, `${name}.ts`)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })) as Rolldown.RolldownOutput;
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])));
}

const pageOf = (name: string) => `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>${name}</title>
<style>[contenteditable] { white-space: pre-wrap }</style>
<div id="editor"></div>
<script type="module" src="/${name}.js"></script>
`;
