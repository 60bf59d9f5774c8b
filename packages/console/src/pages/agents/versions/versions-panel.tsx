import { History } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../../data/use-key-query.ts';
import { useMay } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { SelectInput } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Time } from '../../../ui/time.ts';
import { announce } from '../../../ui/toasts.tsx';
import { AGENTS } from '../agents-data.ts';
import { draftOf } from '../editor/agent-draft.ts';
import { DiffView } from './diff-view.tsx';
import styles from './versions.module.css';

interface Version {
  version: number;
  createdAt: number;
}

/** The versions of an agent, the differences of two, and the way back to an earlier one. */
export function VersionsPanel({ agentId, current }: { agentId: string; current: number }) {
  const versions = useKeyQuery([...AGENTS, 'versions', agentId], async (redpen, signal) => {
    const listed = await redpen.agentVersions.list({ agentId }, { signal });
    return listed.versions;
  });
  const [after, setAfter] = useState<number>();
  const [before, setBefore] = useState<number>();
  return (
    <QueryView query={versions}>
      {(list) => {
        const later = after ?? current;
        const earlier = before ?? list.find(({ version }) => version < later)?.version;
        const print = (version: number | undefined): string => {
          const found = list.find((one) => one.version === version);
          return found ? `${JSON.stringify(draftOf(found), null, 2)}\n` : '';
        };
        return (
          <div className={styles.panel}>
            <VersionList
              agentId={agentId}
              current={current}
              versions={list}
              shown={later}
              onShow={(version) => {
                setAfter(version);
                setBefore(undefined);
              }}
            />
            <Card
              title={
                earlier === undefined
                  ? `Version ${later}`
                  : `Changes from version ${earlier} to version ${later}`
              }
              actions={
                list.length > 2 && (
                  <VersionChoice
                    versions={list.filter(({ version }) => version !== later)}
                    value={earlier}
                    onChange={setBefore}
                  />
                )
              }
              isFlush
            >
              <DiffView before={print(earlier)} after={print(later)} />
            </Card>
          </div>
        );
      }}
    </QueryView>
  );
}

const VersionChoice = ({
  versions,
  value,
  onChange,
}: {
  versions: readonly Version[];
  value: number | undefined;
  onChange: (version: number) => void;
}) => (
  <SelectInput
    label="Compare with"
    isLabelHidden
    choices={versions.map(({ version }) => ({
      id: String(version),
      label: `Compare with version ${version}`,
    }))}
    value={value === undefined ? undefined : String(value)}
    onChange={(version) => onChange(Number(version))}
  />
);

function VersionList({
  agentId,
  current,
  versions,
  shown,
  onShow,
}: {
  agentId: string;
  current: number;
  versions: readonly Version[];
  shown: number;
  onShow: (version: number) => void;
}) {
  const mayEdit = useMay('editor');
  const [restoring, setRestoring] = useState<number>();
  const restore = useKeyMutation(
    (redpen, version: number) => redpen.agentVersions.restore({ agentId, version }),
    { renews: [AGENTS] },
  );
  return (
    <>
      <ol className={styles.list} aria-label="Versions">
        {versions.map(({ version, createdAt }) => (
          <li key={version} data-shown={version === shown || undefined}>
            <button
              type="button"
              className={styles.version}
              aria-pressed={version === shown}
              onClick={() => onShow(version)}
            >
              <b>Version {version}</b> <Time at={createdAt} />
            </button>
            {version === current ? (
              <Badge tone="good">Current</Badge>
            ) : (
              mayEdit && (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`Restore version ${version}`}
                  onPress={() => setRestoring(version)}
                >
                  <History /> Restore
                </Button>
              )
            )}
          </li>
        ))}
      </ol>
      <FormDialog
        title={`Restore version ${restoring ?? ''}?`}
        isOpen={restoring !== undefined}
        onClose={() => setRestoring(undefined)}
        submitLabel="Restore"
        onSubmit={async () => {
          if (restoring === undefined) return;
          const { version } = await restore.mutateAsync(restoring);
          onShow(version);
          announce(`Version ${restoring} is restored as version ${version}.`);
        }}
      >
        <p>Its configuration becomes version {current + 1}. The versions between stay in the list.</p>
      </FormDialog>
    </>
  );
}
