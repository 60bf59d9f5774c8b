import { randomId } from '../../src/lib/ids.ts';
import type { Service } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
export type Any = any;

/** An API key of a service, whose process may change between calls. */
export interface Tenant {
  apiKeyId: string;
  headers: Record<string, string>;
  /** The variables with which commands and examples use the key. */
  variables: { REDPEN_API_KEY: string; REDPEN_AUTH_TOKEN: string };
  workspaceId: string;
  /** The auth token of the workspace, with which its owner signs in to the console. */
  authToken: string;
  /** Calls an operation and returns `result.data`; throws if the call fails. */
  must(path: string, data?: object): Promise<Any>;
}

/** Creates a workspace with an API key. */
export async function ownTenant(service: () => Service, { name }: { name?: string } = {}): Promise<Tenant> {
  const call = async (path: string, data: object, headers?: Record<string, string>): Promise<Any> => {
    const { status, body } = await service().post(path, data, headers);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return (body as Any).result.data;
  };
  const ownerEmail = `owner.${randomId(8)}@example.com`;
  const created = await call('/v2/workspace/create', { ownerEmail, ...(name !== undefined && { name }) });
  const { id: workspaceId, authToken, apiKeyList } = created;
  const apiKeyId = Object.keys(apiKeyList)[0]!;
  const { authTokens } = await call(
    '/v2/workspace/authtokens/get',
    { apiKey: apiKeyId },
    { 'x-service-workspace-id': workspaceId, 'x-service-workspace-auth-token': authToken },
  );
  const { token } = authTokens[0];
  const headers = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': token };
  const variables = { REDPEN_API_KEY: apiKeyId, REDPEN_AUTH_TOKEN: token };
  const must = (path: string, data: object = {}) => call(path, data, headers);
  return { apiKeyId, headers, variables, workspaceId, authToken, must };
}
