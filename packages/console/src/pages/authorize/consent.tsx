import type { Operations } from '@redpen/client';
import { Monitor } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useKey, useMay, useSession } from '../../session/session.tsx';
import { callSession } from '../../session/session-call.ts';
import { useSettled } from '../../session/use-settled.ts';
import { ASSISTANT_SCOPES, ScopeBoxes } from '../../tokens/scopes.tsx';
import { Button, FileButton } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Facts, FieldGroup, Note, Row } from '../../ui/stack.tsx';
import styles from './authorize.module.css';
import { type AuthorizationRequest, isAddress } from './request.ts';

type Asked = Operations['/v2/oauth/request/get']['result'];

/** Says who asks and where the answer goes, and lets the member choose what the assistant may do. */
export function Consent({
  request,
  asked,
  onAnswer,
  children,
}: {
  request: AuthorizationRequest;
  asked: Asked;
  /** Called with the address that has the answer, when the browser is on its way there. */
  onAnswer: (url: string) => void;
  children: ReactNode;
}) {
  const { client, redirectHost, isLoopback, allowedScopes } = asked;
  const { account } = useSession();
  const { key, workspace } = useKey();
  const mayEdit = useMay('editor');
  const isSettled = useSettled();
  const choices = ASSISTANT_SCOPES.filter(({ id }) => allowedScopes.includes(id));
  const [scopes, setScopes] = useState(() =>
    choices
      .filter(
        ({ id, needsEditor }) => asked.scopes.includes(id) && id !== 'decide' && (mayEdit || !needsEditor),
      )
      .map(({ id }) => id),
  );
  const allow = useKeyMutation((redpen) =>
    callSession(redpen, '/v2/oauth/request/allow', { ...request, scopes }),
  );
  const deny = useKeyMutation((redpen) => callSession(redpen, '/v2/oauth/request/deny', request));
  const isBusy = allow.isPending || deny.isPending;
  const error = allow.error ?? deny.error;
  const send = ({ redirectUrl }: { redirectUrl: string }) => {
    if (!isAddress(redirectUrl)) throw new Error('The service named no address to go back to.');
    onAnswer(redirectUrl);
    location.assign(redirectUrl);
  };
  return (
    <>
      <h1>
        Let <bdi>{client.name}</bdi> act for you?
      </h1>
      <div className={styles.client}>
        <code>{client.host}</code>
        <p>
          A program of this host asks. It calls itself “<bdi>{client.name}</bdi>”, but any program can take
          any name: allow it only if you know the host, and have just connected it yourself.
        </p>
      </div>
      {isLoopback && <Loopback name={client.name} />}
      <Facts
        facts={[
          [
            'Answer goes to',
            <span key="host">
              <code>{redirectHost}</code>
              {isLoopback && ', on your computer'}
            </span>,
          ],
          ['You', account.email ? `${account.name} (${account.email})` : account.name],
          ['Until', '90 days after it was last renewed, or until you revoke it under Assistants'],
          ...(children ? [] : [['Workspace', `${workspace.name}, key ${key.name}`] as const]),
        ]}
      />
      {children}
      <FieldGroup legend="It may">
        <ScopeBoxes scopes={scopes} choices={choices} mayEdit={mayEdit} onChange={setScopes} />
      </FieldGroup>
      <Note>
        It never gets your keys, secrets or sessions, and manages no members and no webhooks. What it does
        counts as an assistant’s.
      </Note>
      {error && <Failure error={error} />}
      <Row>
        <Button
          variant="primary"
          size="large"
          isDisabled={!isSettled || scopes.length === 0 || deny.isPending}
          isPending={allow.isPending}
          onPress={() => !isBusy && allow.mutate(undefined, { onSuccess: send })}
        >
          Allow
        </Button>
        <Button
          size="large"
          isDisabled={allow.isPending}
          isPending={deny.isPending}
          onPress={() => !isBusy && deny.mutate(undefined, { onSuccess: send })}
        >
          Deny
        </Button>
      </Row>
    </>
  );
}

/** Any program of the computer can listen there, whatever it calls itself. */
const Loopback = ({ name }: { name: string }) => (
  <div className={styles.local}>
    <Monitor size={16} aria-hidden />
    <p>
      <b>The answer goes to a program on your computer.</b> Any program there can pretend to be{' '}
      <bdi>{name}</bdi>: go on only if you have just started it.
    </p>
  </div>
);

/** Stays if the place that gets the answer does not take over the window. */
export function AnswerSent({ url, name }: { url: string; name: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        Going back to <bdi>{name}</bdi>
      </h1>
      <p>If nothing happens, the program that waits for the answer may have ended.</p>
      <Row>
        <FileButton size="large" href={url}>
          Try again
        </FileButton>
      </Row>
    </>
  );
}
