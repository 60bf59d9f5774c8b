import { z } from 'zod';
import type { ErrorStatus } from '../../lib/errors.ts';
import { version } from '../../lib/version.ts';
import type { Endpoint } from '../endpoint.ts';
import { httpStatus } from '../envelope.ts';
import type { FileRoute } from '../file-route.ts';
import type { StreamDescription } from '../stream-route.ts';
import { failureResponse, failureSchema, REASONS } from './failure-responses.ts';
import { describeFile } from './file-paths.ts';
import { probes } from './probe-paths.ts';
import { SECURITY, securitySchemes } from './security-schemes.ts';
import { describeStream } from './stream-paths.ts';

type Schema = Record<string, unknown>;

const INTRODUCTION = `Collaboration and AI review as a self-hosted JSON service. Every operation is a POST of \`{ "data": {…} }\`, and the example of each works as it stands once what it names is there.

To begin:

1. Fill in an API key and its token under **Authorize**: \`REDPEN_API_KEY\` and \`REDPEN_AUTH_TOKEN\`, as the operator of the service gave them to you or \`redpen workspace create\` printed them.
2. Make \`acme\` with \`organizations/add\`, \`website\` with \`organizations/documents/add\`, and \`eve\` with \`users/add\`; the other examples are about these.

Without an API key, and if anyone may create a workspace on this service, send the example of \`workspace/create\`. It answers the \`id\` and \`authToken\` of the workspace, and the id of an API key in \`apiKeyList\`. Fill in id and token of the workspace under **Authorize**, and \`workspace/authtokens/get\` answers the token of the API key.

Ids such as \`exec_…\`, \`agent_…\` and \`ep_…\` are made by the service: put the one in that you were answered.`;

/** In the order in which readers meet them. */
const TAGS: Record<string, string> = {
  workspace: 'Workspaces, their API keys, tokens and settings.',
  auth: 'What users may do, and the tokens that say so.',
  organizations: 'Organizations with their folders and documents.',
  users: 'Users, as the caller knows them.',
  commentannotations: 'Comments on documents, by people and by agents.',
  crdt: 'The content of documents that several people edit at once. Their editors connect to `/v2/realtime` over WebSockets (Hocuspocus protocol), with `organizationId/documentId/editorId`, each part URI-encoded, as the name of the document and the token of a user.',
  events: 'Events as they happen.',
  livestate: 'State that all users on a document share.',
  presence: 'Who is on a document now.',
  notifications: 'Notifications to users.',
  activities: 'What happened, for people to read.',
  agents: 'Review agents, their versions, groups and executions.',
  memory: 'Past decisions, and what they suggest.',
  rewriter: 'Texts, rewritten by a language model.',
  blobs: 'Kept files, such as screenshots.',
  service: 'How the service itself is doing.',
  v1: 'Operations under their earlier paths, for clients that use them. Each has one under `/v2`, above.',
};

export const TOO_LARGE = 'The request body is too large.';
export const TOO_SLOW = 'The request took too long to arrive: ten seconds, and one more for each 64 kB.';

const TAG_ORDER = Object.keys(TAGS);
const byTag = (one: string, other: string): number => TAG_ORDER.indexOf(one) - TAG_ORDER.indexOf(other);

/** Everything that the API serves. */
export interface Routes {
  endpoints: readonly Endpoint[];
  files: readonly FileRoute[];
  streams: readonly StreamDescription[];
}

/** The OpenAPI 3.1 document of every operation, made from what the operations themselves check and answer. */
export function buildOpenApi({ endpoints, files, streams }: Routes, publicUrl = '/'): Schema {
  const schemas: Record<string, Schema> = { Failure: failureSchema };
  const paths: Record<string, Schema> = {};
  const every = endpoints.flatMap((endpoint) =>
    ([endpoint.path].flat() as string[]).map((path) => ({ endpoint, path })),
  );
  const known = new Set(every.map(({ path }) => path));
  for (const { endpoint, path } of every) {
    const successor = path.replace(/^\/v1\//, '/v2/');
    const isEarlier = successor !== path && known.has(successor);
    paths[path] = { post: operation(endpoint, path, schemas, isEarlier ? successor : undefined) };
  }
  for (const file of files) {
    const described = { operationId: operationId(file.path), tags: [file.path.split('/')[2]!] };
    paths[`${file.path}/{id}`] = describeFile(file, described, failureResponse);
  }
  for (const stream of streams) {
    const described = { operationId: operationId(stream.path), tags: [stream.path.split('/')[2]!] };
    paths[stream.path] = describeStream(stream, described);
  }
  Object.assign(paths, probes);

  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((one) => (one as { tags: string[] }).tags),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Redpen API',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'The service that answered this document.' }],
    tags: [...used].toSorted(byTag).map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      securitySchemes,
      schemas,
      parameters,
      headers,
    },
  };
}

const parameters = {
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description: 'The same key with the same body answers the first response again, for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description: 'Comes back in the answer and stands in the log.',
    schema: { type: 'string', maxLength: 128 },
  },
};

const headers = {
  RequestId: { description: "The request's id.", schema: { type: 'string' } },
  RateLimit: {
    description:
      'What is left of each quota and until when, such as `"key";r=2999;t=1` (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Each quota and its window in seconds, such as `"key";q=3000;w=1`.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer' },
  },
};

/** `/v2/workspace/apikey/create` is workspaceApikeyCreate; the first version says so at its end. */
function operationId(path: string): string {
  const [version = '', ...words] = path.split('/').slice(1);
  const name = words
    .flatMap((word) => word.split(/[-_]/))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return version === 'v2' ? name : `${name}${version.toUpperCase()}`;
}

