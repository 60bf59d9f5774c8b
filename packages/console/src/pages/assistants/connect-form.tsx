import { type FormEvent, useState } from 'react';
import { createToken, type Scope } from '../../data/identity.ts';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { expiryOf, LIFETIMES, type Lifetime } from '../../tokens/lifetimes.ts';
import { TOKENS } from '../../tokens/personal-tokens.ts';
import { ASSISTANT_SCOPES, ScopeBoxes } from '../../tokens/scopes.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput, SwitchInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Columns, FieldGroup, Note, Row, Stack } from '../../ui/stack.tsx';
import { AssistantChoice } from './assistant-choice.tsx';
import { warningFor } from './reach.ts';
import { type AssistantId, type MadeSetup, nameOf, waysOf } from './setups.ts';
import { StepList } from './step-list.tsx';
import { Warning } from './warning.tsx';

const READ: Scope[] = ['read'];

/** The choices of the person for the assistant. */
interface Choices {
  id: AssistantId;
  /** The name of the token; that of the assistant until it is changed. */
  name: string | undefined;
  isReadOnly: boolean;
  scopes: Scope[];
  lifetime: Lifetime;
}

/** Asks which assistant to connect and what it may do, and makes its token. */
export function ConnectForm({ onMade }: { onMade: (made: MadeSetup) => void }) {
  const mayEdit = useMay('editor');
  const [choices, setChoices] = useState<Choices>({
    id: 'claude-code',
    name: undefined,
    isReadOnly: !mayEdit,
    scopes: mayEdit ? ['read', 'comment', 'review'] : READ,
    lifetime: '90',
  });
  const change = (some: Partial<Choices>) => setChoices((all) => ({ ...all, ...some }));
  const { id, isReadOnly, lifetime } = choices;
  const isHosted = id === 'hosted';
  const name = choices.name ?? nameOf(id);
  const scopes = isReadOnly ? READ : choices.scopes;
  const create = useKeyMutation(
    (redpen) => createToken(redpen, { name: name.trim(), scopes, isAssistant: true, ...expiryOf(lifetime) }),
    { renews: [TOKENS] },
  );
  const canSubmit = name.trim() !== '' && scopes.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (create.isPending || !canSubmit) return;
    create.mutate(undefined, {
      onSuccess: ({ token, personalToken }) =>
        onMade({ id, token, isReadOnly, scopes, tokenId: personalToken.tokenId }),
    });
  };
  const { origin } = location;
  return (
    <Card title="Connect an assistant">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <AssistantChoice value={id} onChange={(chosen) => change({ id: chosen })} />
            <Warning text={warningFor(origin, isHosted)} />
          </div>
          <SwitchInput
            isSelected={isReadOnly}
            isDisabled={!mayEdit}
            onChange={(chosen) => change({ isReadOnly: chosen })}
          >
            Read-only: the address has only tools that change nothing.
          </SwitchInput>
          {isHosted ? (
            <StepList steps={waysOf(id, { origin, token: '', isReadOnly })[0]!.steps} />
          ) : (
            <>
              <FieldGroup legend="What it may do">
                <ScopeBoxes
                  scopes={scopes}
                  choices={ASSISTANT_SCOPES}
                  mayEdit={mayEdit}
                  isReadOnly={isReadOnly}
                  onChange={(chosen) => change({ scopes: chosen })}
                />
              </FieldGroup>
              <Columns>
                <TextInput
                  label="Name"
                  hint="Says in lists which token to revoke."
                  value={name}
                  onChange={(chosen) => change({ name: chosen })}
                />
                <SelectInput
                  label="Valid for"
                  choices={LIFETIMES}
                  value={lifetime}
                  onChange={(chosen) => change({ lifetime: chosen })}
                />
              </Columns>
              {create.error && <Failure error={create.error} />}
              <Row>
                <Button type="submit" variant="primary" isDisabled={!canSubmit} isPending={create.isPending}>
                  Create token and configuration
                </Button>
                <Note>The token acts as you, and never exceeds your role.</Note>
              </Row>
            </>
          )}
        </Stack>
      </form>
    </Card>
  );
}
