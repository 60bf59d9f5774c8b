import type { WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { type Tenant as OwnTenant, ownTenant } from '../service/own-tenant.ts';
import type { Service } from '../service/service.ts';

export interface Tenant extends OwnTenant {
  /** Creates an endpoint at a path of a receiver, which then checks its signatures; returns its id. */
  endpoint(receiver: WebhookReceiver, path: string, more?: object): Promise<string>;
}

/** Creates a workspace with advanced webhooks. */
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
