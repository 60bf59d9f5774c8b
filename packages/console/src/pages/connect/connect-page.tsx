import type { ConsoleSession } from '@redpen/client';
import { useEffect, useState } from 'react';
import { KeyProvider, useSession } from '../../session/session.tsx';
import icon from '../../styles/icon.svg';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Loading } from '../../ui/page.tsx';
import { Row } from '../../ui/stack.tsx';
import styles from './connect.module.css';
import { Consent } from './consent.tsx';
import { type ConnectRequest, confirmOrigin, connectRequestOf } from './handshake.ts';

/** Lets an overlay on a page of another origin act as the member. */
export function ConnectPage() {
  useEffect(() => {
    document.title = 'Sign in · Redpen';
  }, []);
  const [request] = useState(() => connectRequestOf(location.search));
  const opener = window.opener as Window | null;
  return (
    <main className={styles.popup}>
      <div className={styles.panel}>
        <p className={styles.brand}>
          <img src={icon} alt="" /> Redpen
        </p>
        {typeof request === 'string' ? (
          <Refusal reason={request} />
        ) : opener === null ? (
          <>
            <h1>Nothing to connect</h1>
            <p>
              A page with comments opens this window, so that you can sign in there. The window does nothing
              on its own.
            </p>
            <Row>
              <LinkButton to="/">Open the console</LinkButton>
            </Row>
          </>
        ) : (
          <Handshake request={request} opener={opener} />
        )}
      </div>
    </main>
  );
}

function Handshake({ request, opener }: { request: ConnectRequest; opener: Window }) {
  const [origin, setOrigin] = useState<string>();
  useEffect(() => {
    const waiting = new AbortController();
    void confirmOrigin(request, opener, waiting.signal).then(setOrigin);
    return () => waiting.abort();
  }, [request, opener]);
  const session = useSession();
  const apiKeyId = keyFor(session, request.key);
  if (origin === undefined) {
    return (
      <>
        <h1>Waiting for the page</h1>
        <p>
          The page that opened this window has to confirm that it is <code>{request.origin}</code>.
        </p>
        <Loading rows={1} label="Waiting for the page" />
      </>
    );
  }
  if (apiKeyId === undefined)
    return <Refusal reason="Your account is no member of the workspace of this page." />;
  return (
    <KeyProvider apiKeyId={apiKeyId}>
      <Consent origin={origin} request={request} opener={opener} />
    </KeyProvider>
  );
}

/** The API key of a request, if the member may use it; by default the first of all. */
function keyFor({ workspaces }: ConsoleSession, asked: string | undefined): string | undefined {
  const keys = workspaces.flatMap(({ apiKeys }) => apiKeys.map(({ apiKeyId }) => apiKeyId));
  return asked === undefined ? keys[0] : keys.find((key) => key === asked);
}

const Refusal = ({ reason }: { reason: string }) => (
  <>
    <h1>This page cannot be connected</h1>
    <p role="alert">{reason}</p>
    <Row>
      <Button onPress={() => window.close()}>Close</Button>
    </Row>
  </>
);
