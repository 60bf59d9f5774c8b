import type { WebhookEndpoint } from '@redpen/client';
import { Ellipsis, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../data/use-address.ts';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { healthOf } from './endpoint-form.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';
import { DELIVERIES, ENDPOINTS, useEndpoints } from './use-webhooks.ts';
import { webhookAddressOf } from './webhook-address.ts';
import styles from './webhooks.module.css';

type Action = 'edit' | 'test' | 'secret' | 'replay' | 'delete';

export function EndpointsTab({ onAdd }: { onAdd: () => void }) {
  const endpoints = useEndpoints(true);
  const mayEdit = useMay('editor');
  const [opened, setOpened] = useState<{ action: Action; endpoint: WebhookEndpoint }>();
  const toggle = useKeyMutation(
    (redpen, { id, disabled }: WebhookEndpoint) =>
      redpen.webhookEndpoints.update({ endpointId: id, disabled: !disabled }),
    { renews: [ENDPOINTS] },
  );
  const close = () => setOpened(undefined);
  return (
    <>
      {toggle.error && <Failure error={toggle.error} />}
      <QueryView query={endpoints}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={Webhook}
              title="No endpoint yet"
              action={
                mayEdit && (
                  <Button variant="primary" onPress={onAdd}>
                    Add endpoint
                  </Button>
                )
              }
            >
              An endpoint is an address of your backend. It gets every event, or those that you choose.
            </EmptyState>
          ) : (
            <Card isFlush>
              <EndpointTable
                endpoints={rows}
                onAct={(action, endpoint) => setOpened({ action, endpoint })}
                onToggle={(endpoint) =>
                  toggle.mutate(endpoint, {
                    onSuccess: () =>
                      announce(endpoint.disabled ? 'The endpoint is enabled.' : 'The endpoint is disabled.'),
                  })
                }
              />
            </Card>
          )
        }
      </QueryView>
      {opened?.action === 'edit' && <EndpointDialog endpoint={opened.endpoint} onClose={close} />}
      {opened?.action === 'test' && <TestDialog endpoint={opened.endpoint} onClose={close} />}
      {opened?.action === 'secret' && <SecretDialog endpoint={opened.endpoint} onClose={close} />}
      {opened?.action === 'replay' && <ReplayDialog endpoint={opened.endpoint} onClose={close} />}
      {opened?.action === 'delete' && <DeleteDialog endpoint={opened.endpoint} onClose={close} />}
    </>
  );
}

function EndpointTable({
  endpoints,
  onAct,
  onToggle,
}: {
  endpoints: readonly WebhookEndpoint[];
  onAct: (action: Action, endpoint: WebhookEndpoint) => void;
  onToggle: (endpoint: WebhookEndpoint) => void;
}) {
  const [, change] = useAddress(webhookAddressOf);
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      id: 'url',
      header: 'Endpoint',
      kind: 'main',
      cell: ({ id, url, description }) => (
        <>
          <button
            type="button"
            className={`${styles.plain} ${styles.url}`}
            onClick={() => change({ tab: 'deliveries', endpoint: id, message: undefined })}
          >
            {url}
          </button>
          {description && <span className={styles.note}>{description}</span>}
        </>
      ),
    },
    { id: 'state', header: 'State', kind: 'tight', cell: (endpoint) => <Health endpoint={endpoint} /> },
    {
      id: 'events',
      header: 'Events',
      isNamedWhenNarrow: true,
      kind: 'tight',
      cell: ({ filterTypes }) => (
        <span title={filterTypes?.join(', ') ?? ''}>
          {filterTypes === null ? 'All by default' : plural(filterTypes.length, 'event')}
        </span>
      ),
    },
    {
      id: 'channels',
      header: 'From',
      isNamedWhenNarrow: true,
      cell: ({ channels }) =>
        channels === null
          ? 'Everywhere'
          : channels.length > 2
            ? plural(channels.length, 'channel')
            : channels.join(', '),
    },
    {
      id: 'rate',
      header: 'Rate',
      isNamedWhenNarrow: true,
      kind: 'tight',
      cell: ({ rateLimit }) => (rateLimit === null ? 'No limit' : `${rateLimit} a second`),
    },
    {
      id: 'more',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (endpoint) => <EndpointMenu endpoint={endpoint} onAct={onAct} onToggle={onToggle} />,
    },
  ];
  return <DataTable label="Endpoints" columns={columns} rows={endpoints} keyOf={({ id }) => id} />;
}

function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { tone, label, hint } = healthOf(endpoint);
  return (
    <span title={hint}>
      <Badge tone={tone}>{label}</Badge>
      {endpoint.failingSince !== null && (
        <span className={styles.note}>
          began <Time at={Date.parse(endpoint.failingSince)} />
        </span>
      )}
    </span>
  );
}

function EndpointMenu({
  endpoint,
  onAct,
  onToggle,
}: {
  endpoint: WebhookEndpoint;
  onAct: (action: Action, endpoint: WebhookEndpoint) => void;
  onToggle: (endpoint: WebhookEndpoint) => void;
}) {
  const [, change] = useAddress(webhookAddressOf);
  const mayEdit = useMay('editor');
  const isOwner = useMay('owner');
  const act = (action: Action) => () => onAct(action, endpoint);
  return (
    <ActionMenu
      label={`Actions for ${endpoint.url}`}
      trigger={
        <IconButton label={`Actions for ${endpoint.url}`} size="small">
          <Ellipsis />
        </IconButton>
      }
      entries={[
        {
          id: 'deliveries',
          label: 'Show deliveries',
          onAction: () => change({ tab: 'deliveries', endpoint: endpoint.id, message: undefined }),
        },
        mayEdit && { id: 'test', label: 'Send a test', onAction: act('test') },
        mayEdit && { id: 'edit', label: 'Edit', onAction: act('edit') },
        {
          id: 'secret',
          label: 'Secret',
          isDisabled: !isOwner,
          ...(!isOwner && { hint: 'For owners of the workspace' }),
          onAction: act('secret'),
        },
        mayEdit && { id: 'replay', label: 'Send again what was missed', onAction: act('replay') },
        mayEdit && {
          id: 'toggle',
          label: endpoint.disabled ? 'Enable' : 'Disable',
          onAction: () => onToggle(endpoint),
        },
        mayEdit && { id: 'delete', label: 'Delete', isDanger: true, onAction: act('delete') },
      ]}
    />
  );
}

function DeleteDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const remove = useKeyMutation((redpen) => redpen.webhookEndpoints.delete({ endpointId: endpoint.id }), {
    renews: [ENDPOINTS, DELIVERIES],
  });
  return (
    <FormDialog
      title="Delete this endpoint?"
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Delete endpoint"
      onClose={onClose}
      onSubmit={() => remove.mutateAsync(undefined)}
    >
      <p>
        <span className={styles.url}>{endpoint.url}</span> gets no more messages. What waits for it is
        dropped, and its secrets are gone.
      </p>
    </FormDialog>
  );
}
