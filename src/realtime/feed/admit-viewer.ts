import { admit } from '../../access/admit.ts';
import type { Db } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { documentExists, documentMissing } from '../../store/documents/documents.ts';
import { organizationMissing } from '../../store/documents/organizations.ts';
import { loadStanding, organizationKey } from '../../store/live/stream-credentials.ts';
import type { Viewer } from './viewer.ts';

/**
 * Lets through whoever may listen there at all. Of an organization as a whole that is everybody with a token:
 * which documents they may read is asked of each event.
 */
export async function admitViewer(db: Db, viewer: Viewer): Promise<void> {
  const { organizationId, documentId, user } = viewer;
  const standing = await loadStanding(db, [viewer]);
  const organization = standing.organizations.get(organizationKey(viewer));
  if (!user) {
    if (!organization) throw organizationMissing();
    if (documentId !== undefined && !(await documentExists(db, viewer, { organizationId, documentId }))) {
      throw documentMissing();
    }
    return;
  }
  if (!organization || organization.disabled) {
    throw permissionDenied('User does not have access to organization');
  }
  if (documentId !== undefined) await admit(db, viewer, { organizationId, documentId }, 'viewer');
}
