import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { organizationId } from '../../../../shapes/id-fields.ts';
import { requireMigration } from '../../../../store/documents/document-migrations.ts';

export default read({
  path: '/v2/organizations/documents/migrate/status',
  auth: 'apiKey',
  summary: 'Get the progress of a document migration.',
  description:
    'Ask until the status is `completed` or `failed`, or receive the event `document.migrate`, which is raised on completion only.',
  data: z
    .object({ organizationId, migrationId: z.string().min(1).max(200) })
    .meta({ examples: [{ organizationId: 'acme', migrationId: 'mig_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({
    migrationId: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
    error: z.string().optional().describe('Reason of the failure.'),
  }),
  message: 'Migration status retrieved successfully.',
  failures: { NOT_FOUND: 'The migration does not exist.' },

  async handle({ organizationId, migrationId }, { db, caller }) {
    const { status, error } = await requireMigration(db, caller, organizationId, migrationId);
    return { migrationId, status, ...(error !== null && { error }) };
  },
});
