import type { WebhookEndpoint } from '@redpen/client';
import { useState } from 'react';
import { FormDialog } from '../../ui/dialog.tsx';
import { RadioInput } from '../../ui/field.tsx';
import { plural } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { useReplay } from './use-webhooks.ts';
import { type Period, startOf } from './webhook-address.ts';
import styles from './webhooks.module.css';

const PERIODS: readonly { id: Period; label: string }[] = [
  { id: 'hour', label: 'The last hour' },
  { id: 'day', label: 'The last day' },
  { id: 'week', label: 'The last week' },
  { id: 'any', label: 'All that is kept (90 days)' },
];

/** Sends again everything that failed or was held since a time. */
export function ReplayDialog({
  endpoint,
  onClose,
}: {
  endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'disabled'>;
  onClose: () => void;
}) {
  const [period, setPeriod] = useState<Period>('day');
  const replay = useReplay();
  const submit = async (): Promise<void> => {
    const since = startOf(period, Date.now()) ?? 0;
    const { replayed } = await replay.mutateAsync({ endpointId: endpoint.id, since });
    announce(
      replayed === 0
        ? 'Nothing was missed in this time.'
        : `${plural(replayed, 'message')} will be sent again.`,
    );
  };
  return (
    <FormDialog
      title="Send again what was missed"
      isOpen
      onClose={onClose}
      submitLabel="Send again"
      canSubmit={!endpoint.disabled}
      onSubmit={submit}
    >
      <p>
        Messages that failed or were held are sent again, each with the <code>webhook-id</code> that it had.
        What is waiting already is left alone.
      </p>
      <p className={styles.url}>{endpoint.url}</p>
      {endpoint.disabled ? (
        <p>The endpoint is disabled. Enable it first.</p>
      ) : (
        <RadioInput label="Since" choices={PERIODS} value={period} onChange={setPeriod} />
      )}
    </FormDialog>
  );
}
