import { idIn, type World } from './world.ts';

type Suggest = (world: World) => object[];

/**
 * Bodies, or parts of them, for operations with rules that no schema expresses. All must be valid; each is tried in
 * addition to the bodies built from the schema.
 */
const BY_PATH: Record<string, Suggest> = {
  '/v2/workspace/create': () => [{ ownerEmail: 'fresh-owner@example.com' }],
  '/v2/workspace/domains/add': () => [{ domains: ['new.example.com'] }],
  '/v2/workspace/domains/delete': () => [{ domains: ['example.net'] }],
  '/v2/session/start': ({ workspace }) => [
    { workspaceId: workspace.workspaceId, workspaceAuthToken: workspace.authToken },
  ],
  '/v2/agents/create': () => [{ name: 'Agent' }],
  '/v2/agents/version/update': () => [{ instructions: 'Look.' }],
  '/v2/agents/versions/create': () => [{ instructions: 'Look.' }],
  '/v2/agents/versions/restore': (world) => [{ agentId: world.own.agent }],
  '/v2/commentannotations/comments/add': ({ shared, own }) => {
    const from = { userId: shared.user };
    const reason = { title: 'Title', description: 'Description', severity: 'low' };
    const agent = { agentSource: 'platform', agentId: own.agent, reason };
    return [
      { commentData: [{ commentId: 77, commentText: 'Text', from }] },
      { commentData: [{ commentId: 77, commentText: 'Text', from, agent }] },
    ];
  },
  '/v1/organizations/documents/locations/update': ({ shared }) => [
    {
      organizationId: shared.organization,
      migrate: { oldLocation: { id: shared.location }, newLocation: { id: 'footer' } },
    },
  ],
  '/v2/memory/knowledge/ingest': ({ shared }) => [
    {
      source: 'inline',
      file: { base64: 'T25l', mimeType: 'text/plain', fileName: 'one.txt', fileSize: 3 },
      organizationId: shared.organization,
      documentId: shared.document,
    },
  ],
  '/v2/reviews/schedules/create': (world) => [
    { cron: '0 7 * * 1', review: reviewOn(world) },
    { cron: '0 7 * * 1', review: { urls: ['https://example.com/'], agents: ['spell-check'] } },
  ],
  '/v2/reviews/schedules/update': (world) => [
    { scheduleId: world.own.schedule, review: reviewOn(world) },
    { scheduleId: world.own.schedule, review: { urls: ['https://example.com/'], agents: ['spell-check'] } },
  ],
  '/v2/crdt/add': () => [{ editorId: 'footer', type: 'text', data: 'Text' }],
  '/v2/notifications/update': ({ shared }) => [
    { notifications: [{ id: shared.notification, readByUserIds: [shared.user] }] },
  ],
  '/v2/organizations/folders/update': ({ own, shared }) => [
    { folders: [{ folderId: own.folder, parentFolderId: shared.folder }] },
  ],
  '/v2/organizations/documents/migrate': (world) => [
    { documentId: idIn(world, 'document'), newDocumentId: 'new-home' },
  ],
};

/** The data of a review on a document. */
const reviewOn = ({ shared }: World) => ({
  urls: ['https://example.com/'],
  agents: ['spell-check'],
  organizationId: shared.organization,
  documentId: shared.document,
});

export const suggestions = (path: string, world: World): object[] => BY_PATH[path]?.(world) ?? [];
