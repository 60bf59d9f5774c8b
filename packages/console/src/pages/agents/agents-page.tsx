import { Plus } from 'lucide-react';
import { useState } from 'react';
import { AddressSearch } from '../../data/address-field.tsx';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { tabOf } from './address.ts';
import { useOwnAgents } from './agents-data.ts';
import { BuiltinGallery } from './gallery/builtin-gallery.tsx';
import styles from './gallery/gallery.module.css';
import { GroupDialog } from './gallery/group-dialog.tsx';
import { Groups } from './gallery/groups.tsx';
import { OwnAgents } from './gallery/own-agents.tsx';
import { useAddress } from './use-address.ts';

const CALLS = [
  {
    title: 'The built-in agents, and what each finds and needs',
    path: '/v2/agents/builtin',
    name: 'agents.builtin',
    data: {},
  },
  {
    title: 'Your agents',
    path: '/v2/agents/get',
    name: 'agents.get',
    data: { filter: 'customOnly' },
  },
  {
    title: 'Switch an agent off',
    path: '/v2/agents/update',
    name: 'agents.update',
    data: { agentId: 'broken-links', enabled: false },
  },
  {
    title: 'Group agents',
    path: '/v2/agents/groups/create',
    name: 'agentGroups.create',
    data: { name: 'Before a release', agentIds: ['broken-links', 'spell-check'] },
  },
];

/** The built-in agents, those of the API key, and their groups. */
export function AgentsPage() {
  const [address, setAddress] = useAddress();
  const to = useKeyPath();
  const mayEdit = useMay('editor');
  const { data: own } = useOwnAgents();
  const [isCreating, setCreating] = useState(false);
  const tab = tabOf(address, ['builtin', 'own', 'groups']);
  const words = address.q ?? '';
  const search = (
    <div className={styles.search}>
      <AddressSearch label="Search agents" value={words} onChange={(q) => setAddress({ q })} />
    </div>
  );
  return (
    <Page
      title="Agents"
      lead="An agent looks for one kind of problem on pages: by rule, with a language model, or both."
      actions={
        <>
          <ShowAsCode calls={CALLS} />
          {mayEdit && tab === 'groups' && (
            <Button variant="primary" onPress={() => setCreating(true)}>
              <Plus /> New group
            </Button>
          )}
          {mayEdit && tab !== 'groups' && (
            <LinkButton to={to('/agents/new')} variant="primary">
              <Plus /> New agent
            </LinkButton>
          )}
        </>
      }
    >
      <TabView
        label="Agents"
        selected={tab}
        onSelect={(next) => setAddress({ tab: next })}
        tabs={[
          {
            id: 'builtin',
            title: 'Built in',
            content: (
              <>
                {search}
                <BuiltinGallery words={words} />
              </>
            ),
          },
          {
            id: 'own',
            title: own && own.length > 0 ? `Yours (${own.length})` : 'Yours',
            content: (
              <>
                {own && own.length > 0 && search}
                <OwnAgents words={words} />
              </>
            ),
          },
          { id: 'groups', title: 'Groups', content: <Groups onCreate={() => setCreating(true)} /> },
        ]}
      />
      {isCreating && <GroupDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
