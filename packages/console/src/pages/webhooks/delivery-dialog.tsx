import type { Delivery } from '@redpen/client';
import { Send } from 'lucide-react';
import { useAddress } from '../../data/use-address.ts';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ModalDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { AttemptView, StatusBadge } from './attempt-view.tsx';
import { useReplay } from './use-webhooks.ts';
import { webhookAddressOf } from './webhook-address.ts';
import styles from './webhooks.module.css';

/** One delivery: its attempts and its message. */
export function DeliveryDialog({
  delivery,
  endpointName,
  onClose,
}: {
  delivery: Delivery;
  endpointName: string;
  onClose: () => void;
}) {
  const { webhookId, endpointId } = delivery;
  const [, change] = useAddress(webhookAddressOf);
  const mayEdit = useMay('editor');
  const replay = useReplay();
  const again = () =>
    replay.mutate({ endpointId, webhookId }, { onSuccess: () => announce('The message is sent again.') });
  return (
    <ModalDialog title={delivery.eventType} kind="side" isOpen onClose={onClose}>
      <Facts delivery={delivery} endpointName={endpointName} />
      <div className={styles.row}>
        {mayEdit && (
          <Button isPending={replay.isPending} onPress={again}>
            <Send /> Send again
          </Button>
        )}
        <Button variant="quiet" onPress={() => change({ message: webhookId, endpoint: undefined })}>
          Deliveries to all endpoints
        </Button>
        <ShowAsCode
          calls={[
            {
              title: 'Send this message again',
              path: '/v2/workspace/advancedwebhook/deliveries/replay',
              name: 'webhookDeliveries.replay',
              data: { endpointId, webhookId },
            },
          ]}
        />
      </div>
      {replay.error && <Failure error={replay.error} />}
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 ? (
        <p className={styles.note}>No attempt was made yet.</p>
      ) : (
        <div className={styles.attempts}>
          {delivery.attempts.toReversed().map((attempt) => (
            <AttemptView key={attempt.at} attempt={attempt} />
          ))}
        </div>
      )}
      <h3>Message</h3>
      <Payload delivery={delivery} />
    </ModalDialog>
  );
}

function Facts({ delivery, endpointName }: { delivery: Delivery; endpointName: string }) {
  return (
    <dl className={styles.facts}>
      <dt>Status</dt>
      <dd>
        <StatusBadge status={delivery.status} />
      </dd>
      <dt>Endpoint</dt>
      <dd>{endpointName}</dd>
      <dt>webhook-id</dt>
      <dd>
        <span className={styles.row}>
          <code>{delivery.webhookId}</code>
          <CopyButton text={delivery.webhookId} name="Copy the webhook-id" />
        </span>
      </dd>
      <dt>Event at</dt>
      <dd>
        <Time at={delivery.createdAt} />
      </dd>
      {delivery.nextAttemptAt !== null && (
        <>
          <dt>Next attempt</dt>
          <dd>
            {delivery.nextAttemptAt > Date.now() ? (
              <Time at={delivery.nextAttemptAt} />
            ) : (
              'In its turn: earlier messages about the subject go first.'
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

/** The message, which the list does not carry. */
function Payload({ delivery: { webhookId, endpointId } }: { delivery: Delivery }) {
  const message = useKeyQuery(['webhooks', 'payload', endpointId, webhookId], async (redpen, signal) => {
    const asked = { endpointId, webhookId, includePayload: true, limit: 1 };
    const { deliveries } = await redpen.webhookDeliveries.list(asked, { signal });
    return deliveries[0]?.payload ?? null;
  });
  return (
    <QueryView query={message}>
      {(payload) => (
        <>
          <p className={styles.note}>Before data protection, encryption and encoding.</p>
          <CodeBlock label="Message" code={JSON.stringify(payload, null, 2)} />
        </>
      )}
    </QueryView>
  );
}
