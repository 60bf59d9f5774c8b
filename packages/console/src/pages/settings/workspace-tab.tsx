import type { StorageUsage, Workspace } from '@redpen/client';
import { useState } from 'react';
import { useWorkspaceQuery } from '../../data/use-workspace-query.ts';
import { useKey, useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
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

function FactsCard() {
  const workspace = useWorkspaceQuery<Workspace>(['workspace'], (redpen, signal) =>
    redpen.workspace.get({}, { signal }),
  );
  const [isShown, setShown] = useState(false);
  return (
    <QueryView query={workspace}>
      {({ id, name, owner, authToken }) => (
        <Card title={name} lead="Its auth token opens everything of all its API keys.">
          <Facts
            facts={[
              ['Workspace id', <code key="id">{id}</code>],
              ['Owner', `${owner.name} (${owner.email})`],
            ]}
          />
          {isShown ? (
            <CodeBlock label="Auth token of the workspace" code={authToken} />
          ) : (
            <Row>
              <Button onPress={() => setShown(true)}>Show the auth token</Button>
            </Row>
          )}
        </Card>
      )}
    </QueryView>
  );
}

const COLUMNS: readonly Column<StorageUsage>[] = [
  { id: 'name', header: 'API key', kind: 'main', cell: ({ apiKeyName }) => apiKeyName },
  {
    id: 'database',
    header: 'Database',
    kind: 'end',
    cell: ({ databaseBytes }) => describeBytes(databaseBytes),
  },
  { id: 'files', header: 'Files', kind: 'end', cell: ({ fileBytes }) => describeBytes(fileBytes) },
  { id: 'total', header: 'Total', kind: 'end', cell: ({ storedBytes }) => describeBytes(storedBytes) },
  {
    id: 'quota',
    header: 'Of the limit',
    kind: 'end',
    cell: ({ storedBytes, maxStoredBytes }) => describeShare(storedBytes, maxStoredBytes),
  },
  {
    id: 'counted',
    header: 'Counted',
    kind: 'tight',
    cell: ({ countedAt }) => (countedAt === null ? 'Not yet' : <Time at={countedAt} />),
  },
];

function UsageCard() {
  const usage = useWorkspaceQuery<StorageUsage[]>(['usage'], (redpen, signal) =>
    redpen.workspace.usage({ pageSize: 100 }, { signal }),
  );
  return (
    <Card title="What is stored" lead="Counted about once an hour." isFlush>
      <QueryView query={usage}>
        {(rows) => <DataTable label="What is stored" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      </QueryView>
    </Card>
  );
}
