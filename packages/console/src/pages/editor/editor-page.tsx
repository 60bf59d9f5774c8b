import { useSearch } from '@tanstack/react-router';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import styles from './editor.module.css';
import { Snapshots } from './snapshots.tsx';
import type { Place } from './use-live-editor.ts';
import { WriterFrame } from './writer-frame.tsx';

const WINDOWS = [
  { name: 'Left window', color: '#2a5db0' },
  { name: 'Right window', color: '#176b41' },
] as const;

/** The editor of the address, so that any editor of a document can be looked into. */
function placeOf(search: Record<string, unknown>): Place {
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' && value ? value : otherwise;
  return {
    organizationId: text(search.organizationId, 'console'),
    documentId: text(search.documentId, 'live-editor'),
    editorId: text(search.editorId, 'text'),
  };
}

const snippet = ({
  organizationId,
  documentId,
  editorId,
}: Place) => `import { openEditor } from '@redpen/client/editors';

const { ydoc, provider, synced } = openEditor(redpen, {
  organizationId: '${organizationId}',
  documentId: '${documentId}',
  editorId: '${editorId}',
});
await synced;
// Bind ydoc and provider.awareness to CodeMirror, Tiptap, Lexical or another editor.`;

/** Two windows of two users on one text, to see how live editing feels and that it is stored. */
export function EditorPage() {
  const place = placeOf(useSearch({ strict: false }) as Record<string, unknown>);
  const mayWrite = useMay('editor');
  const { account } = useSession();
  const { organizationId, documentId } = place;
  const ready = useKeyQuery(['editor place', place], async (redpen, signal) => {
    // Viewers look at what is there; nothing is made for them.
    if (mayWrite)
      await redpen.documents.add({ organizationId, documents: [{ documentId }] }, { signal, safe: true });
    return true;
  });
  return (
    <Page
      title="Live editor"
      lead="Two windows on one text: what is typed in one appears in the other, and is stored."
      actions={
        <ShowAsCode
          calls={[
            {
              title: 'Make a token for a user',
              path: '/v2/auth/generate_token',
              name: 'auth.generateToken',
              data: {
                userId: account.accountId,
                userProperties: { name: account.name, email: account.email ?? '' },
                permissions: { resources: [{ type: 'organization', id: organizationId }] },
              },
            },
          ]}
        />
      }
    >
      <QueryView query={ready}>
        {() => (
          <div className={styles.windows}>
            {WINDOWS.map(({ name, color }) => (
              <WriterFrame
                key={name}
                // Members may make tokens of themselves only, unless they own the workspace.
                writer={{ userId: account.accountId, name, color, accessRole: 'editor' }}
                place={place}
              />
            ))}
          </div>
        )}
      </QueryView>
      <Snapshots place={place} />
      <Card title="In your application">
        <CodeBlock label="Open the editor" code={snippet(place)} />
      </Card>
    </Page>
  );
}