function describe({ description, path }: Endpoint, successor: string | undefined): { description?: string } {
  const isSame = successor !== undefined && path.includes(successor);
  const pointer =
    successor && (isSame ? `The same as \`${successor}\`.` : `An earlier form of \`${successor}\`.`);
  const text = [pointer, description].filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

/** `data` of a request that works, given what it names: the first example of the schema. */
export function exampleOf({ data }: Endpoint): unknown {
  // A schema that transforms what it reads loses its examples on the way to JSON Schema.
  const examples = data.meta()?.examples as unknown[] | undefined;
  const hasNoFields = data instanceof z.ZodObject && Object.keys(data.shape).length === 0;
  return examples?.[0] ?? (hasNoFields ? {} : undefined);
}

function operation(
  endpoint: Endpoint,
  path: string,
  schemas: Record<string, Schema>,
  successor: string | undefined,
): Schema {
  const id = operationId(path);
  const data = schemaOf(endpoint.data, 'input', `${id}Request`, schemas);
  const { examples: _, ...dataSchema } = data as { examples?: unknown[] };
  const example = exampleOf(endpoint);
  return {
    operationId: id,
    summary: endpoint.summary,
    ...describe(endpoint, successor),
    tags: [successor ? 'v1' : path.split('/')[2]!],
    security: SECURITY[endpoint.auth],
    parameters: [
      ...(endpoint.kind === 'read' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
      { $ref: '#/components/parameters/RequestId' },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            ...(!endpoint.dataOptional && { required: ['data'] }),
            properties: { data: dataSchema },
          },
          ...(example !== undefined && { example: { data: example } }),
        },
      },
    },
    responses: {
      '200': {
        description: typeof endpoint.message === 'string' ? endpoint.message : 'Success.',
        headers: {
          'x-request-id': { $ref: '#/components/headers/RequestId' },
          ratelimit: { $ref: '#/components/headers/RateLimit' },
          'ratelimit-policy': { $ref: '#/components/headers/RateLimitPolicy' },
        },
        content: { 'application/json': { schema: envelope(endpoint, id, schemas) } },
      },
      ...failures(endpoint),
    },
  };
}

function envelope(endpoint: Endpoint, id: string, schemas: Record<string, Schema>): Schema {
  const data = schemaOf(endpoint.result, 'output', `${id}Result`, schemas);
  const of = (result: Schema) => ({ type: 'object', required: ['result'], properties: { result } });
  if (endpoint.envelope === 'raw') return data;
  if (endpoint.envelope === 'bare') return of(data);
  const hasData = endpoint.envelope !== 'status' && !(endpoint.result instanceof z.ZodUndefined);
  return of({
    type: 'object',
    required: ['status', 'message', ...(hasData ? ['data'] : [])],
    properties: {
      status: { const: 'success' },
      message: typeof endpoint.message === 'string' ? { const: endpoint.message } : { type: 'string' },
      ...(hasData && { data }),
      ...(endpoint.page && {
        [endpoint.page]: {
          type: ['string', 'null'],
          description: 'To be sent as pageToken for the rows that follow; absent or null at the end.',
        },
      }),
    },
  });
}

/** By HTTP number, since several failures share one. */
function failures(endpoint: Endpoint): Schema {
  const reasons: Partial<Record<ErrorStatus, string>> = {
    INVALID_ARGUMENT: REASONS.INVALID_ARGUMENT,
    ...(endpoint.auth !== 'public' && { UNAUTHENTICATED: REASONS.UNAUTHENTICATED }),
    ...(endpoint.auth === 'apiKeyOrUser' && { PERMISSION_DENIED: REASONS.PERMISSION_DENIED }),
    ...(endpoint.kind !== 'read' && { ABORTED: REASONS.ABORTED }),
    RESOURCE_EXHAUSTED: endpoint.rateLimit?.message ?? REASONS.RESOURCE_EXHAUSTED,
    INTERNAL: REASONS.INTERNAL,
    UNAVAILABLE: REASONS.UNAVAILABLE,
    ...endpoint.failures,
  };
  const byCode = new Map<string, string[]>([
    ['408', [`\`INVALID_ARGUMENT\`: ${TOO_SLOW}`]],
    ['413', [`\`INVALID_ARGUMENT\`: ${TOO_LARGE}`]],
  ]);
  for (const [status, reason] of Object.entries(reasons)) {
    const code = String(httpStatus[status as ErrorStatus]);
    byCode.set(code, [...(byCode.get(code) ?? []), `\`${status}\`: ${reason}`]);
  }
  return Object.fromEntries(
    [...byCode].map(([code, lines]) => [code, failureResponse(lines.join('\n\n'), endpoint.auth)]),
  );
}

/** The JSON Schema of a zod one. What refers to itself moves to the components, where OpenAPI looks for it. */
function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  name: string,
  schemas: Record<string, Schema>,
): Schema {
  const { $schema, $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  const text = JSON.stringify({ root, defs: $defs ?? {} });
  const moved = text.replace(
    /"#\/\$defs\/([^"]+)"/g,
    (_, key: string) => `"#/components/schemas/${name}-${key}"`,
  );
  const lifted = JSON.parse(moved.replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)) as {
    root: Schema;
    defs: Record<string, Schema>;
  };
  for (const [key, definition] of Object.entries(lifted.defs)) schemas[`${name}-${key}`] = definition;
  if (!moved.includes('"$ref":"#"')) return lifted.root;
  schemas[name] = lifted.root;
  return { $ref: `#/components/schemas/${name}` };
}
