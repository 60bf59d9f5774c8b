import { type Name, nameOf } from './names.ts';
import { docComment, printTypes, type Schema, type Schemas, type TypePrinter } from './print-schemas.ts';

interface Content {
  content: { 'application/json': { schema: Schema } };
}

interface Post {
  summary: string;
  description?: string;
  requestBody: Content;
  responses: Record<string, Content>;
}

/** The parts of the OpenAPI document that the client is generated from. */
export interface Document {
  paths: Record<string, { post?: Post }>;
  components: { schemas: Schemas };
}

export interface Operation {
  path: string;
  summary: string;
  description: string | undefined;
  /** `data` of the request. */
  data: Schema;
  /** What the client returns: `result.data`, or what an operation returns in its place; undefined if nothing. */
  result: Schema | undefined;
  /** The forms of a result that depends on the request. The last one is the default. */
  forms: Form[];
  list: List | undefined;
}

interface Form {
  /** The type of the fields that select it. */
  request: string;
  result: Schema;
}

interface List {
  /** Where `result.data` has the items: a field, or '' if it is the list itself; `*` if each part counts as one item. */
  key: string;
}

/** The types of the requests that get each form of a result, by its `shape`. The default is last. */
const FORMS: Record<string, Record<string, string>> = {
  '/v2/commentannotations/get': {
    anchorsByDocument: "{ groupByDocumentId: true; fields: 'anchors' }",
    byDocument: "{ groupByDocumentId: true; fields?: 'all' | undefined }",
    anchors: "{ groupByDocumentId?: false | undefined; fields: 'anchors' }",
    list: "{ groupByDocumentId?: false | undefined; fields?: 'all' | undefined }",
  },
  '/v2/users/get': {
    byDocument: '{ groupByDocumentId: true }',
    list: '{ groupByDocumentId?: false | undefined }',
  },
  '/v2/agents/get': { agent: '{ agentId: string }', agents: '{ agentId?: undefined }' },
  '/v2/agents/execution/count': {
    counts: '{ agentIds: string | string[] }',
    total: '{ agentIds?: undefined }',
  },
};

const CURSORS = ['nextPageToken', 'pageToken', 'iterator', 'next'];

/** Lists that are returned as a whole. */
const WHOLE_LISTS = [
  '/v2/workspace/authtokens/get',
  '/v2/workspace/domains/get',
  '/v2/workspace/advancedwebhook/eventtypes/get',
  '/v2/commentannotations/comments/get',
  '/v2/agents/versions/list',
  '/v2/agents/groups/list',
  '/v2/memory/judgments/query',
  '/v2/memory/patterns/get',
  '/v2/memory/alerts/list',
  '/v2/memory/knowledge/list',
  '/v2/memory/knowledge/rules',
];

/** Lists whose results have more than one array; `*` where none of them is the list. */
const KEYS: Record<string, string> = {
  '/v2/agents/execution/get': 'results',
  '/v2/users/data/get': '*',
  '/v2/memory/judgments/backfill': '*',
  '/v2/workspace/audit/export': '*',
  '/v2/workspace/audit/verify': '*',
};

export function readOperations(document: Document, printer: TypePrinter): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) =>
    post && /^\/v\d\//.test(path) ? [readOperation(path, post, printer)] : [],
  );
}

function readOperation(path: string, post: Post, { resolve, ...rest }: TypePrinter): Operation {
  const follow = (schema: Schema): Schema => resolve.call({ resolve, ...rest }, schema);
  const request = follow(post.requestBody.content['application/json'].schema);
  const body = post.responses['200']!.content['application/json'].schema;
  const envelope = follow(body).properties?.result;
  const envelopes = envelope ? alternativesOf(follow(envelope)).map(follow) : [];
  const isBare = envelopes.some(
    (one) => !('const' in (one.properties?.status ?? {}) && one.properties?.message),
  );
  const results = !envelope
    ? [body]
    : isBare
      ? [envelope]
      : envelopes.flatMap((one) => (one.properties?.data ? [one.properties.data] : []));
  const forms = formsOf(path, envelopes);
  const cursors = isBare || !envelope ? [] : envelopes.flatMap((one) => Object.keys(one.properties ?? {}));
  return {
    path,
    summary: post.summary,
    description: post.description,
    data: request.properties!.data!,
    result: results.length > 1 ? { anyOf: results } : results[0],
    forms,
    list: listOf(path, forms.at(-1)?.result ?? results[0], cursors, follow),
  };
}

const laterPath = (path: string) => path.replace(/^\/v1\//, '/v2/');

function formsOf(path: string, envelopes: readonly Schema[]): Form[] {
  const byShape = new Map(
    envelopes.flatMap(({ properties }) =>
      properties?.shape?.const === undefined ? [] : [[String(properties.shape.const), properties.data!]],
    ),
  );
  if (byShape.size === 0) return [];
  const known = Object.entries(FORMS[laterPath(path)] ?? {});
  const names = known.map(([shape]) => shape);
  if (names.length !== byShape.size || names.some((shape) => !byShape.has(shape)))
    throw new Error(
      `${path} has the shapes ${[...byShape.keys()].join(', ')}; say in FORMS which requests get them.`,
    );
  return known.map(([shape, request]) => ({ request, result: byShape.get(shape)! }));
}

const alternativesOf = (schema: Schema): Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];

