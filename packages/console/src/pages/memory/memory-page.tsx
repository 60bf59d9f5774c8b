import { useMemo } from 'react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabName, TabView } from '../../ui/tabs.tsx';
import { formatNumber } from '../../ui/time.ts';
import { AlertsPanel } from './alerts/alerts-panel.tsx';
import { AskPanel } from './ask/ask-panel.tsx';
import { JudgmentsPanel } from './judgments/judgments-panel.tsx';
import { KnowledgePanel } from './knowledge/knowledge-panel.tsx';
import { listRequest, type MemoryAddress, type MemoryTab, searchRequest } from './memory-address.ts';
import { MEMORY } from './memory-data.ts';
import { PatternsPanel } from './patterns/patterns-panel.tsx';
import { PeoplePanel } from './people/people-panel.tsx';
import { useMemoryAddress } from './use-memory-address.ts';

/** What people decided, what follows from it, and what the agents were given to read. */
export function MemoryPage() {
  const [address, setAddress] = useMemoryAddress();
  const calls = useMemo(() => callsOf(address), [address]);
  const counts = useCounts();
  return (
    <Page
      title="Memory"
      lead="Every decision on a finding or comment is remembered with its reason, and used by the next review."
      actions={<ShowAsCode calls={calls} />}
    >
      <TabView<MemoryTab>
        label="Parts of the memory"
        selected={address.tab ?? 'ask'}
        onSelect={(tab) => setAddress({ tab })}
        tabs={[
          { id: 'ask', title: 'Ask', content: <AskPanel /> },
          {
            id: 'judgments',
            title: <TabName name="Judgments" count={counts.judgments} />,
            content: <JudgmentsPanel />,
          },
          {
            id: 'patterns',
            title: <TabName name="Patterns" count={counts.patterns} />,
            content: <PatternsPanel />,
          },
          {
            id: 'people',
            title: <TabName name="Reviewers" count={counts.reviewers} />,
            content: <PeoplePanel />,
          },
          { id: 'alerts', title: 'Alerts', content: <AlertsPanel /> },
          {
            id: 'knowledge',
            title: <TabName name="Knowledge" count={counts.files} />,
            content: <KnowledgePanel />,
          },
        ]}
      />
    </Page>
  );
}

/** How much each part of the memory has. A number that has reached its limit stands for that many or more. */
function useCounts() {
  const { data } = useKeyQuery([...MEMORY, 'stats'], (redpen, signal) => redpen.memory.stats({}, { signal }));
  if (!data) return {};
  const upTo = (limit: number, count: number): string => `${formatNumber(count)}${count >= limit ? '+' : ''}`;
  return {
    judgments: upTo(10_000, data.totalActivities),
    patterns: upTo(100, data.totalPatterns),
    reviewers: upTo(500, data.totalProfiles),
    files: formatNumber(data.totalKnowledgeSources),
  };
}

function callsOf(address: MemoryAddress) {
  switch (address.tab ?? 'ask') {
    case 'judgments':
      return [
        {
          title: 'List the newest judgments',
          path: '/v2/memory/judgments/query',
          name: 'judgments.query',
          data: listRequest(address),
        },
        {
          title: 'Search judgments by meaning',
          path: '/v2/memory/search',
          name: 'memory.search',
          data: searchRequest({ ...address, q: address.q ?? 'prices without tax' }),
        },
      ];
    case 'patterns':
      return [{ title: 'Patterns', path: '/v2/memory/patterns/get', name: 'memory.patterns', data: {} }];
    case 'people':
      return [
        {
          title: 'How a reviewer decides',
          path: '/v2/memory/profiles/get',
          name: 'memory.profile',
          data: { targetUserId: address.reviewer ?? 'eva' },
        },
      ];
    case 'alerts':
      return [{ title: 'Alerts', path: '/v2/memory/alerts/list', name: 'alerts.list', data: {} }];
    case 'knowledge':
      return [
        {
          title: 'List the knowledge files',
          path: '/v2/memory/knowledge/list',
          name: 'knowledge.list',
          data: {},
        },
        {
          title: 'Search in them',
          path: '/v2/memory/knowledge/search',
          name: 'knowledge.search',
          data: { query: 'prices without tax' },
        },
      ];
    default:
      return [
        {
          title: 'Ask the memory',
          path: '/v2/memory/ask',
          name: 'memory.ask',
          data: { question: 'What did we decide on prices without tax?' },
        },
        {
          title: 'Recommend a decision',
          path: '/v2/memory/suggest',
          name: 'memory.suggest',
          data: { query: 'The price is shown without tax.' },
        },
      ];
  }
}
