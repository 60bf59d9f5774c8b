import { Link } from '@tanstack/react-router';
import { ListChecks, type LucideIcon, SquarePen } from 'lucide-react';
import { useKeyPath } from '../../../shell/key-path.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { useBuiltinAgents } from '../agents-data.ts';
import styles from './create.module.css';

function Start({
  from,
  icon: Icon,
  title,
  text,
}: {
  from: string;
  icon?: LucideIcon;
  title: string;
  text: string;
}) {
  const to = useKeyPath();
  return (
    <li>
      <Link to={to('/agents/new')} search={{ from } as never} className={styles.start}>
        {Icon && <Icon size={18} aria-hidden />}
        <span>
          <b>{title}</b>
          <span>{text}</span>
        </span>
      </Link>
    </li>
  );
}

/** The ways to begin. */
export function Starts() {
  const builtin = useBuiltinAgents();
  return (
    <>
      <ul className={styles.starts}>
        <Start
          from="checklist"
          icon={ListChecks}
          title="From a checklist"
          text="Paste it or choose a file: each item becomes an agent."
        />
        <Start
          from="blank"
          icon={SquarePen}
          title="Blank"
          text="Instructions of your own for a language model that reads the page."
        />
      </ul>
      <section className={styles.section}>
        <h2>From a built-in agent</h2>
        <QueryView query={builtin}>
          {(agents) => (
            <ul className={styles.starts}>
              {agents
                .filter(({ internal }) => !internal)
                .map(({ id, name, description }) => (
                  <Start key={id} from={id} title={name} text={description} />
                ))}
            </ul>
          )}
        </QueryView>
      </section>
    </>
  );
}
