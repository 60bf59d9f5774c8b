import type { AdvancedWebhookConfig } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SwitchInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useWebhookConfig } from './use-webhooks.ts';
import styles from './webhooks.module.css';

export function FormatTab() {
  const config = useWebhookConfig();
  return <QueryView query={config}>{(data) => <FormatForm config={data} />}</QueryView>;
}

/** The form of all bodies of the API key. */
function FormatForm({ config }: { config: AdvancedWebhookConfig }) {
  const [form, setForm] = useState(config);
  const mayEdit = useMay('editor');
  const save = useKeyMutation(
    (redpen, change: AdvancedWebhookConfig) => redpen.webhookConfig.update(change),
    { renews: [['webhooks', 'config']] },
  );
  const set = (fields: Partial<AdvancedWebhookConfig>) => setForm((previous) => ({ ...previous, ...fields }));
  return (
    <Card
      title="Format of messages"
      lead="Applies to all endpoints of this API key, from the next attempt on, also to messages that wait."
    >
      <SwitchInput
        isDisabled={!mayEdit}
        isSelected={form.isEnabled}
        onChange={(isEnabled) => set({ isEnabled })}
      >
        Record and send messages
      </SwitchInput>
      <SwitchInput
        isDisabled={!mayEdit}
        isSelected={form.enableDataProtection}
        onChange={(enableDataProtection) => set({ enableDataProtection })}
      >
        Leave out texts of people, and their names, addresses and attachments
      </SwitchInput>
      <SwitchInput
        isDisabled={!mayEdit}
        isSelected={form.encodeData}
        onChange={(encodeData) => set({ encodeData })}
      >
        Send every body as base64
      </SwitchInput>
      <SwitchInput
        isDisabled={!mayEdit}
        isSelected={form.encryptData}
        onChange={(encryptData) => set({ encryptData })}
      >
        Encrypt every body with your public key
      </SwitchInput>
      {form.encryptData && (
        <div className={styles.narrow}>
          <TextInput
            label="Public key"
            isDisabled={!mayEdit}
            isMono
            rows={6}
            hint="RSA of at least 2,048 bits: PEM, or the base64 of its SPKI or PKCS #1 form."
            value={form.publicKey}
            onChange={(publicKey) => set({ publicKey })}
          />
        </div>
      )}
      {save.error && <Failure error={save.error} />}
      <div className={styles.row}>
        <Button
          variant="primary"
          isDisabled={!mayEdit}
          isPending={save.isPending}
          onPress={() => save.mutate(form, { onSuccess: () => announce('The format is saved.') })}
        >
          Save
        </Button>
        {!mayEdit && <span className={styles.note}>Editors and owners may change this.</span>}
      </div>
    </Card>
  );
}
