import { useState } from 'react';
import { useAddress } from '../../data/use-address.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SearchInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { useEventTypes } from './use-webhooks.ts';
import { webhookAddressOf } from './webhook-address.ts';
import styles from './webhooks.module.css';

/** Every event that the service sends, with a sample and the schema of its message. */
export function EventsTab() {
  const events = useEventTypes();
  const [address, change] = useAddress(webhookAddressOf);
  const [text, setText] = useState('');
  return (
    <QueryView query={events}>
      {(all) => {
        const words = text.trim().toLowerCase();
        const found = all.filter(({ eventType, description }) =>
          `${eventType} ${description}`.toLowerCase().includes(words),
        );
        const shown = all.find(({ eventType }) => eventType === address.event) ?? found[0];
        return (
          <div className={styles.catalogue}>
            <nav aria-label="Events">
              <SearchInput label="Find an event" value={text} onChange={setText} />
              <div className={styles.list}>
                {found.map(({ eventType }) => (
                  <button
                    key={eventType}
                    type="button"
                    className={styles.event}
                    aria-current={eventType === shown?.eventType || undefined}
                    onClick={() => change({ event: eventType })}
                  >
                    {eventType}
                  </button>
                ))}
                {found.length === 0 && <p className={styles.note}>No event has these words.</p>}
              </div>
            </nav>
            {shown && (
              <Card
                title={<code>{shown.eventType}</code>}
                lead={shown.description}
                actions={
                  <Badge tone={shown.sentByDefault ? 'good' : 'neutral'}>
                    {shown.sentByDefault ? 'Sent by default' : 'Only if chosen'}
                  </Badge>
                }
              >
                <TabView
                  label="Message"
                  kind="segments"
                  tabs={[
                    { id: 'sample', title: 'Sample', content: <Json label="Sample" value={shown.sample} /> },
                    {
                      id: 'schema',
                      title: 'JSON Schema',
                      content: <Json label="Schema" value={shown.schema} />,
                    },
                  ]}
                />
              </Card>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}

const Json = ({ label, value }: { label: string; value: unknown }) => (
  <CodeBlock label={label} code={JSON.stringify(value, null, 2)} />
);
