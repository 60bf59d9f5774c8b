import { Link } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { createToken, type PersonalToken, type Scope } from '../../data/identity.ts';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { expiryOf, LIFETIMES, type Lifetime } from '../../tokens/lifetimes.ts';
import { TOKENS, useTokens } from '../../tokens/personal-tokens.ts';
import { RevokeTokenDialog } from '../../tokens/revoke-token.tsx';
import { ScopeBoxes } from '../../tokens/scopes.tsx';
import { TokenTable } from '../../tokens/token-table.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { SelectInput, TextInput } from '../../ui/field.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { FieldGroup, Row } from '../../ui/stack.tsx';

/** Tokens with which programs and assistants act as the member. */
export function PersonalTokensTab() {
  const tokens = useTokens();
  const to = useKeyPath();
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
            <EmptyState
              icon={KeyRound}
              title="No personal token yet"
              action={
                <Row>
                  {create}
                  <LinkButton to={to('/assistants')}>Connect an assistant</LinkButton>
                </Row>
              }
            >
              A program or an assistant with such a token acts as you, with this API key, and only in the ways
              that you choose.
            </EmptyState>
          ) : (
            <Card
              title="Personal tokens"
              lead={
                <>
                  Each acts as its member, with this API key. Owners see those of all members.{' '}
                  <Link to={to('/assistants')}>Connect an assistant</Link> makes one with the configuration
                  around it.
                </>
              }
              actions={create}
              isFlush
            >
              <TokenTable label="Personal tokens" tokens={rows} onRevoke={setRevoked} />
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
      {revoked && <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

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
    (redpen) => createToken(redpen, { name: name.trim(), scopes, ...expiryOf(lifetime) }),
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
      <TextInput label="Name" autoFocus placeholder="Nightly export" value={name} onChange={setName} />
      <FieldGroup legend="What it may do">
        <ScopeBoxes scopes={scopes} mayEdit={mayEdit} onChange={setScopes} />
      </FieldGroup>
      <SelectInput label="Valid for" choices={LIFETIMES} value={lifetime} onChange={setLifetime} />
    </FormDialog>
  );
}
