import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Answers of the service, by path, in a file for each tag. A test records them: see `npm run docs`. */
export const EXAMPLES_FOLDER = join(import.meta.dirname, 'response-examples');

interface Content {
  schema?: unknown;
  example?: unknown;
}
interface Described {
  responses?: Record<string, { content?: Record<string, Content> }>;
}

const readExamples = (): Record<string, unknown> =>
  Object.assign(
    {},
    ...readdirSync(EXAMPLES_FOLDER).map((file) =>
      JSON.parse(readFileSync(join(EXAMPLES_FOLDER, file), 'utf8')),
    ),
  );

/** The path under which the answer of an operation is recorded; paths of one endpoint share it. */
export const recordedAs = (paths: string | readonly string[]): string => {
  const all = [paths].flat();
  return all.find((path) => path.startsWith('/v2/')) ?? all[0]!;
};

/** Adds the recorded answer to the description of each success in JSON. `names` has the recorded path of others. */
export function addResponseExamples(
  paths: Record<string, Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
): void {
  const examples = readExamples();
  for (const [path, item] of Object.entries(paths)) {
    const example = examples[names.get(path) ?? path];
    if (example === undefined) continue;
    for (const [method, described] of Object.entries(item)) {
      const { responses = {} } = described as Described;
      const json = responses['200']?.content?.['application/json'];
      if (!json) continue;
      const shown = { ...responses['200'], content: { 'application/json': { ...json, example } } };
      item[method] = { ...(described as Described), responses: { ...responses, '200': shown } };
    }
  }
}
