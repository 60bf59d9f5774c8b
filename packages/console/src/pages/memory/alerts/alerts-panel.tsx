import type { MemoryAlert } from '@redpen/client';
import { Bell, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { SeverityBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Time } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import styles from '../memory.module.css';
import { MEMORY } from '../memory-data.ts';
import { AlertSettings } from './alert-settings.tsx';
import { TYPES } from './alert-words.ts';

/** Changes in how reviewers decide. */
export function AlertsPanel() {
  const mayEdit = useMay('editor');
  const [isSetting, setSetting] = useState(false);
  const alerts = useKeyQuery([...MEMORY, 'alerts'], (redpen, signal) =>
    redpen.memoryAlerts.list({}, { signal }),
  );
  return (
    <>
      <div className={styles.head}>
        <p className={styles.muted}>An alert says that reviewers began to decide otherwise than before.</p>
        {mayEdit && (
          <Button onPress={() => setSetting(true)}>
            <Settings2 /> Settings
          </Button>
        )}
      </div>
      <QueryView query={alerts}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={Bell} title="No alerts">
              There is nothing unusual in the decisions of the last weeks.
            </EmptyState>
          ) : (
            <Card isFlush>
              <ul className={styles.items}>
                {found.map((alert) => (
                  <Alert key={alert.id} alert={alert} />
                ))}
              </ul>
            </Card>
          )
        }
      </QueryView>
      {isSetting && <AlertSettings onClose={() => setSetting(false)} />}
    </>
  );
}

function Alert({ alert }: { alert: MemoryAlert }) {
  const {
    id: alertId,
    title,
    description,
    severity,
    alertType,
    suggestedAction,
    createdAt,
    evidence,
  } = alert;
  const mayEdit = useMay('editor');
  const end = useKeyMutation(
    (redpen, isHandled: boolean) =>
      isHandled ? redpen.memoryAlerts.action({ alertId }) : redpen.memoryAlerts.dismiss({ alertId }),
    { renews: [[...MEMORY, 'alerts']] },
  );
  const finish = (isHandled: boolean): void =>
    void end.mutateAsync(isHandled).then(
      () => announce(isHandled ? 'The alert is handled.' : 'The alert is dismissed.'),
      (error: unknown) => announce(error instanceof Error ? error.message : 'The alert stays.'),
    );
  return (
    <li>
      <div className={styles.head}>
        <b>{title}</b>
        <SeverityBadge severity={severity} />
      </div>
      <p>{description}</p>
      {suggestedAction && <p className={styles.muted}>{suggestedAction}</p>}
      <div className={styles.head}>
        <p className={styles.small}>
          {TYPES[alertType]}, <Time at={createdAt} />: {evidence.baseline} before, {evidence.current} in{' '}
          {evidence.window}
        </p>
        {mayEdit && (
          <>
            <Button size="small" isDisabled={end.isPending} onPress={() => finish(true)}>
              Mark as handled
            </Button>
            <Button size="small" variant="quiet" isDisabled={end.isPending} onPress={() => finish(false)}>
              Dismiss
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
