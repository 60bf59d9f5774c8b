import type { WebhookEndpoint } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckInput, RadioInput, SearchInput, TextInput } from '../../ui/field.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { announce } from '../../ui/toasts.tsx';
import {
  changeOf,
  creationOf,
  type EndpointForm,
  type EndpointProblems,
  formOf,
  problemsOf,
} from './endpoint-form.ts';
import { ENDPOINTS, useEventTypes } from './use-webhooks.ts';
import styles from './webhooks.module.css';

/** Creates an endpoint, or changes the given one. */
export function EndpointDialog({
  endpoint,
  onClose,
}: {
  endpoint?: WebhookEndpoint | undefined;
  onClose: () => void;
}) {
  const [form, setForm] = useState(() => formOf(endpoint));
  const [problems, setProblems] = useState<EndpointProblems>({});
  const save = useKeyMutation(
    (redpen, typed: EndpointForm) =>
      endpoint
        ? redpen.webhookEndpoints.update(changeOf(endpoint.id, typed))
        : redpen.webhookEndpoints.create(creationOf(typed)),
    { renews: [ENDPOINTS] },
  );
  const submit = async (): Promise<void> => {
    const found = problemsOf(form);
    setProblems(found);
    if (Object.keys(found).length > 0) throw new Error('Some fields need another value.');
    await save.mutateAsync(form);
    announce(endpoint ? 'The endpoint is saved.' : 'The endpoint is created.');
  };
  const set = (fields: Partial<EndpointForm>) => setForm((previous) => ({ ...previous, ...fields }));
  return (
    <FormDialog
      title={endpoint ? 'Edit endpoint' : 'Add endpoint'}
      kind="side"
      isOpen
      onClose={onClose}
      submitLabel={endpoint ? 'Save' : 'Add endpoint'}
      onSubmit={submit}
    >
      <TextInput
        label="Address"
        type="url"
        isMono
        autoFocus
        placeholder="https://example.com/webhooks"
        value={form.url}
        error={problems.url}
        onChange={(url) => set({ url })}
      />
      <TextInput
        label="Description"
        isOptional
        value={form.description}
        onChange={(description) => set({ description })}
      />
      <EventChoice form={form} error={problems.filterTypes} onChange={set} />
      <TextInput
        label="Only from"
        isOptional
        isMono
        rows={3}
        placeholder={'acme\nacme/pricing-page'}
        hint="A line each: an organization, or organization/document. Empty: events from everywhere."
        value={form.channels}
        error={problems.channels}
        onChange={(channels) => set({ channels })}
      />
      <TextInput
        label="Messages a second"
        isOptional
        hint="Further messages wait. Messages about one subject are always sent in order."
        value={form.rateLimit}
        error={problems.rateLimit}
        onChange={(rateLimit) => set({ rateLimit })}
      />
      <details className={styles.more}>
        <summary>Unique name and metadata</summary>
        <div className={styles.stack}>
          {!endpoint && (
            <TextInput
              label="Unique name"
              isOptional
              isMono
              hint="By which your code finds the endpoint. It cannot be changed."
              value={form.uid}
              onChange={(uid) => set({ uid })}
            />
          )}
          <TextInput
            label="Metadata"
            isOptional
            isMono
            rows={3}
            placeholder="team=web"
            hint="A line each, for your own use."
            value={form.metadata}
            error={problems.metadata}
            onChange={(metadata) => set({ metadata })}
          />
        </div>
      </details>
    </FormDialog>
  );
}

function EventChoice({
  form,
  error,
  onChange,
}: {
  form: EndpointForm;
  error: string | undefined;
  onChange: (fields: Partial<EndpointForm>) => void;
}) {
  const events = useEventTypes();
  const [text, setText] = useState('');
  return (
    <div className={styles.stack}>
      <RadioInput
        label="Events"
        choices={[
          { id: 'default', label: 'All events that are sent by default' },
          { id: 'chosen', label: 'Only chosen events' },
        ]}
        value={form.isChosen ? 'chosen' : 'default'}
        onChange={(choice) => onChange({ isChosen: choice === 'chosen' })}
      />
      {form.isChosen && (
        <>
          <SearchInput label="Find an event" value={text} onChange={setText} />
          <QueryView query={events}>
            {(all) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll in all browsers.
              <div className={styles.events} role="group" aria-label="Events that are sent">
                {all
                  .filter(({ eventType }) => eventType.includes(text.trim().toLowerCase()))
                  .map(({ eventType, description }) => (
                    <CheckInput
                      key={eventType}
                      isSelected={form.filterTypes.includes(eventType)}
                      onChange={(isSelected) =>
                        onChange({
                          filterTypes: isSelected
                            ? [...form.filterTypes, eventType]
                            : form.filterTypes.filter((one) => one !== eventType),
                        })
                      }
                    >
                      <code>{eventType}</code> <span className={styles.note}>{description}</span>
                    </CheckInput>
                  ))}
              </div>
            )}
          </QueryView>
          {error && <p className={styles.note}>{error}</p>}
        </>
      )}
    </div>
  );
}
