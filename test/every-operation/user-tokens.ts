import { type Reply, send } from '../service/harness.ts';
import { candidates } from './bodies.ts';
import type { Operation } from './operations.ts';
import { runAndRestore, type Stage, validBody, withFreshNames, withShortWaits } from './validate.ts';
import { idIn, type World } from './world.ts';

/** A grant to a user, in the format of generate_token. */
export type Resource = Record<string, string>;

/** Writes of a viewer: their own presence and what they have read, which change nothing for others. */
export const FOR_VIEWERS = [
  '/v2/presence/add',
  '/v2/presence/update',
  '/v2/presence/delete',
  '/v2/commentannotations/unread/clear',
];

const tokens = new Map<string, Promise<string>>();

/** A token of a user, by default the shared user of the worlds. Leaves no changed rows behind. */
export function userToken(
  stage: Stage,
  resources: Resource[],
  userId = String(stage.a.shared.user),
): Promise<string> {
  const key = JSON.stringify([resources, userId]);
  const token = tokens.get(key) ?? createToken(stage, resources, userId);
  tokens.set(key, token);
  return token;
}

async function createToken(stage: Stage, resources: Resource[], userId: string): Promise<string> {
  const { workspace } = stage.a;
  const [created] = await runAndRestore(stage, () =>
    workspace.must('/v2/auth/generate_token', {
      userId,
      userProperties: { name: 'Jane', email: 'jane@example.com' },
      permissions: { resources },
    }),
  );
  return created.token;
}

export const levels = ['organization', 'folder', 'document'] as const;

/** Grants of a role at each level, for the organization, folder and document that the bodies use. */
export function grants(
  world: World,
  accessRole: 'viewer' | 'editor',
): Record<(typeof levels)[number], Resource[]> {
  const organizationId = String(idIn(world, 'organization'));
  const of = (type: string, id: unknown): Resource => ({ type, id: String(id), accessRole, organizationId });
  return {
    organization: [of('organization', organizationId)],
    folder: [of('folder', idIn(world, 'folder'))],
    document: [of('document', idIn(world, 'document'))],
  };
}

export const askAsUser = ({ path }: Operation, token: string, data: unknown): Promise<Reply> =>
  send(path, withShortWaits(withFreshNames(JSON.stringify({ data }))), { authorization: `Bearer ${token}` });

/** A body with which the operation succeeds for this token; undefined if none is found. */
export async function bodyForUser(operation: Operation, stage: Stage, token: string): Promise<unknown> {
  const known = await validBody(operation, stage);
  let tries = 0;
  for (const body of [known, ...candidates(operation, stage.a)]) {
    if (tries++ === 100) return undefined;
    const [{ status }] = await runAndRestore(stage, () => askAsUser(operation, token, body));
    if (status === 200) return body;
  }
  return undefined;
}

/** Ways to close the first organization to a user, and the user whose token is then tried. */
export const closings: Record<string, { close(world: World): Promise<unknown>; userId: string }> = {
  'a stranger, if the documents are restricted': {
    async close({ workspace, shared, own }) {
      const place = { organizationId: shared.organization, accessType: 'restricted' };
      const documentIds = [shared.document, own.document];
      await workspace.must('/v2/organizations/documents/access/update', { ...place, documentIds });
      await workspace.must('/v2/organizations/folders/access/update', {
        ...place,
        folderIds: [shared.folder],
      });
    },
    userId: 'stranger',
  },
  'an editor, if the organization is disabled': {
    close: ({ workspace, shared }) =>
      workspace.must('/v2/organizations/access/disablestate/update', {
        organizationIds: [shared.organization],
        disabled: true,
      }),
    userId: 'jane',
  },
};
