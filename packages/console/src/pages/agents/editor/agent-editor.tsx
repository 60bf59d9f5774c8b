import type { ReactNode } from 'react';
import { useRef } from 'react';
import { TabView } from '../../../ui/tabs.tsx';
import { AgentForm } from './agent-form.tsx';
import styles from './editor.module.css';
import { JsonEditor, type JsonEditorHandle } from './json-editor.tsx';
import { keyOfPath } from './json-path.ts';
import { lineOf, sentenceAt } from './problems.ts';
import type { SchemaNode } from './schema.ts';
import type { Draft } from './use-draft.ts';

export type EditorView = 'form' | 'json';

interface Props {
  schema: SchemaNode;
  draft: Draft;
  view: EditorView;
  onView: (view: EditorView) => void;
  isReadOnly?: boolean;
  tools?: ReactNode;
}

/** The configuration of an agent, as a form and as JSON. Both show the same draft. */
export function AgentEditor({ schema, draft, view, onView, isReadOnly = false, tools }: Props) {
  return (
    <TabView
      label="Form of the configuration"
      kind="segments"
      selected={view}
      // A form could not show text that is no JSON.
      onSelect={(next) => (draft.textProblem === undefined || next === 'json') && onView(next)}
      tabs={[
        {
          id: 'form',
          title: 'Form',
          content: (
            <div className={styles.editor}>
              <AgentForm
                schema={schema}
                value={draft.value}
                problems={draft.problems}
                isReadOnly={isReadOnly}
                onChange={draft.change}
                tools={tools}
              />
            </div>
          ),
        },
        { id: 'json', title: 'JSON', content: <JsonPanel draft={draft} isReadOnly={isReadOnly} /> },
      ]}
    />
  );
}

function JsonPanel({ draft, isReadOnly }: { draft: Draft; isReadOnly: boolean }) {
  const editor = useRef<JsonEditorHandle>(null);
  return (
    <div className={styles.editor}>
      {draft.problems.length > 0 && (
        <div className={styles.places} role="alert">
          {draft.problems.map((problem) => {
            const line = lineOf(draft.text, problem.path);
            return (
              <button
                key={`${keyOfPath(problem.path)} ${problem.message}`}
                type="button"
                onClick={() => editor.current?.showLine(line)}
              >
                Line {line}: <code>{keyOfPath(problem.path)}</code> {sentenceAt(problem)}
              </button>
            );
          })}
        </div>
      )}
      {draft.textProblem !== undefined && (
        <p className={styles.problem} role="status">
          {draft.textProblem}
        </p>
      )}
      <JsonEditor
        ref={editor}
        label="Configuration as JSON"
        text={draft.text}
        isReadOnly={isReadOnly}
        onChange={draft.type}
      />
    </div>
  );
}
