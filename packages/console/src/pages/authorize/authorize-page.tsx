import { type ConsoleSession, isRedpenError } from '@redpen/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { KeyProvider, useSession, useSessionClient } from '../../session/session.tsx';
import { callSession } from '../../session/session-call.ts';
import icon from '../../styles/icon.svg';
import { FileButton, LinkButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { Loading } from '../../ui/page.tsx';
import { Row } from '../../ui/stack.tsx';
import styles from './authorize.module.css';
import { AnswerSent, Consent } from './consent.tsx';
import { type AuthorizationRequest, authorizationRequestOf, isAddress } from './request.ts';

/** Asks a member whether an assistant may act for them, and sends the browser back with the answer. */
export function AuthorizePage() {
  useEffect(() => {
    document.title = 'Connect an assistant · Redpen';
  }, []);
  const [request] = useState(() => authorizationRequestOf(location.search));
  return (
    <main className={styles.page}>
      <div className={styles.panel}>
        <p className={styles.brand}>
          <img src={icon} alt="" /> Redpen
        </p>
        {typeof request === 'string' ? <Refused reason={request} /> : <Request request={request} />}
      </div>
    </main>
  );
}

/** Asks the service about the request before it asks the member. */
function Request({ request }: { request: AuthorizationRequest }) {
  const redpen = useSessionClient();
  const session = useSession();
  const keys = keysOf(session);
  const [apiKeyId, setApiKeyId] = useState(keys[0]?.id);
  const [answer, setAnswer] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ['authorization', request],
    queryFn: ({ signal }) => callSession(redpen, '/v2/oauth/request/get', request, signal),
    // A change of the document while the person reads must not change what they allow.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (answer !== undefined) return <AnswerSent url={answer} name={data?.client.name ?? ''} />;
  if (error) {
    if (isRedpenError(error) && error.status === 'INVALID_ARGUMENT')
      return <Refused reason={error.message} />;
    return (
      <>
        <h1>The request cannot be read</h1>
        <Failure error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!data) return <Loading rows={4} label="Reading who asks" />;
  if (data.refusal)
    return <Refused reason={data.refusal.message} host={data.redirectHost} url={data.refusal.redirectUrl} />;
  if (apiKeyId === undefined)
    return (
      <Refused reason="Your account is no member of a workspace, so there is nothing that an assistant could see." />
    );
  return (
    <KeyProvider apiKeyId={apiKeyId}>
      {/* What may be ticked belongs to the role in the workspace. */}
      <Consent key={apiKeyId} request={request} asked={data} onAnswer={setAnswer}>
        {keys.length > 1 && (
          <SelectInput label="Workspace and API key" choices={keys} value={apiKeyId} onChange={setApiKeyId} />
        )}
      </Consent>
    </KeyProvider>
  );
}

/** The API keys of the session, with the names of their workspaces. */
const keysOf = ({ workspaces }: ConsoleSession) =>
  workspaces.flatMap((workspace) =>
    workspace.apiKeys.map(({ apiKeyId, name }) => ({ id: apiKeyId, label: `${workspace.name}, ${name}` })),
  );

/** A request that is not asked about. With `url`, the client can be told why. */
const Refused = ({ reason, host, url }: { reason: string; host?: string; url?: string }) => (
  <>
    <h1>This assistant cannot be connected</h1>
    <p role="alert">{reason}</p>
    <p>The fault is in the request of the assistant. Nothing was given to it.</p>
    <Row>
      {url !== undefined && isAddress(url) && (
        <FileButton variant="primary" size="large" href={url}>
          Go back to {host}
        </FileButton>
      )}
      <LinkButton size="large" to="/">
        Open the console
      </LinkButton>
    </Row>
  </>
);
