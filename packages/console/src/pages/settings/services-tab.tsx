import type {
  ActivityConfig,
  EmailConfig,
  NotificationConfig,
  PermissionProviderConfig,
} from '@redpen/client';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { type Role, useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SelectInput, SwitchInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Columns, FieldGroup, Note, Row, Stack } from '../../ui/stack.tsx';
import { announce } from '../../ui/toasts.tsx';

/** Settings for events of this API key: notifications, emails, activities, and permissions. */
export function ServicesTab() {
  const email = useKeyQuery(['config', 'email'], (redpen, signal) => redpen.emailConfig.get({}, { signal }));
  const notification = useKeyQuery(['config', 'notification'], (redpen, signal) =>
    redpen.notificationConfig.get({}, { signal }),
  );
  const activity = useKeyQuery(['config', 'activity'], (redpen, signal) =>
    redpen.activityConfig.get({}, { signal }),
  );
  const provider = useKeyQuery(['config', 'provider'], (redpen, signal) =>
    redpen.permissionProviderConfig.get({}, { signal }),
  );
  return (
    <>
      <QueryView query={notification}>{(config) => <NotificationForm config={config} />}</QueryView>
      <QueryView query={email}>{(config) => <EmailForm config={config} />}</QueryView>
      <QueryView query={activity}>
        {({ activityServiceConfig }) => <ActivityForm config={activityServiceConfig} />}
      </QueryView>
      <QueryView query={provider}>{(config) => <ProviderForm config={config} />}</QueryView>
    </>
  );
}

/** A card with fields and one button that saves them. */
function ConfigCard({
  title,
  lead,
  values,
  save,
  neededRole = 'editor',
  children,
}: {
  title: string;
  lead: string;
  /** What the fields hold. It can be saved once it differs from what was saved. */
  values: readonly unknown[];
  /** The role that may save. */
  neededRole?: Role;
  save: { isPending: boolean; error: Error | null; mutate: (nothing: undefined, on: object) => void };
  children: ReactNode;
}) {
  const mayEdit = useMay(neededRole);
  const shown = JSON.stringify(values);
  const [saved, setSaved] = useState(shown);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, {
      onSuccess() {
        setSaved(shown);
        announce('The settings are saved.');
      },
    });
  };
  return (
    <Card title={title} lead={lead}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FieldGroup isDisabled={!mayEdit}>{children}</FieldGroup>
          {save.error && <Failure error={save.error} />}
          <Row>
            <Button type="submit" isDisabled={!mayEdit || shown === saved} isPending={save.isPending}>
              Save
            </Button>
            {!mayEdit && (
              <Note>
                {neededRole === 'owner' ? 'Owners of the workspace' : 'Editors and owners'} may change this.
              </Note>
            )}
          </Row>
        </Stack>
      </form>
    </Card>
  );
}

const seconds = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0);

function NotificationForm({ config }: { config: NotificationConfig }) {
  const { delayConfig, batchConfig } = config.notificationServiceConfig;
  const [isOn, setOn] = useState(config.useNotificationService);
  const [isDelayed, setDelayed] = useState(delayConfig.isEnabled);
  const [delay, setDelay] = useState(String(delayConfig.delaySeconds));
  const [isBatched, setBatched] = useState(batchConfig.document.isEnabled);
  const [batch, setBatch] = useState(String(batchConfig.document.batchWindowSeconds));
  const save = useKeyMutation(
    (redpen) =>
      redpen.notificationConfig.update({
        useNotificationService: isOn,
        notificationServiceConfig: {
          delayConfig: { isEnabled: isDelayed, ...(isDelayed && { delaySeconds: seconds(delay) }) },
          batchConfig: {
            document: { isEnabled: isBatched, ...(isBatched && { batchWindowSeconds: seconds(batch) }) },
          },
        },
      }),
    { renews: [['config', 'notification']] },
  );
  return (
    <ConfigCard
      title="Notifications"
      lead="For users of your product, in the app and by email."
      values={[isOn, isDelayed, delay, isBatched, batch]}
      save={save}
    >
      <SwitchInput isSelected={isOn} onChange={setOn}>
        Notify users of comments that concern them
      </SwitchInput>
      <SwitchInput isSelected={isDelayed} onChange={setDelayed}>
        Delay emails, in case the notification is read in the app first
      </SwitchInput>
      {isDelayed && <TextInput label="Delay in seconds" value={delay} onChange={setDelay} />}
      <SwitchInput isSelected={isBatched} onChange={setBatched}>
        Put emails about one document together
      </SwitchInput>
      {isBatched && <TextInput label="Together within, in seconds" value={batch} onChange={setBatch} />}
    </ConfigCard>
  );
}

