import type { MemoryAlertConfig } from '@redpen/client';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { FormDialog, ModalDialog } from '../../../ui/dialog.tsx';
import { CheckInput, SelectInput, SwitchInput } from '../../../ui/field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { MEMORY } from '../memory-data.ts';
import { type AlertType, TYPE_NAMES, TYPES } from './alert-words.ts';

const TITLE = 'Settings of alerts';

/** Which alerts are raised. */
export function AlertSettings({ onClose }: { onClose: () => void }) {
  const config = useKeyQuery([...MEMORY, 'alert-config'], (redpen, signal) =>
    redpen.memoryAlerts.config({}, { signal }),
  );
  if (config.data) return <SettingsForm config={config.data} onClose={onClose} />;
  return (
    <ModalDialog title={TITLE} isOpen onClose={onClose}>
      <QueryView query={config}>{() => null}</QueryView>
    </ModalDialog>
  );
}

type Threshold = 'high' | 'medium' | 'low';

function SettingsForm({ config, onClose }: { config: MemoryAlertConfig; onClose: () => void }) {
  const [enabled, setEnabled] = useState(config.enabled);
  const [types, setTypes] = useState<readonly AlertType[]>(config.enabledAlertTypes ?? TYPE_NAMES);
  const [threshold, setThreshold] = useState<Threshold>(config.severityThreshold ?? 'low');
  const [most, setMost] = useState(String(config.maxAlertsPerWeek ?? 3));
  const save = useKeyMutation(
    (redpen, next: Parameters<typeof redpen.memoryAlerts.updateConfig>[0]['config']) =>
      redpen.memoryAlerts.updateConfig({ config: next }),
    { renews: [MEMORY] },
  );
  return (
    <FormDialog
      title={TITLE}
      isOpen
      onClose={onClose}
      submitLabel="Save settings"
      onSubmit={async () => {
        await save.mutateAsync({
          enabled,
          enabledAlertTypes: [...types],
          severityThreshold: threshold,
          maxAlertsPerWeek: Number(most),
        });
        announce('The settings are saved.');
      }}
    >
      <SwitchInput isSelected={enabled} onChange={setEnabled}>
        Alerts are raised
      </SwitchInput>
      <fieldset className={styles.checks}>
        <legend>Kinds</legend>
        {TYPE_NAMES.map((type) => (
          <CheckInput
            key={type}
            isSelected={types.includes(type)}
            isDisabled={!enabled}
            onChange={(isSelected) =>
              setTypes(isSelected ? [...types, type] : types.filter((one) => one !== type))
            }
          >
            {TYPES[type]}
          </CheckInput>
        ))}
      </fieldset>
      <SelectInput<Threshold>
        label="Least severity"
        isDisabled={!enabled}
        choices={[
          { id: 'low', label: 'Low' },
          { id: 'medium', label: 'Medium' },
          { id: 'high', label: 'High' },
        ]}
        value={threshold}
        onChange={setThreshold}
      />
      <SelectInput
        label="At most in seven days"
        isDisabled={!enabled}
        choices={['1', '2', '3'].map((id) => ({ id, label: id }))}
        value={most}
        onChange={setMost}
      />
    </FormDialog>
  );
}
