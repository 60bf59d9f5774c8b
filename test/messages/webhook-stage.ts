import { emitAll } from '../../src/events/emit.ts';
import { relayBatch } from '../../src/events/outbox-relay.ts';
import { fanOutToWebhooks } from '../../src/webhooks/compose/fan-out.ts';
import { type DelivererDeps, startDeliverer } from '../../src/webhooks/deliver/deliverer.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../fakes/webhook-receiver.ts';
import { logAbout } from '../run/log-watch.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

const ROOT = '/v2/workspace/advancedwebhook';

export interface WebhookStage {
  workspace: TestWorkspace;
  receiver: WebhookReceiver;
  /** Creates an endpoint at a path of the receiver, which checks its signatures; returns its id. */
  endpoint(path: string, more?: object): Promise<string>;
  /** Emits an event for a change of each document, and relays the events. */
  change(...documentIds: string[]): Promise<void>;
  /** Relays events that the test has emitted otherwise. */
  relay(): Promise<void>;
  /** Advances the clock of the deliverer. */
  advance(ms: number): void;
  now(): number;
  /** Rows of the deliveries to an endpoint, in the order of their messages. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read rows of every shape.
  deliveries(endpointId: string): Promise<any[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A tenant with webhooks on, a receiver, and a deliverer whose clock the test sets. */
export async function newWebhookStage({
  random = () => 0.5,
  ...more
}: { random?: () => number } & Partial<DelivererDeps> = {}): Promise<WebhookStage> {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const receiver = await startWebhookReceiver({ anyAge: true });
  await workspace.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  let ahead = 0;
  const now = () => Date.now() + ahead;
  // It also attempts deliveries that earlier test files have left.
  const log = logAbout(({ apiKeyId }) => apiKeyId === undefined || apiKeyId === workspace.apiKeyId);
  const deliverer = startDeliverer({ ...deps, log, ...more }, { now, random, pollEveryMs: 20 });
  const relay = async () => {
    while ((await relayBatch(deps.db, [fanOutToWebhooks])) > 0);
    deliverer.wake();
  };
  return {
    workspace,
    receiver,
    async endpoint(path, more = {}) {
      const { id } = await workspace.must(`${ROOT}/endpoints/create`, { url: receiver.url(path), ...more });
      const { secret } = await workspace.must(`${ROOT}/endpoints/secret/get`, { endpointId: id });
      receiver.expectSignature(path, secret);
      return id;
    },
    async change(...documentIds) {
      const changes = documentIds.map((documentId) => ({
        organizationId: 'acme',
        documentId,
        documentName: documentId,
        disabled: false,
      }));
      await deps.db.transaction().execute((tx) => emitAll(tx, workspace, 'document.update', changes));
      await relay();
    },
    relay,
    advance(ms) {
      ahead += ms;
      deliverer.wake();
    },
    now,
    deliveries: (endpointId) =>
      deps.db
        .selectFrom('webhookDeliveries')
        .selectAll()
        .where('apiKeyId', '=', workspace.apiKeyId)
        .where('endpointId', '=', endpointId)
        .orderBy('seq')
        .execute(),
    async [Symbol.asyncDispose]() {
      await deliverer.stop();
      await receiver[Symbol.asyncDispose]();
      // The deliverers of other tests would attempt the deliveries that are left.
      await deps.db.deleteFrom('webhookEndpoints').where('apiKeyId', '=', workspace.apiKeyId).execute();
    },
  };
}
