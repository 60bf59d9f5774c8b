import { useKeyMutation } from '../../data/use-key-query.ts';
import { useKey, useMay, useSession } from '../../session/session.tsx';
import { useSettled } from '../../session/use-settled.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import styles from './connect.module.css';
import type { ConnectRequest } from './handshake.ts';

/** Asks the member, makes a token that works on that origin only, and hands it to the window that asked. */
export function Consent({
  origin,
  request,
  opener,
}: {
  origin: string;
  request: ConnectRequest;
  opener: Window;
}) {
  const { account } = useSession();
  const { key, workspace } = useKey();
  const mayComment = useMay('editor');
  const isSettled = useSettled();
  const { organization, document, nonce } = request;
  const allow = useKeyMutation((redpen) =>
    redpen.auth.generateToken({
      userId: account.accountId,
      userProperties: { name: account.name, email: account.email ?? '' },
      permissions: { resources: [{ type: 'organization', id: organization, accessRole: 'editor' }] },
      origin,
    }),
  );
  const connect = () =>
    allow.mutate(undefined, {
      onSuccess({ token }) {
        opener.postMessage({ type: 'redpen-token', token, nonce }, origin);
        window.close();
      },
    });
  return (
    <>
      <h1>
        <code className={styles.origin}>{origin}</code> wants to show comments
      </h1>
      <p>It will read and write comments as you, for 8 hours. Allow this only if you know the page.</p>
      <Facts
        facts={[
          ['You', account.email ? `${account.name} (${account.email})` : account.name],
          ['Workspace', `${workspace.name}, key ${key.name}`],
          ['Shown', document === undefined ? 'Comments' : `Comments on the document ${document}`],
          ['May open', `All documents of the organization ${organization}`],
        ]}
      />
      {allow.error && <Failure error={allow.error} />}
      {!mayComment && <Note>You are a viewer of this workspace, so you cannot comment in its name.</Note>}
      <Row>
        <Button
          variant="primary"
          size="large"
          isDisabled={!mayComment || !isSettled}
          isPending={allow.isPending}
          onPress={connect}
        >
          Allow
        </Button>
        <Button size="large" onPress={() => window.close()}>
          Cancel
        </Button>
      </Row>
      <Note>The page gets a token that works on its own origin only, and none of your secrets.</Note>
    </>
  );
}
