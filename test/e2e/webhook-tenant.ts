import { randomId } from '../../src/lib/ids.ts';
import type { WebhookReceiver } from '../fakes/webhook-receiver.ts';
import type { Service } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

/** An API key of a service, which may be another process each time it is asked. */
export interface Tenant {
  apiKeyId: string;
  headers: Record<string, string>;
  /** Calls an operation; throws what went wrong, or answers `result.data`. */
  must(path: string, data?: object): Promise<Any>;
  /** Makes an endpoint at a path of a receiver, which checks its signatures from then on; answers its id. */
  endpoint(receiver: WebhookReceiver, path: string, more?: object): Promise<string>;
}

/** A new workspace whose advanced webhooks are on. */
export async function newTenant(service: () => Service): Promise<Tenant> {
  const call = async (path: string, data: object, headers?: Record<string, string>): Promise<Any> => {
    const { status, body } = await service().post(path, data, headers);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return (body as Any).result.data;
  };
  const ownerEmail = `hooks.${randomId(8)}@example.com`;
  const { id, authToken, apiKeyList } = await call('/v2/workspace/create', { ownerEmail });
  const apiKeyId = Object.keys(apiKeyList)[0]!;
  const { authTokens } = await call(
    '/v2/workspace/authtokens/get',
    { apiKey: apiKeyId },
    { 'x-service-workspace-id': id, 'x-service-workspace-auth-token': authToken },
  );
  const headers = { 'x-service-api-key': apiKeyId, 'x-service-auth-token': authTokens[0].token };
  const must = (path: string, data: object = {}) => call(path, data, headers);
  await must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  return {
    apiKeyId,
    headers,
    must,
    async endpoint(receiver, path, more = {}) {
      const endpoints = '/v2/workspace/advancedwebhook/endpoints';
      const { id: endpointId } = await must(`${endpoints}/create`, { url: receiver.url(path), ...more });
      const { secret } = await must(`${endpoints}/secret/get`, { endpointId });
      receiver.expectSignature(path, secret);
      return endpointId;
    },
  };
}
