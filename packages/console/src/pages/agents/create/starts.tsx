import { Link } from '@tanstack/react-router';
import { ListChecks, type LucideIcon, SquarePen } from 'lucide-react';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { useAgentSchema, useBuiltinAgents, useModelState } from '../agents-data.ts';
import { modelOfOwn } from '../editor/agent-draft.ts';
import { needsOf } from '../gallery/builtin-words.ts';
import styles from './create.module.css';

function Start({
  from,
  icon: Icon,
  title,
  text,
  model,
}: {
  from: string;
  icon?: LucideIcon;
  title: string;
  text: string;
  /** The part that a model has in the agent; unknown while the services of own agents are read. */
  model?: 'none' | 'optional' | 'required' | undefined;
}) {
  const to = useKeyPath();
  const hasModel = useModelState()?.isConfigured;
  const needs = model ? needsOf({ needsBrowser: true, needsModel: model }, hasModel) : [];
  return (
    <li>
      <Link to={to('/agents/new')} search={{ from } as never} className={styles.start}>
        {Icon && <Icon size={18} aria-hidden />}
        <span>
          <b>{title}</b>
          <span className={styles.text}>{text}</span>
          {needs.map((need) => (
            <Badge key={need.text} tone={need.tone}>
              {need.text}
            </Badge>
          ))}
        </span>
      </Link>
    </li>
  );
}

/** The ways to begin. */
export function Starts() {
  const builtin = useBuiltinAgents();
  const { data: schema } = useAgentSchema();
  const services = schema?.properties?.execution?.properties?.serviceId?.enum ?? [];
  return (
    <>
      <ul className={styles.starts}>
        <Start
          from="checklist"
          icon={ListChecks}
          title="From a checklist"
          text="Paste it or choose a file: each item becomes an agent."
          model="optional"
        />
        <Start
          from="blank"
          icon={SquarePen}
          title="Blank"
          text="Instructions of your own for a language model that reads the page."
          model="required"
        />
      </ul>
      <section className={styles.section}>
        <h2>From a built-in agent</h2>
        <QueryView query={builtin}>
          {(agents) => (
            <ul className={styles.starts}>
              {agents
                .filter(({ internal }) => !internal)
                .map((agent) => (
                  <Start
                    key={agent.id}
                    from={agent.id}
                    title={agent.name}
                    text={agent.description}
                    model={schema && modelOfOwn(agent, services)}
                  />
                ))}
            </ul>
          )}
        </QueryView>
      </section>
    </>
  );
}
