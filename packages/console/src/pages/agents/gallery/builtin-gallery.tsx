import { Link, useNavigate } from '@tanstack/react-router';
import { CopyPlus, Ellipsis, Play } from 'lucide-react';
import { useMay } from '../../../session/session.tsx';
import { useKeyPath } from '../../../shell/key-path.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { SwitchInput } from '../../../ui/field.tsx';
import { ActionMenu } from '../../../ui/menu.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { plural, Time } from '../../../ui/time.ts';
import {
  type AgentSummary,
  type Builtin,
  useAllAgents,
  useBuiltinAgents,
  useModelState,
} from '../agents-data.ts';
import { useSwitch } from '../use-switch.ts';
import { findsOf, needsOf } from './builtin-words.ts';
import styles from './gallery.module.css';

const CATEGORIES: Record<string, string> = {
  quality: 'Content and links',
  accessibility: 'Accessibility',
  compliance: 'Privacy and language',
  performance: 'Performance',
  seo: 'Sharing and search',
};

const matches = ({ name, description, issueTypes }: Builtin, words: string): boolean =>
  [name, description, ...issueTypes].join(' ').toLowerCase().includes(words.toLowerCase());

/** The built-in agents by what they are about. */
export function BuiltinGallery({ words }: { words: string }) {
  const builtin = useBuiltinAgents();
  const { data: all } = useAllAgents();
  const model = useModelState();
  return (
    <QueryView query={builtin}>
      {(agents) => {
        const shown = agents.filter((agent) => !agent.internal && matches(agent, words));
        const categories = [...new Set(shown.map(({ category }) => category))];
        if (shown.length === 0) return <p className={styles.none}>No built-in agent has these words.</p>;
        return (
          <div className={styles.categories}>
            {categories.map((category) => (
              <section key={category} className={styles.category}>
                <h2>{CATEGORIES[category] ?? category}</h2>
                <ul className={styles.cards}>
                  {shown
                    .filter((agent) => agent.category === category)
                    .map((agent) => (
                      <BuiltinCard
                        key={agent.id}
                        agent={agent}
                        use={all?.find(({ id }) => id === agent.id)}
                        hasModel={model?.isConfigured}
                      />
                    ))}
                </ul>
              </section>
            ))}
          </div>
        );
      }}
    </QueryView>
  );
}

function BuiltinCard({
  agent,
  use,
  hasModel,
}: {
  agent: Builtin;
  use: AgentSummary | undefined;
  hasModel: boolean | undefined;
}) {
  const { id, name, description, enabled, issueTypes, addsOwnIssueTypes } = agent;
  const to = useKeyPath();
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const { isPending, change } = useSwitch(agent);
  return (
    <li className={styles.card} data-off={!enabled || undefined}>
      <div className={styles.head}>
        <h3>
          <Link to={to(`/agents/${id}`)}>{name}</Link>
        </h3>
        {mayEdit && (
          <SwitchInput
            label={`${name} is enabled`}
            isSelected={enabled}
            isDisabled={isPending}
            onChange={change}
          />
        )}
      </div>
      <p>{description}</p>
      <p className={styles.finds}>{findsOf(issueTypes, addsOwnIssueTypes)}</p>
      <div className={styles.foot}>
        {needsOf(agent, hasModel).map(({ text, tone }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
        <span className={styles.use}>
          {use && use.executionCount > 0 ? plural(use.executionCount, 'run') : 'No runs yet'}
          {use?.lastExecutedAt && (
            <>
              {' · '}
              <Time at={use.lastExecutedAt} />
            </>
          )}
        </span>
        <ActionMenu
          label={`Actions of ${name}`}
          trigger={
            <IconButton size="small" label={`Actions of ${name}`}>
              <Ellipsis />
            </IconButton>
          }
          entries={[
            {
              id: 'open',
              label: 'Open and try on a URL',
              icon: <Play size={16} />,
              onAction: () => void navigate({ to: to(`/agents/${id}`) }),
            },
            mayEdit && {
              id: 'copy',
              label: 'Start an agent of your own',
              icon: <CopyPlus size={16} />,
              onAction: () => void navigate({ to: to('/agents/new'), search: { from: id } as never }),
            },
          ]}
        />
      </div>
    </li>
  );
}
