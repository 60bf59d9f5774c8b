import { endpoints, routes } from '../../src/api/index.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { buildOpenApi } from '../../src/http/openapi/openapi.ts';
import type { Schema } from './json-schema.ts';

/** A path of an endpoint, with its description in the reference. */
export interface Operation {
  path: string;
  endpoint: Endpoint;
  /** Schema of `data` in the request. */
  request: Schema;
  /** Schema of the whole body of a success. */
  success: Schema;
  /** Description of each HTTP error in the reference, by status. */
  failures: Record<string, string>;
}

interface Described {
  requestBody: { content: { 'application/json': { schema: { properties: { data: Schema } } } } };
  responses: Record<string, Response & { $ref?: string }>;
}

interface Response {
  description: string;
  content: { 'application/json': { schema: Schema } };
}

const document = buildOpenApi(routes) as {
  paths: Record<string, { post: Described }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

/** The schemas to which `$ref` refers. */
export const components = document.components.schemas;

const describe = (endpoint: Endpoint, path: string): Operation => {
  const { requestBody, responses } = document.paths[path]!.post;
  const { '200': success, ...failures } = responses;
  return {
    path,
    endpoint,
    request: requestBody.content['application/json'].schema.properties.data,
    success: success!.content['application/json'].schema,
    failures: Object.fromEntries(
      Object.entries(failures).map(([code, { $ref, description }]) => [
        code,
        $ref ? document.components.responses[$ref.split('/').at(-1)!]!.description : description,
      ]),
    ),
  };
};

const pathsOf = (endpoint: Endpoint): readonly string[] => [endpoint.path].flat() as string[];

/** All paths of the service. */
export const operations: readonly Operation[] = endpoints.flatMap((endpoint) =>
  pathsOf(endpoint).map((path) => describe(endpoint, path)),
);

/** All endpoints by their first path; further paths have the same handler. */
export const distinct: readonly (Operation & { paths: readonly string[] })[] = endpoints.map((endpoint) => ({
  ...operations.find((operation) => operation.endpoint === endpoint)!,
  paths: pathsOf(endpoint),
}));

export const exists = (path: string): boolean => operations.some((operation) => operation.path === path);
