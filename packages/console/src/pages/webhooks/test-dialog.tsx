import type { WebhookEndpoint } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { Button } from '../../ui/button.tsx';
import { ModalDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { AttemptView } from './attempt-view.tsx';
import { DELIVERIES, useEventTypes } from './use-webhooks.ts';
import styles from './webhooks.module.css';

/** Sends the sample of an event to an endpoint once, and shows the answer. */
export function TestDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const events = useEventTypes();
  const [chosen, setChosen] = useState<string>();
  const eventType = chosen ?? endpoint.filterTypes?.[0] ?? 'comment_annotation.add';
  const test = useKeyMutation(
    (redpen, type: string) => redpen.webhookEndpoints.test({ endpointId: endpoint.id, eventType: type }),
    { renews: [DELIVERIES] },
  );
  return (
    <ModalDialog
      title="Send a test"
      isOpen
      onClose={onClose}
      footer={
        <Button variant="primary" isPending={test.isPending} onPress={() => test.mutate(eventType)}>
          Send
        </Button>
      }
    >
      <p>
        The sample of an event is sent once, also to an endpoint that is disabled. Its id begins with{' '}
        <code>evt_test_</code>.
      </p>
      <p className={styles.url}>{endpoint.url}</p>
      <QueryView query={events} loading={<Loading rows={1} />}>
        {(all) => (
          <SelectInput
            label="Event"
            choices={all.map(({ eventType: id, description }) => ({ id, label: id, hint: description }))}
            value={eventType}
            onChange={setChosen}
          />
        )}
      </QueryView>
      {test.data && (
        <div role="status">
          <AttemptView attempt={test.data.attempt} />
        </div>
      )}
      {test.error && <Failure error={test.error} />}
    </ModalDialog>
  );
}
