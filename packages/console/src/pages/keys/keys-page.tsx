import { type AddressSearch, choiceIn, useAddress } from '../../data/use-address.ts';
import { Page } from '../../ui/page.tsx';
import { type Call, ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { ApiKeysTab } from './api-keys-tab.tsx';
import { KeySettingsTab } from './key-settings-tab.tsx';
import { PersonalTokensTab } from './personal-tokens-tab.tsx';
import { UserTokenTab } from './user-token-tab.tsx';

const tabOf = (search: AddressSearch) => ({
  tab: choiceIn(search, 'tab', ['keys', 'settings', 'personal', 'user']),
});

const CALLS: readonly Call[] = [
  {
    title: 'Create an API key (with the credentials of the workspace)',
    path: '/v2/workspace/apikey/create',
    name: 'apiKeys.create',
    data: { ownerEmail: 'ada@example.com', type: 'testing', apiKeyName: 'Staging' },
  },
  {
    title: 'Replace the auth token of an API key (with the credentials of the workspace)',
    path: '/v2/workspace/authtoken/reset',
    name: 'authTokens.reset',
    data: { apiKey: 'key_…' },
  },
  {
    title: 'Allow user tokens on the pages of a domain',
    path: '/v2/workspace/domains/add',
    name: 'domains.add',
    data: { domains: ['app.example.com'] },
  },
  {
    title: 'Make a user token',
    path: '/v2/auth/generate_token',
    name: 'auth.generateToken',
    data: {
      userId: 'eve',
      userProperties: { name: 'Eve', email: 'eve@example.com' },
      permissions: { resources: [{ type: 'organization', id: 'acme', accessRole: 'editor' }] },
    },
  },
];

/** The API keys of the workspace, and the tokens of people. */
export function KeysPage() {
  const [{ tab }, change] = useAddress(tabOf);
  return (
    <Page
      title="Keys and tokens"
      lead="Each API key is a tenant of its own: the data of one key is never seen through another."
      actions={tab !== 'user' && <ShowAsCode calls={CALLS} />}
    >
      <TabView
        label="Kinds of credentials"
        selected={tab}
        onSelect={(chosen) => change({ tab: chosen })}
        tabs={[
          { id: 'keys', title: 'API keys', content: <ApiKeysTab /> },
          { id: 'settings', title: 'Settings of this key', content: <KeySettingsTab /> },
          { id: 'personal', title: 'Personal tokens', content: <PersonalTokensTab /> },
          { id: 'user', title: 'User token for tests', content: <UserTokenTab /> },
        ]}
      />
    </Page>
  );
}
