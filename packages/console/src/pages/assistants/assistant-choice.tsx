import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './assistants.module.css';
import { ASSISTANTS, type AssistantId } from './setups.ts';

/** One of the assistants, each with the place of its configuration. */
export const AssistantChoice = ({
  value,
  onChange,
}: {
  value: AssistantId;
  onChange: (id: AssistantId) => void;
}) => (
  <RadioGroup className={styles.choice ?? ''} value={value} onChange={(id) => onChange(id as AssistantId)}>
    <Label>Assistant</Label>
    <div className={styles.cards}>
      {ASSISTANTS.map(({ id, name, place }) => (
        <Radio key={id} value={id} className={styles.card ?? ''}>
          <b>{name}</b>
          <small>{place}</small>
        </Radio>
      ))}
    </div>
  </RadioGroup>
);
