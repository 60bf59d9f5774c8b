import type { WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { type Tenant as OwnTenant, ownTenant } from './own-tenant.ts';
import type { Service } from './service.ts';

export interface Tenant extends OwnTenant {
  /** Makes an endpoint at a path of a receiver, which checks its signatures from then on; answers its id. */
  endpoint(receiver: WebhookReceiver, path: string, more?: object): Promise<string>;
}

/** A new workspace whose advanced webhooks are on. */
export async function newTenant(service: () => Service): Promise<Tenant> {
  const tenant = await ownTenant(service);
  const { must } = tenant;
  await must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  return {
    ...tenant,
    async endpoint(receiver, path, more = {}) {
      const endpoints = '/v2/workspace/advancedwebhook/endpoints';
      const { id: endpointId } = await must(`${endpoints}/create`, { url: receiver.url(path), ...more });
      const { secret } = await must(`${endpoints}/secret/get`, { endpointId });
      receiver.expectSignature(path, secret);
      return endpointId;
    },
  };
}
