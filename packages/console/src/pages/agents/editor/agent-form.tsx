import { type ReactNode, useMemo } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { plural } from '../../../ui/time.ts';
import styles from './editor.module.css';
import { Fields } from './field.tsx';
import { FormContext, type FormState } from './form-state.ts';
import { type Fields as Draft, isFields, isWithin, type Path, valueAt, withValueAt } from './json-path.ts';
import { type Problem, problemsWithout, sentenceAt } from './problems.ts';
import { type SchemaNode, type Topic, topicsOf, unknownFields } from './schema.ts';

interface Props {
  schema: SchemaNode;
  value: Draft;
  problems: readonly Problem[];
  isReadOnly?: boolean;
  onChange: (value: Draft, problems: readonly Problem[]) => void;
  /** Help beside the instructions. */
  tools?: ReactNode;
}

/** The configuration of an agent as a form, made from its schema. */
export function AgentForm({ schema, value, problems, isReadOnly = false, onChange, tools }: Props) {
  const topics = useMemo(() => topicsOf(schema), [schema]);
  const form: FormState = {
    root: value,
    problems,
    isReadOnly,
    change: (path, next) => {
      const changed = withValueAt(value, path, next);
      onChange(isFields(changed) ? changed : {}, problemsWithout(problems, path));
    },
  };
  const others = unknownFields(value, schema);
  const placeless = problems.filter(
    ({ path }) => path.length === 0 || !schema.properties?.[String(path[0])] || path[0] === 'enabled',
  );
  return (
    <FormContext value={form}>
      {placeless.length > 0 && (
        <ul className={styles.placeless}>
          {placeless.map((problem) => (
            <li key={problem.message}>{problem.path.length === 0 ? problem.message : sentenceAt(problem)}</li>
          ))}
        </ul>
      )}
      {topics.map((topic, index) => (
        <TopicView key={topic.id} topic={topic} value={value} problems={problems} isOpen={index === 0}>
          {index === 0 && tools}
        </TopicView>
      ))}
      {others.length > 0 && (
        <p className={styles.hint}>
          {plural(others.length, 'field')} without a form: <code>{others.join(', ')}</code>. They are edited
          as JSON.
        </p>
      )}
    </FormContext>
  );
}

/** Paths of the topic: the fields of the first and last are fields of the agent, those of others lie in a group. */
const pathsOf = ({ fields }: Topic): Path[] => fields.map(({ path }) => path);

function TopicView({
  topic,
  value,
  problems,
  isOpen,
  children,
}: {
  topic: Topic;
  value: Draft;
  problems: readonly Problem[];
  isOpen: boolean;
  children: ReactNode;
}) {
  const paths = pathsOf(topic);
  const count = paths.filter((path) => valueAt(value, path) !== undefined).length;
  const wrong = problems.filter(
    ({ path }) => path[0] === topic.id || paths.some((own) => isWithin(path, own)),
  ).length;
  const body = (
    <div className={styles.fields}>
      {topic.hint && <p className={styles.hint}>{topic.hint}</p>}
      <Fields fields={topic.fields} />
      {children}
    </div>
  );
  if (isOpen) return <section className={styles.topic}>{body}</section>;
  return (
    <details className={styles.topic} {...(wrong > 0 && { open: true })}>
      <summary>
        <span>{topic.title}</span>
        {wrong > 0 ? (
          <Badge tone="bad">{plural(wrong, 'problem')}</Badge>
        ) : (
          count > 0 && <span className={styles.count}>{plural(count, 'field')} set</span>
        )}
      </summary>
      {body}
    </details>
  );
}
