import { z } from 'zod';
import type { ErrorStatus } from '../../lib/errors.ts';
import { version } from '../../lib/version.ts';
import type { Endpoint } from '../endpoint.ts';
import { httpStatus } from '../envelope.ts';
import type { FileRoute } from '../file-route.ts';
import type { StreamDescription } from '../stream-route.ts';
import { shareResponses } from './failure-components.ts';
import { failureResponse, failureSchema, REASONS } from './failure-responses.ts';
import { describeFile } from './file-paths.ts';
import { collectSchemas, type NamedSchemas, type Schema } from './named-schemas.ts';
import { operationId } from './operation-id.ts';
import { probes, readiness } from './probe-paths.ts';
import { addResponseExamples, recordedAs } from './response-examples.ts';
import { CREDENTIALS, SECURITY, securitySchemes } from './security-schemes.ts';
import { describeStream } from './stream-paths.ts';
import {
  besideResult,
  strictParameter,
  warningFields,
  warningSchema,
  warningsSchema,
  withWarnings,
} from './warnings.ts';
import { describeWebhooks, webhookParameters } from './webhooks.ts';

const INTRODUCTION = `Collaboration and AI review as a self-hosted JSON service. Every operation is a POST of \`{ "data": {…} }\`. The examples work as shown once the resources that they name exist.

To begin, you need an API key and its token: \`REDPEN_API_KEY\` and \`REDPEN_AUTH_TOKEN\`, from the operator of the service or from the output of \`redpen workspace create\`. The page \`/docs\` of the service creates what the examples name, such as the organization \`acme\` with the document \`website\`, by one click.

If you have no API key and the service lets anyone create a workspace, send the example of \`workspace/create\`. It returns the \`id\` and \`authToken\` of the workspace, and the id of an API key in \`apiKeyList\`. \`workspace/authtokens/get\` then returns the token of the API key.

The service generates ids such as \`exec_…\`, \`agent_…\` and \`ep_…\`: those in the examples stand for your own.`;

/** Tags in the order of the reference. */
const TAGS: Record<string, string> = {
  workspace: 'Workspaces, their API keys, tokens and settings.',
  session: 'Sessions of people in the console.',
  account: 'The account of a person in the console.',
  members: 'People who use the console for a workspace, and invitations to it.',
  tokens: 'Personal tokens, with which programs act as a member.',
  oauth:
    'Requests of OAuth clients, such as hosted assistants, which a person allows or refuses in the console.',
  auth: 'Permissions of users, and the tokens that carry them.',
  organizations: 'Organizations with their folders and documents.',
  users: 'Users, identified by ids that the caller assigns.',
  commentannotations: 'Comments on documents, written by people and by agents.',
  crdt: 'The content of documents that several people edit at the same time. Editors connect to `/v2/realtime` over WebSockets (Hocuspocus protocol). The document name is `organizationId/documentId/editorId`, each part URI-encoded, and the token is a user token.',
  events: 'A stream of events as they happen.',
  livestate: 'State that all users on a document share.',
  presence: 'Users who are currently on a document.',
  notifications: 'Notifications to users.',
  activities: 'A log of what happened, for people to read.',
  agents: 'Review agents, their versions, groups and executions.',
  reviews: 'Reviews of pages by several agents, with one verdict and reports in several formats.',
  reports: 'Reports on reviews that are shared by a link.',
  memory: 'Past decisions of reviewers, and recommendations based on them.',
  rewriter: 'Rewriting of texts by a language model.',
  blobs: 'Stored files, such as screenshots.',
  service: 'Health, readiness and metrics of the service.',
  v1: 'Operations under their earlier paths, for existing clients. Each has a successor under `/v2`.',
};

export const TOO_LARGE = 'The request body is too large.';
export const TOO_SLOW = 'The request took too long to arrive: ten seconds, and one more for each 64 kB.';

const TAG_ORDER = Object.keys(TAGS);
const byTag = (one: string, other: string): number => TAG_ORDER.indexOf(one) - TAG_ORDER.indexOf(other);

/** All routes of the API. */
export interface Routes {
  endpoints: readonly Endpoint[];
  files: readonly FileRoute[];
  streams: readonly StreamDescription[];
}

