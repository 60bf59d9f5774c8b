import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { routes } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi.ts';

/** Any part of an OpenAPI document. */
export interface Part {
  // biome-ignore lint/suspicious/noExplicitAny: its keywords have values of every type.
  [keyword: string]: any;
}

const RELEASED = join(import.meta.dirname, 'released-contract.json.gz');

/** Keywords that only people read. */
const TEXTS = [
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'info',
  'servers',
  'tags',
  'externalDocs',
];
/** Keywords whose value has names of its own as keys, which may equal a keyword. */
const MAPS = ['properties', 'schemas', 'responses', 'parameters', 'headers', 'paths', 'webhooks'];

/** A copy without texts and examples. */
export function withoutTexts(part: unknown, isMap = false): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutTexts(item));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => isMap || !TEXTS.includes(key))
      .map(([key, value]) => [key, withoutTexts(value, !isMap && MAPS.includes(key))]),
  );
}

/** What the source offers now. */
export const currentContract = (): Part => withoutTexts(buildOpenApi(routes)) as Part;

/** What the last release offered. */
export const releasedContract = (): Part => JSON.parse(gunzipSync(readFileSync(RELEASED)).toString());

export const keepContract = (contract: Part): void =>
  writeFileSync(RELEASED, gzipSync(JSON.stringify(contract), { level: 9 }));
