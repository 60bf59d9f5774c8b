import type { Fields } from '../../lib/json.ts';
import type { Visibility } from '../../shapes/annotations/annotation.ts';
import type { AnnotationBody } from '../../shapes/annotations/annotation-record.ts';
import type { CommentBody } from '../../shapes/annotations/comment-record.ts';
import type { User } from '../../shapes/user.ts';

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
    /** Null if the API key's default applies. */
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
    /** The page on which an agent found it. */
    agentUrl: string | null;
    suggestionStatus: string | null;
    /** The cause that a suggestion of an agent is about. */
    causeId: string | null;
    /** Null for public annotations. */
    visibility: Visibility | null;
    /** The other fields of the record, as on the wire. */
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
  reactions: {
    apiKeyId: string;
    organizationId: string;
    documentId: string;
    annotationId: string;
    /** -1 for a reaction to the annotation itself. */
    commentId: number;
    reactionId: string;
    userId: string;
    author: User;
    createdAt: number;
  };
  folders: {
    apiKeyId: string;
    organizationId: string;
    folderId: string;
    name: string;
    /** Null for a folder at the top level. */
    parentId: string | null;
    /** From the top level down to the parent. */
    ancestors: string[];
    /** Its own access type; null if it inherits that of its parent. */
    accessType: string | null;
    /**
     * Its own access type or that of the nearest ancestor with one; null if the API key's default applies.
     */
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
    /** Number of times that a process started the move. */
    attempts: number;
    createdAt: number;
    updatedAt: number;
  };
}