function listOf(
  path: string,
  result: Schema | undefined,
  cursors: string[],
  follow: (schema: Schema) => Schema,
): List | undefined {
  if (!result) return undefined;
  const followed = follow(result);
  const fields = Object.entries(followed.properties ?? {});
  const isPaged = [...cursors, ...fields.map(([name]) => name)].some((name) => CURSORS.includes(name));
  if (!isPaged && !WHOLE_LISTS.includes(laterPath(path))) return undefined;
  const arrays = fields.filter(([name, schema]) => name !== 'warnings' && follow(schema).type === 'array');
  const key =
    KEYS[laterPath(path)] ??
    (followed.type === 'array' ? '' : arrays.length === 1 ? arrays[0]![0] : undefined);
  if (key === undefined) throw new Error(`${path} returns several arrays; say in KEYS which is the list.`);
  return { key };
}

export const HEAD = '// Generated from the OpenAPI document: `npm run docs` writes this file.\n\n';

/** `operations.ts`: the types of all operations, and the named schemas in them. */
export function printOperations(document: Document): string {
  const printer = printTypes(document.components.schemas);
  const operations = readOperations(document, printer);
  const later = operations.filter(({ path }) => path.startsWith('/v2/'));
  const entries = new Map(later.map((operation) => [operation.path, printEntry(operation, printer)]));
  const earlier = operations
    .filter(({ path }) => path.startsWith('/v1/'))
    .map((operation) => {
      const successor = laterPath(operation.path);
      const entry = printEntry(operation, printer);
      const same = entry.replaceAll(`EarlierOperations['${operation.path}']`, `Operations['${successor}']`);
      return [
        operation.path,
        entries.get(successor) === same ? `Operations['${successor}']` : entry,
      ] as const;
    });
  const print = (name: string, comment: string, fields: (readonly [string, string])[]) =>
    `/** ${comment} */\nexport interface ${name} {\n${fields.map(([path, entry]) => `  '${path}': ${entry};\n`).join('')}}\n`;
  const printed = [
    print(
      'Operations',
      'The operations, by path: `data` is what they take, `result` what the client returns.',
      [...entries],
    ),
    print('EarlierOperations', 'Operations under their earlier paths.', earlier),
  ];
  return `${HEAD}${[...printed, ...printer.declarations()].join('\n')}`;
}

function printEntry(operation: Operation, { type }: TypePrinter): string {
  const { path, data, result, forms } = operation;
  const inner = '    ';
  const own = `${path.startsWith('/v2/') ? 'Operations' : 'EarlierOperations'}['${path}']`;
  const lines = [`data: ${type(data, inner)};`];
  if (forms.length > 0) {
    const printed = forms.map((form) => `[${form.request}, ${type(form.result, inner)}]`);
    lines.push(`result: ${own}['forms'][number][1];`, `forms: [${printed.join(', ')}];`);
  } else {
    lines.push(`result: ${result ? type(result, inner) : 'undefined'};`);
  }
  if (operation.list) lines.push(`item: ${printItem(operation, own, operation.list)};`);
  return `{\n${lines.map((line) => `${inner}${line}\n`).join('')}  }`;
}

/** Names the type of the items within the result. Lists may contain null in place of an unknown item. */
function printItem({ forms }: Operation, own: string, { key }: List): string {
  const result = forms.length > 0 ? `${own}['forms'][${forms.length - 1}][1]` : `${own}['result']`;
  if (key === '*') return result;
  return key === '' ? `NonNullable<${result}[number]>` : `NonNullable<${result}['${key}']>[number]`;
}

type Named = Operation & Name;

/**
 * Operations without names, which `raw` calls: those that take the cookie of the console and nothing else, the rare ones that
 * rename a workspace or replace its token, and the pictures for assistants, because every page loads the table of names.
 */
export const UNNAMED =
  /^\/v2\/((session|account|tokens|oauth|workspace\/token|workspace\/audit)\/|(workspace\/update|agents\/findings\/picture)$)/;

/** `names.ts`: the table of names that the client serves, and its type. */
export function printNames(document: Document): string {
  const printer = printTypes(document.components.schemas);
  const named: Named[] = readOperations(document, printer)
    .filter(({ path }) => path.startsWith('/v2/') && !UNNAMED.test(path))
    .map((operation) => ({ ...operation, ...nameOf(operation.path, operation.list !== undefined) }));
  const groups = Map.groupBy(named, ({ group }) => group);
  const types = [...groups].map(
    ([group, members]) =>
      `  ${group}: {\n${members.map((one) => `${commentOf(one)}    ${one.method}: '${one.path}';\n`).join('')}  };\n`,
  );
  const rows = [...Map.groupBy(named, ({ group, prefix }) => `${group} ${prefix}`)].map(
    ([head, members]) => `${head.replace(/^(\w+) \1$/, '$1 ')} ${members.map(printMember).join(' ')}`,
  );
  return `${HEAD}/** The path of each method of each group. */
export interface Names {
${types.join('')}}

/**
 * A line for each folder of operations: the group, the folder unless it has the same name, and \`method=path[items]\`, where
 * \`method=\` is left out if the path begins with it. Brackets follow a list and name the field with its items.
 */
export const NAMES = \`${rows.join('\n')}\`;
`;
}

const commentOf = ({ summary, description }: Operation): string =>
  docComment([summary, description].filter(Boolean).join('\n\n'), '    ');

const printMember = ({ method, rest, list }: Named): string =>
  `${rest.startsWith(`${method}/`) || method === rest ? rest : `${method}=${rest}`}${list ? `[${list.key}]` : ''}`;
