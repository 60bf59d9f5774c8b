import type { Snapshot } from '@redpen/client';
import { History } from 'lucide-react';
import { useState } from 'react';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { formatNumber, Time } from '../../ui/time.ts';
import { announce } from '../../ui/toasts.tsx';
import styles from './editor.module.css';
import type { Place } from './use-live-editor.ts';

/** The stored states of the text, to which it can be taken back. */
export function Snapshots({ place }: { place: Place }) {
  const { account } = useSession();
  const mayWrite = useMay('editor');
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const listed = ['snapshots', place];
  const snapshots = useKeyQuery(listed, (redpen, signal) => redpen.editorSnapshots.list(place, { signal }));
  const create = useKeyMutation(
    (redpen, named: string) =>
      redpen.editorSnapshots.create({ ...place, name: named, createdBy: account.accountId }),
    { renews: [listed] },
  );
  const restore = useKeyMutation(
    (redpen, { snapshotId }: Snapshot) => redpen.editorSnapshots.restore({ ...place, snapshotId }),
    { renews: [listed] },
  );
  const columns: readonly Column<Snapshot>[] = [
    { id: 'name', header: 'Name', kind: 'main', cell: (snapshot) => snapshot.name },
    { id: 'bytes', header: 'Bytes', kind: 'end', cell: ({ bytes }) => formatNumber(bytes) },
    { id: 'time', header: 'Made', kind: 'tight', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'restore',
      header: 'Restore',
      isHeaderHidden: true,
      kind: 'tight',
      cell: (snapshot) =>
        mayWrite && (
          <Button
            size="small"
            aria-label={`Restore ${snapshot.name}`}
            isPending={restore.isPending && restore.variables === snapshot}
            onPress={() =>
              restore.mutate(snapshot, {
                onSuccess: () => announce(`The text is as in ${snapshot.name} again.`),
              })
            }
          >
            Restore
          </Button>
        ),
    },
  ];
  return (
    <Card
      title="Snapshots"
      lead="States of the text that are kept. Open editors see a restored one at once."
      isFlush
      actions={
        mayWrite && (
          <Button size="small" onPress={() => setNaming(true)}>
            <History /> Keep this state
          </Button>
        )
      }
    >
      {restore.error && <Failure error={restore.error} />}
      <QueryView query={snapshots}>
        {(list) =>
          list.length > 0 ? (
            <DataTable
              label="Snapshots"
              columns={columns}
              rows={list}
              keyOf={({ snapshotId }) => snapshotId}
            />
          ) : (
            <p className={styles.closed}>No state is kept yet.</p>
          )
        }
      </QueryView>
      <FormDialog
        title="Keep this state"
        submitLabel="Keep"
        isOpen={isNaming}
        onClose={() => setNaming(false)}
        canSubmit={name.trim() !== ''}
        onSubmit={async () => {
          await create.mutateAsync(name.trim());
          setName('');
        }}
      >
        <TextInput label="Name" value={name} onChange={setName} autoFocus />
      </FormDialog>
    </Card>
  );
}
