import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { createToken, listTokens, type PersonalToken, revokeToken, type Scope } from '../../data/identity.ts';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, SelectInput, TextInput } from '../../ui/field.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { FieldGroup, Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { announce } from '../../ui/toasts.tsx';

const TOKENS = ['tokens'] as const;

const SCOPES: readonly { id: Scope; label: string; hint: string; needsEditor: boolean }[] = [
  { id: 'read', label: 'Read', hint: 'documents, comments, findings and reviews', needsEditor: false },
  { id: 'comment', label: 'Comment', hint: 'write in threads in your name', needsEditor: true },
  {
    id: 'decide',
    label: 'Decide',
    hint: 'accept and reject findings, which reviews remember; leave it off for assistants',
    needsEditor: true,
  },
  { id: 'review', label: 'Review', hint: 'start reviews of pages', needsEditor: true },
];

/** Tokens with which programs and assistants act as the member. */
export function PersonalTokensTab() {
  const tokens = useKeyQuery<PersonalToken[]>(TOKENS, listTokens);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoked, setRevoked] = useState<PersonalToken>();
  const create = (
    <Button variant="primary" onPress={() => setCreating(true)}>
      <Plus /> Create token
    </Button>
  );
  return (
    <>
      <QueryView query={tokens}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={KeyRound} title="No personal token yet" action={create}>
              A program or an assistant with such a token acts as you, with this API key, and only in the ways
              that you choose.
            </EmptyState>
          ) : (
            <Card
              title="Personal tokens"
              lead="Each acts as its member, with this API key. Owners see those of all members."
              actions={create}
              isFlush
            >
              <TokenTable tokens={rows} onRevoke={setRevoked} />
            </Card>
          )
        }
      </QueryView>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} onCreated={setSecret} />}
      {secret !== undefined && (
        <SecretOnce
          title="Your new token"
          label="Personal token"
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          Copy it now: it is not shown again. Send it as “authorization: Bearer …”.
        </SecretOnce>
      )}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

function TokenTable({
  tokens,
  onRevoke,
}: {
  tokens: readonly PersonalToken[];
  onRevoke: (token: PersonalToken) => void;
}) {
  const columns: readonly Column<PersonalToken>[] = [
    { id: 'name', header: 'Name', kind: 'main', cell: ({ name }) => name },
    { id: 'member', header: 'Acts as', cell: ({ member }) => member.name },
    {
      id: 'scopes',
      header: 'Scopes',
      cell: ({ scopes }) => (
        <Row>
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === 'decide' ? 'warn' : 'neutral'}>
              {SCOPES.find(({ id }) => id === scope)?.label ?? scope}
            </Badge>
          ))}
        </Row>
      ),
    },
    {
      id: 'used',
      header: 'Last used',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: 'Expires',
      kind: 'tight',
      isNamedWhenNarrow: true,
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />),
    },
    {
      id: 'revoke',
      header: 'Actions',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (token) => (
        <Button
          size="small"
          variant="danger"
          aria-label={`Revoke ${token.name}`}
          onPress={() => onRevoke(token)}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <DataTable label="Personal tokens" columns={columns} rows={tokens} keyOf={({ tokenId }) => tokenId} />
  );
}

const LIFETIMES = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: 'A year' },
  { id: 'none', label: 'No end' },
] as const;
type Lifetime = (typeof LIFETIMES)[number]['id'];

function CreateTokenDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const mayEdit = useMay('editor');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(mayEdit ? ['read', 'comment'] : ['read']);
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const create = useKeyMutation(
    (redpen) =>
      createToken(redpen, {
        name: name.trim(),
        scopes,
        ...(lifetime !== 'none' && { expiresInDays: Number(lifetime) }),
      }),
    { renews: [TOKENS] },
  );
  const submit = async (): Promise<void> => onCreated((await create.mutateAsync(undefined)).token);
  return (
    <FormDialog
      title="Create a personal token"
      isOpen
      onClose={onClose}
      submitLabel="Create token"
      canSubmit={name.trim() !== '' && scopes.length > 0}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        autoFocus
        placeholder="Assistant of my editor"
        value={name}
        onChange={setName}
      />
      <FieldGroup legend="What it may do">
        {SCOPES.map(({ id, label, hint, needsEditor }) => (
          <CheckInput
            key={id}
            isSelected={scopes.includes(id)}
            isDisabled={needsEditor && !mayEdit}
            onChange={(isSelected) =>
              setScopes(isSelected ? [...scopes, id] : scopes.filter((scope) => scope !== id))
            }
          >
            <b>{label}</b>: {hint}
          </CheckInput>
        ))}
        {!mayEdit && <Note>As a viewer of the workspace you can only make tokens that read.</Note>}
      </FieldGroup>
      <SelectInput label="Valid for" choices={LIFETIMES} value={lifetime} onChange={setLifetime} />
    </FormDialog>
  );
}

function RevokeDialog({ token, onClose }: { token: PersonalToken; onClose: () => void }) {
  const revoke = useKeyMutation((redpen) => revokeToken(redpen, token.tokenId), { renews: [TOKENS] });
  const submit = async (): Promise<void> => {
    await revoke.mutateAsync(undefined);
    announce('The token is revoked.');
  };
  return (
    <FormDialog
      title={`Revoke ${token.name}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Revoke token"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Programs that use it are refused at once.</p>
    </FormDialog>
  );
}
