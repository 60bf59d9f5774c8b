import type { ApiKey } from '@redpen/client';
import { useState } from 'react';
import { useWorkspaceMutation } from '../../data/use-workspace-query.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FormDialog, ModalDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Note, Row } from '../../ui/stack.tsx';

/** The auth tokens of an API key: shown on demand, and replaced. */
export function AuthTokensDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [isResetting, setResetting] = useState(false);
  const reveal = useWorkspaceMutation((redpen) => redpen.authTokens.list({ apiKey: apiKey.id }));
  const reset = useWorkspaceMutation((redpen) => redpen.authTokens.reset({ apiKey: apiKey.id }));
  const tokens = reset.data ? [reset.data.newAuthToken] : reveal.data?.authTokens;
  return (
    <ModalDialog title={`Auth token of ${apiKey.apiKeyName}`} isOpen onClose={onClose}>
      <p>
        A backend sends it with the id of the key. Both together may do everything with the data of the key,
        so they belong on servers only.
      </p>
      <CodeBlock label="Id of the key" isLabelShown code={apiKey.id} />
      {tokens?.map(({ token, name }) => (
        <CodeBlock
          key={token}
          label={tokens.length === 1 ? 'Auth token' : `Auth token “${name}”`}
          isLabelShown
          code={token}
        />
      ))}
      {tokens?.length === 0 && <p>The key has no auth token. A reset makes one.</p>}
      {reset.data && <Note>This is the new token. The previous one has stopped working.</Note>}
      {reveal.error && <Failure error={reveal.error} />}
      <Row>
        {!tokens && (
          <Button isPending={reveal.isPending} onPress={() => reveal.mutate(undefined)}>
            Show the token
          </Button>
        )}
        <Button variant="danger" onPress={() => setResetting(true)}>
          Replace the token
        </Button>
      </Row>
      {isResetting && (
        <FormDialog
          title="Replace the auth token?"
          role="alertdialog"
          isOpen
          isDanger
          submitLabel="Replace the token"
          onClose={() => setResetting(false)}
          onSubmit={() => reset.mutateAsync(undefined)}
        >
          <p>
            The present token stops working at once, and so do the user tokens that were made with it.
            Backends that use it fail until they have the new one.
          </p>
        </FormDialog>
      )}
    </ModalDialog>
  );
}
