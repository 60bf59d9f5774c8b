import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Failure } from '../../../ui/failure.tsx';
import { Loading } from '../../../ui/page.tsx';
import type { CodeEditor } from './code-mirror.ts';
import styles from './editor.module.css';

export interface JsonEditorHandle {
  showLine(line: number): void;
}

/** JSON with line numbers and colors. Its code is loaded when it is first shown. */
export function JsonEditor({
  label,
  text,
  isReadOnly = false,
  onChange,
  ref,
}: {
  label: string;
  text: string;
  isReadOnly?: boolean;
  onChange: (text: string) => void;
  ref?: Ref<JsonEditorHandle>;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const latest = useRef({ text, onChange });
  latest.current = { text, onChange };
  const [state, setState] = useState<'loading' | 'ready' | { failure: unknown }>('loading');
  useEffect(() => {
    let isGone = false;
    void import('./code-mirror.ts').then(
      ({ openCodeEditor }) => {
        if (isGone || !host.current) return;
        editor.current = openCodeEditor(host.current, {
          text: latest.current.text,
          label,
          isReadOnly,
          onChange: (next) => {
            if (next !== latest.current.text) latest.current.onChange(next);
          },
        });
        setState('ready');
      },
      (failure) => setState({ failure }),
    );
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [label, isReadOnly]);
  useEffect(() => editor.current?.setText(text), [text]);
  useImperativeHandle(ref, () => ({ showLine: (line) => editor.current?.showLine(line) }), []);
  return (
    <>
      {state === 'loading' && <Loading rows={4} label="Loading the editor" />}
      {typeof state === 'object' && <Failure error={state.failure} />}
      <div ref={host} dir="ltr" className={styles.code} hidden={state !== 'ready'} />
    </>
  );
}
