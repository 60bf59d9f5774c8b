import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { ModelTool } from '../../src/outside/models/models.ts';

/** Files of the kinds that an assistant may read and change. */
const TEXT = /\.(?:html|css|js|md|txt)$/;
const MOST_CHARACTERS = 30_000;

/** The tools with which an assistant mends the files of a folder, and of no other. */
export function fileTools(folder: string): ModelTool[] {
  /** The whole path of a file of the folder; links lead to no other. */
  async function pathOf(name: unknown): Promise<string> {
    const root = await realpath(folder);
    const path = await realpath(resolve(root, String(name))).catch(() => undefined);
    if (path?.startsWith(root + sep) && TEXT.test(path)) return path;
    throw new Error(`There is no file ${name}. list_files names all.`);
  }

  return [
    tool('list_files', 'Names the files of the source.', {}, () =>
      listFiles(folder).then((names) => names.join('\n')),
    ),
    tool('read_file', 'Reads a file of the source.', { name: 'string' }, async ({ name }) =>
      (await readFile(await pathOf(name), 'utf8')).slice(0, MOST_CHARACTERS),
    ),
    tool(
      'replace_in_file',
      'Replaces a text that occurs exactly once in a file of the source.',
      { name: 'string', oldText: 'string', newText: 'string' },
      async ({ name, oldText, newText }) => {
        const path = await pathOf(name);
        const [before, after, ...more] = (await readFile(path, 'utf8')).split(String(oldText));
        if (before === undefined || after === undefined || more.length > 0)
          throw new Error(
            'oldText must occur exactly once: read the file, and take more of the lines around it.',
          );
        await writeFile(path, `${before}${newText}${after}`);
        return 'Replaced.';
      },
    ),
  ];
}

/** Names of the text files of a folder, relative to it. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => TEXT.test(name)).sort();
}

export async function readFiles(folder: string): Promise<Map<string, string>> {
  const names = await listFiles(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** A tool whose arguments are all required. What it throws is an answer to the model. */
function tool(
  name: string,
  description: string,
  fields: Record<string, 'string'>,
  work: (input: Record<string, unknown>) => Promise<string>,
): ModelTool {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type }])),
      required: Object.keys(fields),
      additionalProperties: false,
    },
    async call(input) {
      try {
        return { text: await work(input as Record<string, unknown>), isError: false };
      } catch (error) {
        return { text: (error as Error).message, isError: true };
      }
    },
  };
}