/** The OpenAPI 3.1 document of every operation, generated from the schemas that check their requests and responses. */
export function buildOpenApi({ endpoints, files, streams }: Routes, publicUrl = '/'): Schema {
  const schemas = collectSchemas();
  schemas.define('Failure', failureSchema);
  schemas.define('Readiness', readiness);
  schemas.define('Warning', warningSchema);
  schemas.define('Warnings', warningsSchema);
  const paths: Record<string, Schema> = {};
  const every = endpoints.flatMap((endpoint) =>
    ([endpoint.path].flat() as string[]).map((path) => ({ endpoint, path })),
  );
  const known = new Set(every.map(({ path }) => path));
  const contents = new Map<Endpoint, Contents>();
  for (const { endpoint, path } of every) {
    if (!contents.has(endpoint)) contents.set(endpoint, contentsOf(endpoint, schemas));
    const successor = path.replace(/^\/v1\//, '/v2/');
    const isEarlier = successor !== path && known.has(successor);
    paths[path] = {
      post: operation(endpoint, path, contents.get(endpoint)!, isEarlier ? successor : undefined),
    };
  }
  for (const file of files) {
    const after = file.by === 'apiKey' ? (file.after ?? '') : '';
    const described = { operationId: operationId(`${file.path}${after}`), tags: [file.path.split('/')[2]!] };
    paths[`${file.path}/{id}${after}`] = describeFile(file, described, failureResponse);
  }
  for (const stream of streams) {
    const described = { operationId: operationId(stream.path), tags: [stream.path.split('/')[2]!] };
    paths[stream.path] = describeStream(stream, described, schemas);
  }
  // A copy, since failures within are replaced by references.
  Object.assign(paths, structuredClone(probes));
  addResponseExamples(paths, new Map(every.map(({ endpoint, path }) => [path, recordedAs(endpoint.path)])));

  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((one) => (one as { tags: string[] }).tags),
    ),
  );
  const responses = shareResponses(paths);
  const finished = schemas.finish(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Redpen API',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'The service that returned this document.' }],
    tags: [...used].toSorted(byTag).map((name) => ({ name, description: TAGS[name] ?? name })),
    paths: finished.paths,
    webhooks: describeWebhooks(finished.schemas),
    components: {
      securitySchemes,
      schemas: finished.schemas,
      responses,
      parameters: { ...parameters, ...webhookParameters },
      headers,
    },
  };
}

const parameters = {
  IdempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description: 'A repeated request with the same key and body returns the first response, for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description: 'Returned in the response and written to the log.',
    schema: { type: 'string', maxLength: 128 },
  },
  Strict: strictParameter,
  Assistant: {
    name: 'x-redpen-assistant',
    in: 'header',
    description:
      'Name of the AI assistant through which the caller acts, percent-encoded as UTF-8 if needed. Its comments and decisions are marked with this name and are not counted as those of a person.',
    schema: { type: 'string', minLength: 1, maxLength: 900 },
  },
};

const headers = {
  RequestId: { description: 'Id of the request.', schema: { type: 'string' } },
  RateLimit: {
    description:
      'Remaining quotas and seconds until they reset, such as `"key";r=2999;t=1` (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Quotas and their windows in seconds, such as `"key";q=3000;w=1`.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer' },
  },
};

