import type { Fields } from '../../lib/json.ts';
import type { Visibility } from '../../shapes/annotations/annotation.ts';
import type { AnnotationBody } from '../../shapes/annotations/annotation-record.ts';
import type { CommentBody } from '../../shapes/annotations/comment.ts';
export interface DocumentTables {
  organizations: {
    apiKeyId: string;
    organizationId: string;
    name: string;
    disabled: boolean;
    metadata: Fields;
    createdAt: number;
    updatedAt: number;
  };
  documents: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    name: string;
    folderId: string | null;
    /** Null where the key's default applies. */
    accessType: string | null;
    disabled: boolean;
    metadata: Fields;
    nextAnnotationNumber: number;
    createdAt: number;
    updatedAt: number;
  };
  annotations: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    annotationNumber: number;
    authorId: string;
    statusId: string;
    locationId: string | null;
    agentId: string | null;
    executionId: string | null;
    /** The page an agent found it on. */
    agentUrl: string | null;
    suggestionStatus: string | null;
    /** Who may see it: `{ type, organizationId?, organizationIds?, userIds? }`; null is public. */
    visibility: Visibility | null;
    /** The rest of the record, as the wire has it. */
    body: AnnotationBody;
    createdAt: number;
    lastUpdated: number;
  };
  comments: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    commentId: number;
    authorId: string;
    body: CommentBody;
    createdAt: number;
    lastUpdated: number;
  };
  annotationViews: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    userId: string;
    viewedAt: number;
  };
  folders: {
    apiKeyId: string;
    organizationId: string;
    folderId: string;
    name: string;
    /** Null at the top. */
    parentId: string | null;
    /** From the top down to the parent. */
    ancestors: string[];
    /** Its own; null where it takes that of its parent. */
    accessType: string | null;
    /** Its own or the nearest ancestor's; null where none has one, which leaves the API key's default. */
    effectiveAccessType: string | null;
    metadata: Fields;
    createdAt: number;
    updatedAt: number;
  };
  documentMigrations: {
    apiKeyId: string;
    organizationId: string;
    migrationId: string;
    documentId: string;
    newDocumentId: string;
    status: 'pending' | 'in_progress' | 'completed' | 'failed';
    error: string | null;
    /** How often a process began to move it. */
    attempts: number;
    createdAt: number;
    updatedAt: number;
  };
}
