import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { listSessions, renameAccount, revokeSession, type SessionRow } from '../../data/identity.ts';
import { useRenewSession, useSession, useSessionClient, useSignOut } from '../../session/session.tsx';
import { applyTheme, readTheme, type Theme } from '../../shell/theme.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RadioInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { describeUserAgent } from './user-agent.ts';

export const AccountTab = () => (
  <>
    <NameCard />
    <ThemeCard />
    <SessionsCard />
  </>
);

function NameCard() {
  const { account } = useSession();
  const redpen = useSessionClient();
  const renewSession = useRenewSession();
  const [name, setName] = useState(account.name);
  const rename = useMutation({
    mutationFn: () => renameAccount(redpen, name.trim()),
    async onSuccess() {
      await renewSession();
      announce('Your name is saved.');
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Card title="You" lead={account.email ?? 'Your account has no email address.'}>
      <form onSubmit={submit}>
        <Row isLow>
          <TextInput label="Name" value={name} onChange={setName} autoComplete="name" />
          <Button
            type="submit"
            isPending={rename.isPending}
            isDisabled={name.trim() === '' || name.trim() === account.name}
          >
            Save
          </Button>
        </Row>
      </form>
      {rename.error && <Failure error={rename.error} />}
    </Card>
  );
}

const THEMES: readonly { id: Theme; label: string }[] = [
  { id: 'system', label: 'Same as the system' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];

function ThemeCard() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Card title="Theme">
      <RadioInput
        label="In this browser"
        choices={THEMES}
        value={theme}
        onChange={(chosen) => {
          applyTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Card>
  );
}

const SESSIONS = ['session', 'list'] as const;

function SessionsCard() {
  const redpen = useSessionClient();
  const queries = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  const sessions = useQuery<SessionRow[]>({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => listSessions(redpen, signal),
  });
  const end = useMutation({
    mutationFn: (sessionId: string) => revokeSession(redpen, sessionId),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: SESSIONS });
      announce('The session is ended.');
    },
  });
  return (
    <Card
      title="Sessions"
      lead="Browsers that are signed in to your account. They end after 12 hours without use, and after 30 days."
      isFlush
      actions={
        <Button variant="danger" onPress={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      }
    >
      <QueryView query={sessions}>
        {(rows) => <SessionTable sessions={rows} onEnd={(sessionId) => end.mutate(sessionId)} />}
      </QueryView>
      {end.error && <Failure error={end.error} />}
      {isLeaving && <SignOutDialog sessions={sessions.data ?? []} onClose={() => setLeaving(false)} />}
    </Card>
  );
}

function SessionTable({
  sessions,
  onEnd,
}: {
  sessions: readonly SessionRow[];
  onEnd: (sessionId: string) => void;
}) {
  const columns: readonly Column<SessionRow>[] = [
    {
      id: 'browser',
      header: 'Browser',
      kind: 'main',
      cell: ({ userAgent, isCurrent }) => (
        <Row>
          <span title={userAgent}>{describeUserAgent(userAgent)}</span>
          {isCurrent && <Badge tone="good">This browser</Badge>}
        </Row>
      ),
    },
    { id: 'address', header: 'Address', cell: ({ address }) => <code>{address}</code> },
    {
      id: 'used',
      header: 'Last used',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    },
    {
      id: 'began',
      header: 'Signed in',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'end',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: ({ sessionId, isCurrent, userAgent, address }) =>
        !isCurrent && (
          <Button
            size="small"
            variant="danger"
            aria-label={`End the session of ${describeUserAgent(userAgent)} at ${address}`}
            onPress={() => onEnd(sessionId)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <DataTable label="Sessions" columns={columns} rows={sessions} keyOf={({ sessionId }) => sessionId} />
  );
}

function SignOutDialog({ sessions, onClose }: { sessions: readonly SessionRow[]; onClose: () => void }) {
  const redpen = useSessionClient();
  const signOut = useSignOut();
  const submit = async (): Promise<void> => {
    const others = sessions.filter(({ isCurrent }) => !isCurrent);
    await Promise.all(others.map(({ sessionId }) => revokeSession(redpen, sessionId)));
    await signOut();
  };
  return (
    <FormDialog
      title="Sign out everywhere?"
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Sign out everywhere"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>All browsers, this one too, have to sign in again.</p>
      <Note>Personal tokens stay valid. Revoke them on the page of keys and tokens.</Note>
    </FormDialog>
  );
}
