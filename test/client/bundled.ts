import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export const packageFolder = resolve(import.meta.dirname, '../../packages/client');

/** The minified chunks that a bundler makes of a module that imports from the client. */
export async function bundle(code: string): Promise<OutputChunk[]> {
  const bundled = await rolldown({
    input: 'entry',
    cwd: packageFolder,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : undefined),
        load: (id) => (id === '\0entry' ? code : undefined),
      },
    ],
  });
  const { output } = await bundled.generate({ minify: true, format: 'es' });
  await bundled.close();
  return output.filter((file) => file.type === 'chunk');
}

const compressed = ({ code }: OutputChunk): number => gzipSync(code, { level: 9 }).length;

/** Bytes of the chunks, each compressed as a server would: of those that are loaded at once, and of all. */
export async function sizesOf(code: string): Promise<{ atOnce: number; all: number }> {
  const chunks = await bundle(code);
  const atOnce = new Set<string>();
  const load = (name: string) => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) load(other);
  };
  for (const chunk of chunks) if (chunk.isEntry) load(chunk.fileName);
  const total = (some: OutputChunk[]) => some.reduce((sum, chunk) => sum + compressed(chunk), 0);
  return { atOnce: total(chunks.filter(({ fileName }) => atOnce.has(fileName))), all: total(chunks) };
}
