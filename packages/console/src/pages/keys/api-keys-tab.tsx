import type { ApiKey } from '@redpen/client';
import { Ellipsis, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useWorkspaceQuery } from '../../data/use-workspace-query.ts';
import { useKey, useMay } from '../../session/session.tsx';
import { pathOfKey } from '../../shell/key-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { AuthTokensDialog } from './auth-tokens-dialog.tsx';
import { CreateKeyDialog, RenameKeyDialog } from './key-dialogs.tsx';
import { API_KEYS } from './key-names.ts';

type Opened = { action: 'create' } | { action: 'rename' | 'tokens'; apiKey: ApiKey };

/** The API keys of the workspace, for its owners. */
export function ApiKeysTab() {
  const isOwner = useMay('owner');
  const [opened, setOpened] = useState<Opened>();
  const keys = useWorkspaceQuery(
    API_KEYS,
    (redpen, signal) => redpen.apiKeys.all({}, { max: 1_000, signal }),
    { enabled: isOwner },
  );
  if (!isOwner)
    return (
      <EmptyState icon={KeyRound} title="API keys are for owners">
        Owners of the workspace create keys and see their auth tokens. You can use the keys in this console
        without seeing a secret.
      </EmptyState>
    );
  const close = () => setOpened(undefined);
  return (
    <>
      <QueryView query={keys}>
        {(rows) => (
          <Card
            title="API keys of the workspace"
            isFlush
            actions={
              <Button variant="primary" onPress={() => setOpened({ action: 'create' })}>
                <Plus /> Create key
              </Button>
            }
          >
            <KeyTable keys={rows} onAct={(action, apiKey) => setOpened({ action, apiKey })} />
          </Card>
        )}
      </QueryView>
      {opened?.action === 'create' && <CreateKeyDialog onClose={close} />}
      {opened?.action === 'rename' && <RenameKeyDialog apiKey={opened.apiKey} onClose={close} />}
      {opened?.action === 'tokens' && <AuthTokensDialog apiKey={opened.apiKey} onClose={close} />}
    </>
  );
}

function KeyTable({
  keys,
  onAct,
}: {
  keys: readonly ApiKey[];
  onAct: (action: 'rename' | 'tokens', apiKey: ApiKey) => void;
}) {
  const { apiKeyId } = useKey().key;
  const columns: readonly Column<ApiKey>[] = [
    {
      id: 'name',
      header: 'Name',
      kind: 'main',
      cell: ({ id, apiKeyName }) => (
        <Row>
          {apiKeyName} {id === apiKeyId && <Badge tone="good">This key</Badge>}
        </Row>
      ),
    },
    {
      id: 'id',
      header: 'Id',
      cell: ({ id, apiKeyName }) => (
        <Row>
          <code>{id}</code>
          <CopyButton text={id} name={`Copy the id of ${apiKeyName}`} />
        </Row>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      isNamedWhenNarrow: true,
      kind: 'tight',
      cell: ({ type }) => (type === 'production' ? 'Production' : 'Testing'),
    },
    {
      id: 'more',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (apiKey) => (
        <Row isTight>
          <Button
            size="small"
            aria-label={`Auth tokens of ${apiKey.apiKeyName}`}
            onPress={() => onAct('tokens', apiKey)}
          >
            Auth tokens
          </Button>
          {apiKey.id !== apiKeyId && (
            <LinkButton size="small" to={pathOfKey(apiKey.id, '')} aria-label={`Open ${apiKey.apiKeyName}`}>
              Open
            </LinkButton>
          )}
          <ActionMenu
            label={`Actions for ${apiKey.apiKeyName}`}
            trigger={
              <IconButton size="small" label={`Actions for ${apiKey.apiKeyName}`}>
                <Ellipsis />
              </IconButton>
            }
            entries={[{ id: 'rename', label: 'Rename', onAction: () => onAct('rename', apiKey) }]}
          />
        </Row>
      ),
    },
  ];
  return <DataTable label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