const SENDERS = [
  { id: 'default', label: 'Mail server of the operator' },
  { id: 'sendgrid', label: 'SendGrid, with your own key' },
  { id: 'custom', label: 'Custom' },
] as const;

function EmailForm({ config }: { config: EmailConfig }) {
  const sender = config.emailServiceConfig;
  const [isOn, setOn] = useState(config.useEmailService);
  const [type, setType] = useState(sender.type);
  const [fromEmail, setFromEmail] = useState(sender.fromEmail);
  const [fromCompany, setFromCompany] = useState(sender.fromCompany);
  const [apiKey, setApiKey] = useState('');
  const save = useKeyMutation(
    (redpen) =>
      redpen.emailConfig.update({
        useEmailService: isOn,
        emailServiceConfig: {
          type,
          fromEmail: fromEmail.trim(),
          fromCompany: fromCompany.trim(),
          ...(apiKey.trim() && { apiKey: apiKey.trim() }),
        },
      }),
    { renews: [['config', 'email']] },
  );
  return (
    <ConfigCard
      title="Emails"
      lead="About comments and mentions, to users of your product."
      values={[isOn, type, fromEmail, fromCompany, apiKey]}
      neededRole="owner"
      save={save}
    >
      <SwitchInput isSelected={isOn} onChange={setOn}>
        Send emails about notifications
      </SwitchInput>
      <Columns>
        <SelectInput label="Sent by" choices={SENDERS} value={type} onChange={setType} />
        <TextInput
          label={type === 'sendgrid' ? 'Sender address' : 'Reply-to address'}
          type="email"
          isOptional
          value={fromEmail}
          onChange={setFromEmail}
        />
        <TextInput label="Name of the sender" isOptional value={fromCompany} onChange={setFromCompany} />
      </Columns>
      {type === 'sendgrid' && (
        <TextInput
          label="SendGrid key"
          type="password"
          isMono
          hint={sender.apiKey ? 'A key is stored. Type another one to replace it.' : 'None is stored yet.'}
          value={apiKey}
          onChange={setApiKey}
        />
      )}
    </ConfigCard>
  );
}

function ActivityForm({ config }: { config: ActivityConfig }) {
  const [isEnabled, setEnabled] = useState(config.isEnabled ?? false);
  const [immutable, setImmutable] = useState(config.immutable ?? false);
  const save = useKeyMutation(
    (redpen) => redpen.activityConfig.update({ activityServiceConfig: { isEnabled, immutable } }),
    { renews: [['config', 'activity']] },
  );
  return (
    <ConfigCard
      title="Activities"
      lead="A log of what happened to documents, for users."
      values={[isEnabled, immutable]}
      save={save}
    >
      <SwitchInput isSelected={isEnabled} onChange={setEnabled}>
        Log comments and changes of threads
      </SwitchInput>
      <SwitchInput isSelected={immutable} onChange={setImmutable}>
        Never change an activity once it is written
      </SwitchInput>
    </ConfigCard>
  );
}

function ProviderForm({ config }: { config: PermissionProviderConfig }) {
  const stored = config.permissionProviderConfig;
  const [isOn, setOn] = useState(config.usePermissionProvider);
  const [url, setUrl] = useState(stored.permissionProviderUrl);
  const [token, setToken] = useState('');
  const save = useKeyMutation(
    (redpen) =>
      redpen.permissionProviderConfig.update({
        usePermissionProvider: isOn,
        permissionProviderConfig: {
          permissionProviderUrl: url.trim(),
          ...(token.trim() && { authToken: token.trim() }),
        },
      }),
    { renews: [['config', 'provider']] },
  );
  return (
    <ConfigCard
      title="Permission provider"
      lead="An address of yours that clients ask for permissions."
      values={[isOn, url, token]}
      neededRole="owner"
      save={save}
    >
      <SwitchInput isSelected={isOn} onChange={setOn}>
        Use a permission provider
      </SwitchInput>
      <Columns>
        <TextInput
          label="Address"
          type="url"
          isMono
          isOptional={!isOn}
          placeholder="https://example.com/permissions"
          value={url}
          onChange={setUrl}
        />
        <TextInput
          label="Token"
          type="password"
          isMono
          isOptional
          hint={stored.authToken ? 'One is stored. Type another one to replace it.' : 'Sent to the address.'}
          value={token}
          onChange={setToken}
        />
      </Columns>
    </ConfigCard>
  );
}
