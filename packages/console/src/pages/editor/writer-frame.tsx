import { useState } from 'react';
import { useRedpen } from '../../session/session.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SwitchInput } from '../../ui/field.tsx';
import { Card, Loading } from '../../ui/page.tsx';
import styles from './editor.module.css';
import { SharedText } from './live-text.tsx';
import { type Place, useSharedEditor, type Writer } from './use-live-editor.ts';

const STATES: Record<string, { tone: Tone; label: string }> = {
  loading: { tone: 'busy', label: 'Connecting' },
  live: { tone: 'good', label: 'Live' },
  offline: { tone: 'warn', label: 'Offline' },
  ended: { tone: 'neutral', label: 'Closed' },
  failed: { tone: 'bad', label: 'Failed' },
};

/** The window of one user on the shared text. */
export function WriterFrame({ writer, place }: { writer: Writer; place: Place }) {
  const redpen = useRedpen();
  const [isOnline, setOnline] = useState(true);
  const [isViewer, setViewer] = useState(writer.accessRole === 'viewer');
  const shown: Writer = { ...writer, accessRole: isViewer ? 'viewer' : 'editor' };
  const { editor, state } = useSharedEditor(redpen, shown, place, isOnline);
  const { tone, label } = STATES[isOnline ? state.status : 'ended'] ?? { tone: 'neutral', label: '' };
  return (
    <Card
      title={writer.name}
      isFlush
      actions={
        <>
          {isOnline && !state.saved && <Badge tone="busy">Saving</Badge>}
          {state.readOnly && <Badge>Read-only</Badge>}
          <Badge tone={tone}>{label}</Badge>
        </>
      }
    >
      <div className={styles.frame}>
        {editor && state.status !== 'loading' ? (
          <SharedText editor={editor} label={`Text as ${writer.name} sees it`} isReadOnly={state.readOnly} />
        ) : (
          <div className={styles.closed}>{isOnline ? <Loading rows={3} /> : 'The editor is closed.'}</div>
        )}
      </div>
      <div className={styles.tools}>
        <SwitchInput isSelected={isOnline} onChange={setOnline}>
          Open
        </SwitchInput>
        <SwitchInput isSelected={isViewer} onChange={setViewer}>
          Read-only
        </SwitchInput>
      </div>
      {state.error && state.status !== 'live' && (
        <div className={styles.closed}>
          <Failure error={state.error} onRetry={() => editor?.reconnect()} />
        </div>
      )}
    </Card>
  );
}
