import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../data/use-address.ts';
import { useMay } from '../../session/session.tsx';
import { useKeyPath } from '../../shell/key-path.ts';
import { Button } from '../../ui/button.tsx';
import { SelectInput } from '../../ui/field.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { type Call, ShowAsCode } from '../../ui/show-as-code.tsx';
import { TabView } from '../../ui/tabs.tsx';
import { GroupsTab } from './groups-tab.tsx';
import styles from './people.module.css';
import { type PeopleAddress, peopleAddressOf } from './people-address.ts';
import { useOrganizations } from './use-people.ts';
import { UserDialog } from './user-dialogs.tsx';
import { UsersTab } from './users-tab.tsx';
import { WhyTab } from './why-tab.tsx';

const callsFor = (organizationId: string, { user, document }: PeopleAddress): Call[] => [
  {
    title: 'List the users of the organization',
    path: '/v2/users/get',
    name: 'users.list',
    data: { organizationId },
  },
  {
    title: 'Add a user',
    path: '/v2/users/add',
    name: 'users.add',
    data: { organizationId, users: [{ userId: 'eve', name: 'Eve', accessRole: 'editor' }] },
  },
  {
    title: 'Grant a document',
    path: '/v2/auth/permissions/add',
    name: 'permissions.add',
    data: {
      user: { userId: user ?? 'eve' },
      permissions: {
        resources: [{ type: 'document', id: document ?? 'website', organizationId, accessRole: 'viewer' }],
      },
    },
  },
  {
    title: 'Explain what a user may do',
    path: '/v2/auth/permissions/explain',
    name: 'permissions.explain',
    data: { userId: user ?? 'eve', organizationId, documentId: document ?? 'website' },
  },
];

/** The users of the product, their groups, and why they may open what they may open. */
export function PeoplePage() {
  const organizations = useOrganizations();
  const to = useKeyPath();
  const [address, change] = useAddress(peopleAddressOf);
  const organizationId = address.organization ?? organizations.data?.[0]?.id;
  return (
    <Page
      title="People and access"
      lead={
        <>
          The users of your product. People who work in this console are{' '}
          <Link to={to('/settings')} search={{ tab: 'members' } as never}>
            members
          </Link>
          .
        </>
      }
      actions={<ShowAsCode calls={callsFor(organizationId ?? 'acme', address)} />}
    >
      <QueryView query={organizations}>
        {(all) =>
          organizationId === undefined ? (
            <NoOrganization />
          ) : (
            <>
              <div className={styles.organization}>
                <SelectInput
                  label="Organization"
                  choices={[
                    ...all.map(({ id, organizationName }) => ({
                      id,
                      label: organizationName || id,
                      ...(organizationName && organizationName !== id && { hint: id }),
                    })),
                    ...(all.some(({ id }) => id === organizationId)
                      ? []
                      : [{ id: organizationId, label: organizationId }]),
                  ]}
                  value={organizationId}
                  onChange={(organization) =>
                    change({ organization, text: undefined, document: undefined, folder: undefined })
                  }
                />
              </div>
              <Parts address={address} organizationId={organizationId} onTab={(tab) => change({ tab })} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function Parts({
  address,
  organizationId,
  onTab,
}: {
  address: PeopleAddress;
  organizationId: string;
  onTab: (tab: string) => void;
}) {
  const tab = (id: PeopleAddress['tab'], title: string, content: ReactNode) => ({ id, title, content });
  return (
    <TabView
      label="People and access"
      selected={address.tab}
      onSelect={onTab}
      tabs={[
        tab('users', 'Users', <UsersTab key={organizationId} organizationId={organizationId} />),
        tab('groups', 'Groups', <GroupsTab key={organizationId} organizationId={organizationId} />),
        tab('why', 'Explain access', <WhyTab key={organizationId} organizationId={organizationId} />),
      ]}
    />
  );
}

function NoOrganization() {
  const mayEdit = useMay('editor');
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <EmptyState
        icon={UsersRound}
        title="No people yet"
        action={
          mayEdit && (
            <Button variant="primary" onPress={() => setAdding(true)}>
              Add a user
            </Button>
          )
        }
      >
        People belong to organizations, such as the customers of your product. Adding a user makes the
        organization too.
      </EmptyState>
      {isAdding && <UserDialog onClose={() => setAdding(false)} />}
    </>
  );
}
