import type { AccessType, ApiKeyConfig } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RadioInput, SelectInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Note, Row } from '../../ui/stack.tsx';
import { announce } from '../../ui/toasts.tsx';
import { WordList } from '../../ui/word-list.tsx';

const CONFIG = ['keyConfig'] as const;

/** Settings of the API key that the console shows. */
export function KeySettingsTab() {
  const config = useKeyQuery(CONFIG, (redpen, signal) => redpen.apiKeyConfig.get({}, { signal }));
  return (
    <>
      <DomainsCard />
      <QueryView query={config}>
        {(data) => (
          <>
            <AccessCard config={data} />
            <ModelsCard config={data} />
            <WordsCard config={data} />
          </>
        )}
      </QueryView>
    </>
  );
}

const DOMAINS = ['domains'] as const;

function DomainsCard() {
  const isOwner = useMay('owner');
  const domains = useKeyQuery(
    DOMAINS,
    async (redpen, signal) => (await redpen.domains.list({}, { signal })).allowedDomains,
  );
  const add = useKeyMutation((redpen, domain: string) => redpen.domains.add({ domains: [domain] }), {
    renews: [DOMAINS],
  });
  const remove = useKeyMutation((redpen, domain: string) => redpen.domains.delete({ domains: [domain] }), {
    renews: [DOMAINS],
  });
  const failure = add.error ?? remove.error;
  return (
    <Card title="Allowed domains" lead="Domains on whose pages user tokens work.">
      <QueryView query={domains}>
        {(words) => (
          <WordList
            label="Allowed domains"
            addLabel="Domain"
            placeholder="app.example.com"
            empty="No domain is named: user tokens work on pages of every domain."
            words={words}
            isDisabled={!isOwner}
            onAdd={(domain) => add.mutateAsync(domain)}
            onRemove={(domain) => remove.mutateAsync(domain)}
          />
        )}
      </QueryView>
      {failure && <Failure error={failure} />}
      {!isOwner && <Note>Owners of the workspace may change this.</Note>}
    </Card>
  );
}

const ACCESS: readonly { id: AccessType; label: string; hint: string }[] = [
  { id: 'public', label: 'Public', hint: 'every user of the key may read and comment' },
  { id: 'organizationPrivate', label: 'Organization', hint: 'users with access to the organization' },
  { id: 'restricted', label: 'Restricted', hint: 'users with access to the document or its folder' },
];

function AccessCard({ config }: { config: ApiKeyConfig }) {
  const isOwner = useMay('owner');
  const [access, setAccess] = useState(config.defaultDocumentAccessType);
  const save = useKeyMutation((redpen) => redpen.apiKeyConfig.update({ defaultDocumentAccessType: access }), {
    renews: [CONFIG],
  });
  return (
    <Card title="Default access to documents" lead="For documents that have no access type of their own.">
      {isOwner ? (
        <>
          <RadioInput label="Who may open them" choices={ACCESS} value={access} onChange={setAccess} />
          {save.error && <Failure error={save.error} />}
          <Row>
            <Button
              isPending={save.isPending}
              isDisabled={access === config.defaultDocumentAccessType}
              onPress={() =>
                save.mutate(undefined, { onSuccess: () => announce('The access type is saved.') })
              }
            >
              Save
            </Button>
          </Row>
        </>
      ) : (
        <p>
          {ACCESS.find(({ id }) => id === access)?.label}: {ACCESS.find(({ id }) => id === access)?.hint}.
        </p>
      )}
    </Card>
  );
}

type Provider = 'openai' | 'anthropic' | 'gemini';
const PROVIDERS: readonly { id: Provider; label: string }[] = [
  { id: 'openai', label: 'OpenAI' },
  { id: 'anthropic', label: 'Anthropic' },
  { id: 'gemini', label: 'Gemini' },
];

function ModelsCard({ config }: { config: ApiKeyConfig }) {
  const isOwner = useMay('owner');
  const [isOpen, setOpen] = useState(false);
  const models = Object.entries(config.aiModelsConfig ?? {});
  return (
    <Card
      title="Model providers"
      lead="With a key of your own, agents of this API key use your account at the provider."
      actions={isOwner && <Button onPress={() => setOpen(true)}>Set a key</Button>}
    >
      {models.length === 0 ? (
        <Note>No key is set: agents use what the operator has configured.</Note>
      ) : (
        <ul>
          {models.map(([provider, { displayText }]) => (
            <li key={provider}>
              {PROVIDERS.find(({ id }) => id === provider)?.label ?? provider} <code>{displayText}</code>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <ModelKeyDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

function ModelKeyDialog({ onClose }: { onClose: () => void }) {
  const [provider, setProvider] = useState<Provider>('openai');
  const [secret, setSecret] = useState('');
  const save = useKeyMutation(
    (redpen) => redpen.apiKeyConfig.update({ aiModelApiKey: [{ provider, customerApiKey: secret.trim() }] }),
    { renews: [CONFIG] },
  );
  return (
    <FormDialog
      title="Set the key of a model provider"
      isOpen
      onClose={onClose}
      submitLabel="Save"
      canSubmit={secret.trim() !== ''}
      onSubmit={() => save.mutateAsync(undefined)}
    >
      <SelectInput label="Provider" choices={PROVIDERS} value={provider} onChange={setProvider} />
      <TextInput
        label="API key of the provider"
        type="password"
        isMono
        hint="Kept encrypted. It is shown masked from now on."
        value={secret}
        onChange={setSecret}
      />
    </FormDialog>
  );
}

function WordsCard({ config }: { config: ApiKeyConfig }) {
  const mayEdit = useMay('owner');
  const words = config.spellCheckWords ?? [];
  const save = useKeyMutation(
    (redpen, spellCheckWords: string[]) => redpen.apiKeyConfig.update({ spellCheckWords }),
    { renews: [CONFIG] },
  );
  return (
    <Card title="Accepted words" lead="Spell check takes these words for right, in upper and lower case.">
      <WordList
        label="Accepted words"
        addLabel="Word"
        empty="No words yet, such as names of products."
        words={words}
        isDisabled={!mayEdit}
        onAdd={(word) => save.mutateAsync([...words, word])}
        onRemove={(word) => save.mutateAsync(words.filter((one) => one !== word))}
      />
      {save.error && <Failure error={save.error} />}
    </Card>
  );
}
