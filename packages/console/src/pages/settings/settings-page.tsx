import { type AddressSearch, choiceIn, useAddress } from '../../data/use-address.ts';
import { useKey } from '../../session/session.tsx';
import { Page } from '../../ui/page.tsx';
import { type Call, ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { AboutTab } from './about-tab.tsx';
import { AccountTab } from './account-tab.tsx';
import { HealthTab } from './health-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { ServicesTab } from './services-tab.tsx';
import { WorkspaceTab } from './workspace-tab.tsx';

const tabOf = (search: AddressSearch) => ({
  tab: choiceIn(search, 'tab', ['account', 'members', 'workspace', 'services', 'health', 'about']),
});

const CALLS: readonly Call[] = [
  {
    title: 'Invite a member (with the credentials of the workspace)',
    path: '/v2/members/invite',
    name: 'members.invite',
    data: { email: 'bob@example.com', role: 'viewer' },
  },
  {
    title: 'See what the API keys store (with the credentials of the workspace)',
    path: '/v2/workspace/usage/get',
    name: 'workspace.usage',
    data: {},
  },
  {
    title: 'Change the emails about notifications',
    path: '/v2/workspace/emailconfig/update',
    name: 'emailConfig.update',
    data: { useEmailService: true, emailServiceConfig: { fromCompany: 'Acme' } },
  },
];

/** Account, members, workspace and the state of the service. */
export function SettingsPage() {
  const [{ tab }, change] = useAddress(tabOf);
  const { workspace } = useKey();
  return (
    <Page
      title="Settings"
      lead={`You are ${workspace.role === 'viewer' ? 'a' : 'an'} ${workspace.role} of ${workspace.name}.`}
      actions={<ShowAsCode calls={CALLS} />}
    >
      <TabView
        label="Settings"
        selected={tab}
        onSelect={(chosen) => change({ tab: chosen })}
        tabs={[
          { id: 'account', title: 'Account', content: <AccountTab /> },
          { id: 'members', title: 'Members', content: <MembersTab /> },
          { id: 'workspace', title: 'Workspace', content: <WorkspaceTab /> },
          { id: 'services', title: 'Emails and activities', content: <ServicesTab /> },
          { id: 'health', title: 'Health', content: <HealthTab /> },
          { id: 'about', title: 'About', content: <AboutTab /> },
        ]}
      />
    </Page>
  );
}
