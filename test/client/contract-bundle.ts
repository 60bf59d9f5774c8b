import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** A program of the contract with the built package, as the tools of users bundle it: the code of each module by its name. */
export async function bundleContract(folder: string, file: string): Promise<Map<string, string>> {
  const bundled = await rolldown({ input: { entry: join(folder, file) }, cwd: folder, platform: 'browser' });
  const { output } = await bundled.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await bundled.close();
  return new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part.code]] : [])));
}
