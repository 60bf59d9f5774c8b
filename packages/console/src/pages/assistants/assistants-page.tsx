import { useState } from 'react';
import type { PersonalToken } from '../../data/identity.ts';
import { isOfAssistant, useTokens } from '../../tokens/personal-tokens.ts';
import { RevokeTokenDialog } from '../../tokens/revoke-token.tsx';
import { TokenTable } from '../../tokens/token-table.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Note } from '../../ui/stack.tsx';
import { ConnectForm } from './connect-form.tsx';
import { SetupSteps } from './setup-steps.tsx';
import type { MadeSetup } from './setups.ts';

/** Connects assistants, which mend what reviews have found, and lists those that are connected. */
export function AssistantsPage() {
  const [made, setMade] = useState<MadeSetup>();
  return (
    <Page
      title="Assistants"
      lead="A coding assistant reads what reviews have found, mends it in your project and answers in the threads, in your name and with this API key."
    >
      {made ? <SetupSteps made={made} onDone={() => setMade(undefined)} /> : <ConnectForm onMade={setMade} />}
      <Connected />
    </Page>
  );
}

function Connected() {
  const tokens = useTokens();
  const [revoked, setRevoked] = useState<PersonalToken>();
  return (
    <>
      <QueryView query={tokens}>
        {(all) => {
          const rows = all.filter(isOfAssistant);
          return (
            <Card
              title="Connected assistants"
              lead="What they do counts as an assistant’s. Owners see those of all members."
              isFlush={rows.length > 0}
            >
              {rows.length === 0 ? (
                <Note>No assistant is connected yet.</Note>
              ) : (
                <TokenTable
                  label="Connected assistants"
                  tokens={rows}
                  marksAssistants={false}
                  onRevoke={setRevoked}
                />
              )}
            </Card>
          );
        }}
      </QueryView>
      {revoked && <RevokeTokenDialog token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}
