import { Bot } from 'lucide-react';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { ChecklistStart } from './create/checklist-start.tsx';
import { CreateFrom } from './create/create-from.tsx';
import { Starts } from './create/starts.tsx';
import { useAddress } from './use-address.ts';

const CALLS = [
  {
    title: 'Create an agent',
    path: '/v2/agents/create',
    name: 'agents.create',
    data: {
      name: 'Prices',
      instructions: 'Prices are shown with tax. Report each price without it.',
      contextGathering: { strategies: ['web-page-text'] },
      execution: { executionStrategy: 'ai' },
    },
  },
  {
    title: 'Draft agents from a checklist',
    path: '/v2/agents/extract',
    name: 'agents.extract',
    data: { fileBase64: btoa('- All links work\n'), mimeType: 'text/plain', fileName: 'checklist.txt' },
  },
];

const TITLES: Record<string, string> = { checklist: 'Agents from a checklist' };

/** Where a new agent begins: with a built-in one, a checklist, or nothing. */
export function NewAgentPage() {
  const [{ from }] = useAddress();
  const to = useKeyPath();
  const mayEdit = useMay('editor');
  if (!mayEdit)
    return (
      <Page title="New agent" crumbs={[{ label: 'Agents', to: to('/agents') }]}>
        <EmptyState icon={Bot} title="Agents are made by editors">
          You are a viewer of this workspace. Its editors and owners make agents.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={TITLES[from ?? ''] ?? 'New agent'}
      lead={from === undefined ? 'Begin with something that works, and change what is different.' : undefined}
      crumbs={[
        { label: 'Agents', to: to('/agents') },
        ...(from === undefined ? [] : [{ label: 'New agent', to: to('/agents/new') }]),
      ]}
      actions={<ShowAsCode calls={CALLS} />}
    >
      {from === undefined && <Starts />}
      {from === 'checklist' && <ChecklistStart />}
      {from !== undefined && from !== 'checklist' && <CreateFrom key={from} from={from} />}
    </Page>
  );
}
