import { randomId } from '../../src/lib/ids.ts';
import type { Service } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
export type Any = any;

/** An API key of a service, whose process may change between calls. */
export interface Tenant {
  apiKeyId: string;
  headers: Record<string, string>;
  /** Calls an operation and returns `result.data`; throws if the call fails. */
  must(path: string, data?: object): Promise<Any>;
}

/** Creates a workspace with an API key. */
export async function ownTenant(service: () => Service): Promise<Tenant> {
  const call = async (path: string, data: object, headers?: Record<string, string>): Promise<Any> => {
    const { status, body } = await service().post(path, data, headers);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return (body as Any).result.data;
  };
  const ownerEmail = `owner.${randomId(8)}@example.com`;
  const { id, authToken, apiKeyList } = await call('/v2/workspace/create', { ownerEmail });
  const apiKeyId = Object.keys(apiKeyList)[0]!;
  const { authTokens } = await call(
    '/v2/workspace/authtokens/get',
    { apiKey: apiKeyId },
    { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken },
  );
  const headers = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': authTokens[0].token };
  return { apiKeyId, headers, must: (path, data = {}) => call(path, data, headers) };
}
