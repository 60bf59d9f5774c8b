import { z } from 'zod';
import { editorId } from '../../shapes/crdt.ts';
import { documentId, organizationId } from '../../shapes/id-fields.ts';
import type { EditorRef } from '../../store/live/crdt-editors.ts';

const parts = z.tuple([organizationId, documentId, editorId]);

/** The name under which clients open an editor: `organizationId/documentId/editorId`, each part URI-encoded. */
export const documentNameOf = ({ organizationId, documentId, editorId }: EditorRef): string =>
  [organizationId, documentId, editorId].map(encodeURIComponent).join('/');

/** Parses a document name; undefined if it is malformed. */
export function editorOf(name: string): EditorRef | undefined {
  let decoded: string[];
  try {
    decoded = name.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  if (decoded.some((part) => part.includes('\0'))) return undefined;
  const parsed = parts.safeParse(decoded);
  if (!parsed.success) return undefined;
  const [organizationId, documentId, editorId] = parsed.data;
  return { organizationId, documentId, editorId };
}
