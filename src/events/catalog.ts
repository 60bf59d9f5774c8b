import { z } from 'zod';

const organizationId = z.string();
const documentId = z.string();
const folder = z.object({ organizationId, folderId: z.string(), folderName: z.string() });
const agent = z.object({ agentId: z.string(), name: z.string(), version: z.number().int() });

/** Every event that a change can raise, with what it carries. Ids are the caller's own. */
export const events = {
  'organization.add': z.object({ organizationId, organizationName: z.string() }),
  'organization.update': z.object({ organizationId, organizationName: z.string() }),
  'organization.delete': z.object({ organizationId }),
  'folder.add': folder,
  'folder.update': folder,
  'folder.delete': z.object({ organizationId, folderId: z.string() }),
  'document.add': z.object({ organizationId, documentId, documentName: z.string() }),
  'document.update': z.object({ organizationId, documentId, documentName: z.string() }),
  'document.delete': z.object({ organizationId, documentId }),
  'document.migrate': z.object({
    organizationId,
    documentId,
    newDocumentId: z.string(),
    migrationId: z.string(),
  }),
  'agent.add': agent,
  'agent.update': agent,
  'agent.delete': z.object({ agentId: z.string() }),
  'comment_annotation.add': z.object({
    organizationId,
    documentId,
    annotationId: z.string(),
    commentAnnotation: z.record(z.string(), z.unknown()),
  }),
  'comment_annotation.delete': z.object({ organizationId, documentId, annotationId: z.string() }),
  'agent_execution.completed': z.object({
    executionId: z.string(),
    agentId: z.string(),
    agentName: z.string(),
    agentVersion: z.number().int(),
    organizationId,
    documentId,
    status: z.enum(['passed', 'failed', 'partial', 'error', 'skipped']),
    seedUrl: z.string(),
    startedAt: z.number(),
    completedAt: z.number(),
    resultsSummary: z.record(z.string(), z.unknown()),
    llmModel: z.string().optional(),
    tokenUsage: z
      .object({ promptTokens: z.number(), completionTokens: z.number(), totalTokens: z.number() })
      .optional(),
  }),
} as const;

export type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

export type Event = {
  [Name in EventName]: {
    id: string;
    name: Name;
    payload: EventPayload<Name>;
    workspaceId: string;
    apiKeyId: string;
    createdAt: number;
  };
}[EventName];
