import type { Delivery, WebhookEndpoint } from '@redpen/client';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../data/use-address.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Card, EmptyState, Loading } from '../../ui/page.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { describeDuration, formatNumber, Time } from '../../ui/time.ts';
import { StatusBadge } from './attempt-view.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { useDeliveries, useEndpoints, useEventTypes } from './use-webhooks.ts';
import { type Period, type StatusFilter, type WebhookAddress, webhookAddressOf } from './webhook-address.ts';
import styles from './webhooks.module.css';

const ANY = '*';
const STATUSES: readonly { id: StatusFilter; label: string }[] = [
  { id: 'any', label: 'Any status' },
  { id: 'waiting', label: 'Waiting' },
  { id: 'delivered', label: 'Delivered' },
  { id: 'failed', label: 'Failed' },
  { id: 'held', label: 'Held' },
];
const PERIODS: readonly { id: Period; label: string }[] = [
  { id: 'any', label: 'Any time' },
  { id: 'hour', label: 'The last hour' },
  { id: 'day', label: 'The last day' },
  { id: 'week', label: 'The last week' },
];

/** The deliveries to one endpoint or to all, and how they went. */
export function DeliveriesTab() {
  const [address, change] = useAddress(webhookAddressOf);
  const endpoints = useEndpoints(true);
  const mayEdit = useMay('editor');
  const [isReplaying, setReplaying] = useState(false);
  if (endpoints.error) return <Failure error={endpoints.error} onRetry={() => void endpoints.refetch()} />;
  if (!endpoints.data) return <Loading />;
  const chosen = endpoints.data.find(({ id }) => id === address.endpoint);
  return (
    <>
      <Filters address={address} endpoints={endpoints.data} onChange={change} />
      {address.message && (
        <div className={`${styles.row} ${styles.spread}`}>
          <span>
            Deliveries of the message <code>{address.message}</code>
          </span>
          <Button size="small" onPress={() => change({ message: undefined })}>
            Show all messages
          </Button>
        </div>
      )}
      {chosen && mayEdit && (
        <div className={styles.row}>
          <Button size="small" onPress={() => setReplaying(true)}>
            <Send /> Send again what was missed
          </Button>
        </div>
      )}
      <DeliveryList address={address} endpoints={endpoints.data} />
      {isReplaying && chosen && <ReplayDialog endpoint={chosen} onClose={() => setReplaying(false)} />}
    </>
  );
}

function Filters({
  address,
  endpoints,
  onChange,
}: {
  address: WebhookAddress;
  endpoints: readonly WebhookEndpoint[];
  onChange: (values: Record<string, string | undefined>) => void;
}) {
  const events = useEventTypes();
  const orUndefined = (value: string, none: string) => (value === none ? undefined : value);
  return (
    <div className={styles.filters}>
      <SelectInput
        label="Endpoint"
        choices={[
          { id: ANY, label: 'All endpoints' },
          ...endpoints.map(({ id, url, description }) => ({
            id,
            label: url,
            ...(description && { hint: description }),
          })),
        ]}
        value={address.endpoint ?? ANY}
        onChange={(value) => onChange({ endpoint: orUndefined(value, ANY) })}
      />
      <SelectInput
        label="Status"
        choices={STATUSES}
        value={address.status}
        onChange={(value) => onChange({ status: orUndefined(value, 'any') })}
      />
      <SelectInput
        label="Event"
        choices={[
          { id: ANY, label: 'Any event' },
          ...(events.data ?? []).map(({ eventType }) => ({ id: eventType, label: eventType })),
        ]}
        value={address.event ?? ANY}
        onChange={(value) => onChange({ event: orUndefined(value, ANY) })}
      />
      <SelectInput
        label="Time of the event"
        choices={PERIODS}
        value={address.period}
        onChange={(value) => onChange({ period: orUndefined(value, 'any') })}
      />
    </div>
  );
}

const isFiltered = ({ endpoint, status, event, period, message }: WebhookAddress): boolean =>
  [endpoint, event, message].some((value) => value !== undefined) || status !== 'any' || period !== 'any';

const keyOf = ({ webhookId, endpointId }: Delivery): string => `${endpointId} ${webhookId}`;

function DeliveryList({
  address,
  endpoints,
}: {
  address: WebhookAddress;
  endpoints: readonly WebhookEndpoint[];
}) {
  const list = useDeliveries(
    address,
    endpoints.map(({ id }) => id),
  );
  const [opened, setOpened] = useState<string>();
  if (list.error) return <Failure error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <Loading />;
  const nameOf = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.url ?? id;
  const shown = list.deliveries.find((delivery) => keyOf(delivery) === opened);
  return (
    <>
      {list.deliveries.length === 0 ? (
        <EmptyState icon={Send} title={isFiltered(address) ? 'No such deliveries' : 'No deliveries yet'}>
          {isFiltered(address)
            ? 'No delivery fits these filters. Messages and their outcomes are kept for 90 days.'
            : 'Each message to an endpoint is listed here with the answer, and kept for 90 days.'}
        </EmptyState>
      ) : (
        <Card isFlush>
          <DeliveryTable
            deliveries={list.deliveries}
            nameOf={nameOf}
            onOpen={(delivery) => setOpened(keyOf(delivery))}
          />
        </Card>
      )}
      {list.hasNextPage && (
        <div className={styles.row}>
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      )}
      {shown && (
        <DeliveryDialog
          delivery={shown}
          endpointName={nameOf(shown.endpointId)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function DeliveryTable({
  deliveries,
  nameOf,
  onOpen,
}: {
  deliveries: readonly Delivery[];
  nameOf: (endpointId: string) => string;
  onOpen: (delivery: Delivery) => void;
}) {
  const columns: readonly Column<Delivery>[] = [
    {
      id: 'event',
      header: 'Event',
      kind: 'main',
      cell: (delivery) => (
        <>
          <button type="button" className={styles.plain} onClick={() => onOpen(delivery)}>
            {delivery.eventType}
          </button>
          <span className={styles.note}>{nameOf(delivery.endpointId)}</span>
        </>
      ),
    },
    { id: 'status', header: 'Status', kind: 'tight', cell: ({ status }) => <StatusBadge status={status} /> },
    { id: 'answer', header: 'Last answer', cell: ({ attempts }) => answerOf(attempts.at(-1)) },
    {
      id: 'attempts',
      header: 'Attempts',
      kind: 'end',
      isNamedWhenNarrow: true,
      cell: ({ attempts }) => formatNumber(attempts.length),
    },
    { id: 'time', header: 'Time', kind: 'tight', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return <DataTable label="Deliveries" columns={columns} rows={deliveries} keyOf={keyOf} />;
}

function answerOf(attempt: Delivery['attempts'][number] | undefined): string {
  if (!attempt) return 'None yet';
  const what = attempt.status === null ? (attempt.error ?? 'None') : `HTTP ${attempt.status}`;
  return `${what} (${describeDuration(attempt.latencyMs)})`;
}
