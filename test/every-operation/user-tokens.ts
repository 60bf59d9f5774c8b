import { type Reply, send } from '../harness.ts';
import { candidates } from './bodies.ts';
import type { Operation } from './operations.ts';
import { andBack, freshened, type Stage, validBody } from './validate.ts';
import { idIn, type World } from './world.ts';

/** What a user is granted, as generate_token takes it. */
export type Resource = Record<string, string>;

const tokens = new Map<string, Promise<string>>();

/** A token of a user, the one whom the world's rows name unless told otherwise; the rows stay as they were. */
export function userToken(
  stage: Stage,
  resources: Resource[],
  userId = String(stage.a.shared.user),
): Promise<string> {
  const key = JSON.stringify([resources, userId]);
  const token = tokens.get(key) ?? makeToken(stage, resources, userId);
  tokens.set(key, token);
  return token;
}

async function makeToken(stage: Stage, resources: Resource[], userId: string): Promise<string> {
  const { workspace } = stage.a;
  const [made] = await andBack(stage, () =>
    workspace.must('/v2/auth/generate_token', {
      userId,
      userProperties: { name: 'Jane', email: 'jane@example.com' },
      permissions: { resources },
    }),
  );
  return made.token;
}

export const levels = ['organization', 'folder', 'document'] as const;

/** The ways in which a user can be granted a role where the bodies of these tests work. */
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
  send(path, freshened(JSON.stringify({ data })), { authorization: `Bearer ${token}` });

/** A body that the operation answers with success to this token; undefined where none was found. */
export async function bodyForUser(operation: Operation, stage: Stage, token: string): Promise<unknown> {
  const known = await validBody(operation, stage);
  let tries = 0;
  for (const body of [known, ...candidates(operation, stage.a)]) {
    if (tries++ === 100) return undefined;
    const [{ status }] = await andBack(stage, () => askAsUser(operation, token, body));
    if (status === 200) return body;
  }
  return undefined;
}

/** Ways in which everything of the first organization is closed to a user, with what token the user then asks. */
export const closings: Record<string, { close(world: World): Promise<unknown>; userId: string }> = {
  'a stranger nothing of what is restricted': {
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
  'an editor nothing of a disabled organization': {
    close: ({ workspace, shared }) =>
      workspace.must('/v2/organizations/access/disablestate/update', {
        organizationIds: [shared.organization],
        disabled: true,
      }),
    userId: 'jane',
  },
};
