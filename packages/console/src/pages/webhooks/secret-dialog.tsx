import type { WebhookEndpoint } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ModalDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Time } from '../../ui/time.ts';
import styles from './webhooks.module.css';

const GRACE = [
  { id: '86400', label: 'For a day', hint: 'Both secrets sign meanwhile' },
  { id: '3600', label: 'For an hour', hint: 'Both secrets sign meanwhile' },
  { id: '604800', label: 'For a week', hint: 'Both secrets sign meanwhile' },
  { id: '0', label: 'Not at all', hint: 'For a secret that has leaked' },
] as const;
type Grace = (typeof GRACE)[number]['id'];

/** Shows the secret of an endpoint on demand, and rotates it. */
export function SecretDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const endpointId = endpoint.id;
  const [grace, setGrace] = useState<Grace>('86400');
  const reveal = useKeyMutation((redpen) => redpen.webhookEndpoints.secret({ endpointId }));
  const rotate = useKeyMutation((redpen, seconds: number) =>
    redpen.webhookEndpoints.rotateSecret({ endpointId, gracePeriodSeconds: seconds }),
  );
  const secret = rotate.data?.secret ?? reveal.data?.secret;
  const failure = rotate.error ?? reveal.error;
  return (
    <ModalDialog title="Secret of the endpoint" isOpen onClose={onClose}>
      <p>
        Every message is signed with it, so that your backend knows that the message is from Redpen:{' '}
        <span className={styles.url}>{endpoint.url}</span>
      </p>
      {secret === undefined ? (
        <div className={styles.row}>
          <Button isPending={reveal.isPending} onPress={() => reveal.mutate(undefined)}>
            Show the secret
          </Button>
        </div>
      ) : (
        <CodeBlock label="Secret" code={secret} />
      )}
      {rotate.data && (
        <p role="status">
          This is the new secret.{' '}
          {rotate.data.previousSecretExpiresAt === null ? (
            'The previous one signs no more.'
          ) : (
            <>
              The previous one signs, too. Its time ends{' '}
              <Time at={Date.parse(rotate.data.previousSecretExpiresAt)} />.
            </>
          )}
        </p>
      )}
      {failure && <Failure error={failure} />}
      <SelectInput
        label="After a rotation the previous secret stays valid"
        choices={GRACE}
        value={grace}
        onChange={setGrace}
      />
      <div className={styles.row}>
        <Button variant="danger" isPending={rotate.isPending} onPress={() => rotate.mutate(Number(grace))}>
          Rotate the secret
        </Button>
      </div>
    </ModalDialog>
  );
}
