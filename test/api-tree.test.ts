import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { files } from '../src/api/files.ts';
import { endpoints } from '../src/api/index.ts';

const api = resolve(import.meta.dirname, '../src/api');
/** Raw bytes and streams, which have no envelope and so are not endpoints. */
const NO_ENDPOINTS = ['files.ts', 'events.ts'];

const endpointFiles = readdirSync(api, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(api, join(entry.parentPath, entry.name)))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)index\.ts$/.test(file))
  .filter((file) => !NO_ENDPOINTS.includes(file))
  .sort();

const pathsOf = (endpoint: { path: string | readonly string[] }): string[] =>
  [endpoint.path].flat() as string[];

const load = async (file: string): Promise<unknown> =>
  (await import(pathToFileURL(join(api, file)).href)).default;

/** The expected file of a path; a file with a version, such as `get.v1.ts`, serves only the paths of that version. */
const fileOf = (path: string, file: string): string => {
  const [, version, rest] = /^\/(v\d+)\/(.+)$/.exec(path) ?? [];
  return /\.v\d+\.ts$/.test(file) ? `${rest}.${version}.ts` : `${rest}.ts`;
};

test('every endpoint is in the file of its URL, without the version', async () => {
  const misplaced: string[] = [];
  for (const file of endpointFiles) {
    const endpoint = (await load(file)) as { path: string | readonly string[] } | undefined;
    if (!endpoint?.path) misplaced.push(`${file} has no endpoint as its default export`);
    else
      for (const path of pathsOf(endpoint))
        if (fileOf(path, file) !== file) misplaced.push(`${path} is in ${file}`);
  }
  expect(misplaced).toEqual([]);
});

test('every endpoint is in the list, once', async () => {
  const listed = new Map<unknown, number>();
  for (const endpoint of endpoints) listed.set(endpoint, (listed.get(endpoint) ?? 0) + 1);
  const counts = await Promise.all(
    endpointFiles.map(async (file) => [file, listed.get(await load(file)) ?? 0] as const),
  );
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  expect(endpoints).toHaveLength(endpointFiles.length);
});

test('no path is served twice, and each is a version and lower-case words', () => {
  const paths = [...endpoints.flatMap(pathsOf), ...files.map(({ path }) => path)];
  expect(paths).toEqual([...new Set(paths)]);
  expect(paths.filter((path) => !/^\/v[12](\/[a-z0-9_-]+)+$/.test(path))).toEqual([]);
});