function describe({ description, path }: Endpoint, successor: string | undefined): { description?: string } {
  const isSame = successor !== undefined && path.includes(successor);
  const pointer =
    successor && (isSame ? `The same as \`${successor}\`.` : `Earlier form of \`${successor}\`.`);
  const text = [pointer, description].filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

/** The first example of the schema: `data` of a request that succeeds once the resources it names exist. */
export function exampleOf({ data }: Endpoint): unknown {
  // Examples of a schema with a transform are lost in its JSON Schema.
  const examples = data.meta()?.examples as unknown[] | undefined;
  const hasNoFields = data instanceof z.ZodObject && Object.keys(data.shape).length === 0;
  return examples?.[0] ?? (hasNoFields ? {} : undefined);
}

function operation(
  endpoint: Endpoint,
  path: string,
  { request, success }: Contents,
  successor: string | undefined,
): Schema {
  const id = operationId(path);
  const example = exampleOf(endpoint);
  return {
    operationId: id,
    summary: endpoint.summary,
    ...describe(endpoint, successor),
    tags: [successor ? 'v1' : path.split('/')[2]!],
    ...(successor && { deprecated: true }),
    'x-redpen-credentials': CREDENTIALS[endpoint.auth],
    security: SECURITY[endpoint.auth],
    parameters: [
      ...(endpoint.kind === 'read' || endpoint.changesNothing
        ? []
        : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
      ...(endpoint.kind === 'read' || endpoint.changesNothing || endpoint.auth === 'public'
        ? []
        : [{ $ref: '#/components/parameters/Assistant' }]),
      { $ref: '#/components/parameters/Strict' },
      { $ref: '#/components/parameters/RequestId' },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            ...(!endpoint.dataOptional && { required: ['data'] }),
            properties: { data: request },
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
        content: { 'application/json': { schema: success } },
      },
      ...failures(endpoint),
    },
  };
}

/** The schemas of an endpoint, which all of its paths share: `data` of the request, and the body of a success. */
interface Contents {
  request: Schema;
  success: Schema;
}

function contentsOf(endpoint: Endpoint, schemas: NamedSchemas): Contents {
  const paths = [endpoint.path].flat() as string[];
  const id = operationId(paths.find((path) => path.startsWith('/v2/')) ?? paths[0]!);
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const { examples: _, ...request } = schemas.convert(endpoint.data, 'input', `${name}Request`);
  const isNamed = '$ref' in request;
  return {
    request: isNamed ? request : schemas.define(`${name}Request`, request),
    success: envelope(endpoint, `${name}Result`, schemas),
  };
}

function envelope(endpoint: Endpoint, name: string, schemas: NamedSchemas): Schema {
  const data = endpoint.shapes ? {} : schemas.convert(endpoint.result, 'output', `${name}Data`);
  const of = (result: Schema) => ({ type: 'object', required: ['result'], properties: { result } });
  const defined = (schema: Schema) => ('$ref' in schema ? schema : schemas.define(name, schema));
  if (endpoint.envelope === 'raw') return defined(withWarnings(data, schemas));
  if (endpoint.envelope === 'bare') {
    const bare = of(defined(withWarnings(data, schemas)));
    return { ...bare, properties: { ...bare.properties, ...besideResult(data, schemas) } };
  }
  if (endpoint.shapes) return of(shapedResult(endpoint, name, schemas));
  const hasData = endpoint.envelope !== 'status' && !(endpoint.result instanceof z.ZodUndefined);
  const beside = endpoint.beside && schemas.convert(endpoint.beside, 'output', `${name}Beside`);
  const fields = { ...(hasData && { data }), ...(beside?.properties as Schema | undefined) };
  return of(schemas.define(name, fullResult(endpoint, fields)));
}

/** The `result` of a full envelope, with these fields beside status and message. */
function fullResult({ message, page }: Endpoint, fields: Schema): Schema {
  return {
    type: 'object',
    required: ['status', 'message', ...Object.keys(fields)],
    properties: {
      status: { type: 'string', const: 'success' },
      message: { type: 'string', ...(typeof message === 'string' && { const: message }) },
      ...fields,
      ...(page && { [page]: CURSOR }),
      ...warningFields,
    },
  };
}

/** One schema for each form of the result, told apart by `shape`. */
function shapedResult(endpoint: Endpoint, name: string, schemas: NamedSchemas): Schema {
  const forms = Object.entries(endpoint.shapes!).map(([shape, { when, data }]) => {
    const form = `${name.replace(/Result$/, '')}${shape.charAt(0).toUpperCase()}${shape.slice(1)}Result`;
    const fields = {
      shape: { type: 'string', const: shape },
      data: schemas.convert(data, 'output', `${form}Data`),
    };
    return [shape, schemas.define(form, { description: when, ...fullResult(endpoint, fields) })] as const;
  });
  const mapping = Object.fromEntries(forms.map(([shape, { $ref }]) => [shape, $ref]));
  return schemas.define(name, {
    oneOf: forms.map(([, reference]) => reference),
    discriminator: { propertyName: 'shape', mapping },
  });
}

const CURSOR: Schema = {
  type: ['string', 'null'],
  description: 'Cursor: send it as `pageToken` to get the next page. Absent or null on the last page.',
};

/** Responses by HTTP status; several error statuses share one. */
function failures(endpoint: Endpoint): Schema {
  const reasons: Partial<Record<ErrorStatus, string>> = {
    INVALID_ARGUMENT: REASONS.INVALID_ARGUMENT,
    ...(endpoint.auth !== 'public' && { UNAUTHENTICATED: REASONS.UNAUTHENTICATED }),
    ...(endpoint.auth === 'apiKeyOrUser' && { PERMISSION_DENIED: REASONS.PERMISSION_DENIED }),
    ...(endpoint.auth === 'member' && {
      PERMISSION_DENIED: 'The person is no member of the workspace of the API key.',
    }),
    ...(endpoint.kind !== 'read' && !endpoint.changesNothing && { ABORTED: REASONS.ABORTED }),
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
