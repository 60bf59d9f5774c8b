import { type FormEvent, useState } from 'react';
import { useKeyMutation } from '../../data/use-key-query.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Failure } from '../../ui/failure.tsx';
import { CheckInput, SelectInput, TextInput } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Columns, Note, Row, Stack } from '../../ui/stack.tsx';
import { claimsOf, placesIn } from './token-claims.ts';

interface Form {
  userId: string;
  name: string;
  email: string;
  places: string;
  role: 'viewer' | 'editor';
  isAdmin: boolean;
  origin: string;
}

const requestOf = ({ userId, name, email, places, role, isAdmin, origin }: Form) => ({
  userId: userId.trim(),
  userProperties: { name: name.trim(), email: email.trim(), ...(isAdmin && { isAdmin }) },
  permissions: { resources: placesIn(places).map((place) => ({ ...place, accessRole: role })) },
  ...(origin.trim() && { origin: origin.trim() }),
});

/** Makes a user token as a backend would, for tests. */
export function UserTokenTab() {
  const isOwner = useMay('owner');
  const [form, setForm] = useState<Form>({
    userId: 'eve',
    name: 'Eve',
    email: 'eve@example.com',
    places: '',
    role: 'editor',
    isAdmin: false,
    origin: '',
  });
  const set = (fields: Partial<Form>) => setForm((previous) => ({ ...previous, ...fields }));
  const make = useKeyMutation((redpen) => redpen.auth.generateToken(requestOf(form)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(undefined);
  };
  return (
    <Card
      title="A token for tests"
      lead="Your backend makes such tokens for people who use your product. This one is made in your name."
      actions={
        <ShowAsCode
          calls={[
            {
              title: 'Make this token',
              path: '/v2/auth/generate_token',
              name: 'auth.generateToken',
              data: requestOf(form),
            },
          ]}
        />
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Columns>
            <TextInput label="User id" isMono value={form.userId} onChange={(userId) => set({ userId })} />
            <TextInput label="Name" value={form.name} onChange={(name) => set({ name })} />
            <TextInput label="Email" type="email" value={form.email} onChange={(email) => set({ email })} />
          </Columns>
          <Columns>
            <TextInput
              label="Places"
              isMono
              rows={4}
              placeholder={'acme\nacme/pricing-page\nacme/folder:drafts'}
              hint="A line each: an organization, organization/document, or organization/folder:id."
              value={form.places}
              onChange={(places) => set({ places })}
            />
            <Stack>
              <SelectInput
                label="Role"
                choices={[
                  { id: 'viewer', label: 'Viewer', hint: 'reads' },
                  { id: 'editor', label: 'Editor', hint: 'also comments and changes live documents' },
                ]}
                value={form.role}
                onChange={(role) => set({ role })}
              />
              <TextInput
                label="Only on pages of"
                isOptional
                isMono
                placeholder="https://app.example.com"
                value={form.origin}
                onChange={(origin) => set({ origin })}
              />
            </Stack>
          </Columns>
          <CheckInput isSelected={form.isAdmin} onChange={(isAdmin) => set({ isAdmin })}>
            Admin: an editor of every document of the organizations above
          </CheckInput>
          <Row>
            <Button type="submit" variant="primary" isDisabled={!isOwner} isPending={make.isPending}>
              Make token
            </Button>
            {!isOwner && <Note>Only owners of the workspace: such a token may be of any user.</Note>}
          </Row>
        </Stack>
      </form>
      {make.error && <Failure error={make.error} />}
      {make.data && <Made token={make.data.token} />}
    </Card>
  );
}

const Made = ({ token }: { token: string }) => (
  <div role="status">
    <Stack>
      <CodeBlock label="User token" isLabelShown code={token} />
      <CodeBlock label="What it says" isLabelShown code={JSON.stringify(claimsOf(token), null, 2)} />
    </Stack>
  </div>
);
