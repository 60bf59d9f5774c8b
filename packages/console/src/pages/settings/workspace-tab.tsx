import type { Redpen, StorageUsage, Workspace } from '@redpen/client';
import { useState } from 'react';
import { renameWorkspace, resetWorkspaceToken } from '../../data/identity.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../data/use-workspace-query.ts';
import { useKey, useMay, useRenewSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RenameDialog } from '../../ui/rename-dialog.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import { describeBytes, describeShare } from './bytes.ts';

export function WorkspaceTab() {
  const isOwner = useMay('owner');
  const { workspace } = useKey();
  if (!isOwner)
    return (
      <Card title={workspace.name}>
        <Facts
          facts={[
            ['Workspace id', <code key="id">{workspace.workspaceId}</code>],
            ['Your role', workspace.role],
          ]}
        />
        <Note>Owners see the owner, the auth token and the usage of the workspace.</Note>
      </Card>
    );
  return (
    <>
      <FactsCard />
      <UsageCard />
    </>
  );
}

const WORKSPACE = ['workspace'] as const;

function FactsCard() {
  const workspace = useWorkspaceQuery<Workspace>(WORKSPACE, (redpen, signal) =>
    redpen.workspace.get({}, { signal }),
  );
  const [isShown, setShown] = useState(false);
  const [opened, setOpened] = useState<'rename' | 'reset'>();
  const [newToken, setNewToken] = useState<string>();
  const close = () => setOpened(undefined);
  return (
    <QueryView query={workspace}>
      {({ id, name, owner, authToken }) => (
        <Card
          title={name}
          lead="Its auth token opens everything of all its API keys."
          actions={<Button onPress={() => setOpened('rename')}>Rename</Button>}
        >
          <Facts
            facts={[
              ['Workspace id', <code key="id">{id}</code>],
              ['Owner', `${owner.name} (${owner.email})`],
            ]}
          />
          {isShown && <CodeBlock label="Auth token of the workspace" isLabelShown code={authToken} />}
          <Row>
            {!isShown && <Button onPress={() => setShown(true)}>Show the auth token</Button>}
            <Button variant="danger" onPress={() => setOpened('reset')}>
              Replace the auth token
            </Button>
          </Row>
          {opened === 'rename' && <RenameWorkspaceDialog name={name} onClose={close} />}
          {opened === 'reset' && <ResetDialog onClose={close} onReset={setNewToken} />}
          {newToken !== undefined && (
            <SecretOnce
              title="The new auth token"
              label="Auth token of the workspace"
              secret={newToken}
              onClose={() => setNewToken(undefined)}
            >
              Give it to the programs that use the workspace. The previous one has stopped working.
            </SecretOnce>
          )}
        </Card>
      )}
    </QueryView>
  );
}

function RenameWorkspaceDialog({ name: before, onClose }: { name: string; onClose: () => void }) {
  const renewSession = useRenewSession();
  const rename = useWorkspaceMutation((redpen, name: string) => renameWorkspace(redpen, name), {
    renews: [WORKSPACE],
  });
  return (
    <RenameDialog
      what="workspace"
      name={before}
      onClose={onClose}
      onRename={async (name) => {
        await rename.mutateAsync(name);
        await renewSession();
        announce('The workspace is renamed.');
      }}
    />
  );
}

function ResetDialog({ onClose, onReset }: { onClose: () => void; onReset: (token: string) => void }) {
  const reset = useWorkspaceMutation(resetWorkspaceToken, { renews: [WORKSPACE] });
  return (
    <FormDialog
      title="Replace the auth token?"
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Replace the token"
      onClose={onClose}
      onSubmit={async () => onReset((await reset.mutateAsync(undefined)).newAuthToken)}
    >
      <p>
        The present token stops working at once, and ends the sessions that began with it, except for yours.
        Programs that use it fail until they have the new one.
      </p>
    </FormDialog>
  );
}

const COLUMNS: readonly Column<StorageUsage>[] = [
  { id: 'name', header: 'API key', kind: 'main', cell: ({ apiKeyName }) => apiKeyName },
  {
    id: 'database',
    header: 'Database',
    kind: 'end',
    isNamedWhenNarrow: true,
    cell: ({ databaseBytes, countedAt }) => (countedAt === null ? '–' : describeBytes(databaseBytes)),
  },
  {
    id: 'files',
    header: 'Files',
    kind: 'end',
    isNamedWhenNarrow: true,
    cell: ({ fileBytes, countedAt }) => (countedAt === null ? '–' : describeBytes(fileBytes)),
  },
  {
    id: 'total',
    header: 'Total',
    kind: 'end',
    isNamedWhenNarrow: true,
    cell: ({ storedBytes, countedAt }) => (countedAt === null ? '–' : describeBytes(storedBytes)),
  },
  {
    id: 'quota',
    header: 'Of the limit',
    kind: 'end',
    isNamedWhenNarrow: true,
    cell: ({ storedBytes, maxStoredBytes }) => describeShare(storedBytes, maxStoredBytes),
  },
  {
    id: 'counted',
    header: 'Counted',
    kind: 'tight',
    isNamedWhenNarrow: true,
    cell: ({ countedAt }) => (countedAt === null ? 'Not yet' : <Time at={countedAt} />),
  },
];

/** The usage of the API keys, and of the workspace itself as a further row. */
async function listUsage({ connection }: Redpen, signal: AbortSignal): Promise<StorageUsage[]> {
  const { result } = await connection.send('/v2/workspace/usage/get', { pageSize: 100 }, { signal });
  const { storedBytes, countedAt } = result.workspace;
  const others = { fileBytes: 0, addedBytes: 0, maxStoredBytes: null };
  const own = { id: '', apiKeyName: 'The workspace itself', storedBytes, databaseBytes: storedBytes };
  return [...result.data, { ...own, countedAt, ...others }];
}

function UsageCard() {
  const usage = useWorkspaceQuery<StorageUsage[]>(['usage'], listUsage);
  return (
    <Card title="What is stored" lead="Counted about once an hour." isFlush>
      <QueryView query={usage}>
        {(rows) => <DataTable label="What is stored" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </QueryView>
    </Card>
  );
}
