import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../data/use-address.ts';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Call, ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointsTab } from './endpoints-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { FormatTab } from './format-tab.tsx';
import { SignatureTab } from './signature-tab.tsx';
import { useWebhookConfig } from './use-webhooks.ts';
import { webhookAddressOf } from './webhook-address.ts';

const CALLS: readonly Call[] = [
  {
    title: 'Turn webhooks on',
    path: '/v2/workspace/advancedwebhookconfig/update',
    name: 'webhookConfig.update',
    data: { isEnabled: true },
  },
  {
    title: 'Create an endpoint',
    path: '/v2/workspace/advancedwebhook/endpoints/create',
    name: 'webhookEndpoints.create',
    data: { url: 'https://example.com/webhooks', filterTypes: ['comment_annotation.add'] },
  },
  {
    title: 'Send a test',
    path: '/v2/workspace/advancedwebhook/endpoints/test',
    name: 'webhookEndpoints.test',
    data: { endpointId: 'ep_…', eventType: 'comment.add' },
  },
  {
    title: 'List the deliveries that failed',
    path: '/v2/workspace/advancedwebhook/deliveries/get',
    name: 'webhookDeliveries.list',
    data: { endpointId: 'ep_…', status: 'failed', includePayload: true },
  },
  {
    title: 'Send again what an endpoint missed',
    path: '/v2/workspace/advancedwebhook/deliveries/replay',
    name: 'webhookDeliveries.replay',
    data: { endpointId: 'ep_…', since: 1_767_260_000_000 },
  },
];

/** Endpoints, what was sent to them and how it went, and what receivers need. */
export function WebhooksPage() {
  const config = useWebhookConfig();
  const [{ tab }] = useAddress(webhookAddressOf);
  const [isAdding, setAdding] = useState(false);
  const mayEdit = useMay('editor');
  return (
    <Page
      title="Webhooks"
      lead="Redpen posts events to your backend, signed, and repeats them until they arrive."
      actions={
        <>
          <ShowAsCode calls={CALLS} />
          {config.data?.isEnabled && mayEdit && tab === 'endpoints' && (
            <Button variant="primary" onPress={() => setAdding(true)}>
              <Plus /> Add endpoint
            </Button>
          )}
        </>
      }
    >
      <QueryView query={config}>
        {({ isEnabled }) => (isEnabled ? <Portal onAdd={() => setAdding(true)} /> : <TurnedOff />)}
      </QueryView>
      {isAdding && <EndpointDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Portal({ onAdd }: { onAdd: () => void }) {
  const [address, change] = useAddress(webhookAddressOf);
  const mayEdit = useMay('editor');
  return (
    <TabView
      label="Parts of webhooks"
      selected={address.tab}
      onSelect={(tab) => change({ tab })}
      tabs={[
        {
          id: 'endpoints',
          title: 'Endpoints',
          content: mayEdit ? <EndpointsTab onAdd={onAdd} /> : <ForEditors />,
        },
        { id: 'deliveries', title: 'Deliveries', content: mayEdit ? <DeliveriesTab /> : <ForEditors /> },
        { id: 'events', title: 'Event catalogue', content: <EventsTab /> },
        { id: 'signature', title: 'Signature checker', content: <SignatureTab /> },
        { id: 'format', title: 'Format', content: <FormatTab /> },
      ]}
    />
  );
}

/** Addresses of endpoints and messages may hold secrets. */
const ForEditors = () => (
  <EmptyState icon={Webhook} title="Endpoints are for editors">
    Addresses and messages may hold secrets, so viewers do not see them. The event catalogue and the signature
    checker are open to all.
  </EmptyState>
);

function TurnedOff() {
  const mayEdit = useMay('editor');
  const turnOn = useKeyMutation((redpen) => redpen.webhookConfig.update({ isEnabled: true }), {
    renews: [['webhooks']],
  });
  return (
    <>
      <EmptyState
        icon={Webhook}
        title="Webhooks are off"
        action={
          mayEdit ? (
            <Button variant="primary" isPending={turnOn.isPending} onPress={() => turnOn.mutate(undefined)}>
              Turn webhooks on
            </Button>
          ) : (
            <p>An editor or an owner of the workspace can turn them on.</p>
          )
        }
      >
        While they are off, no messages are recorded. Messages of earlier times are kept, and can be sent
        again.
      </EmptyState>
      {turnOn.error && <Failure error={turnOn.error} />}
    </>
  );
}
