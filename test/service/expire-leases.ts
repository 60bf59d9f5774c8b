import pg from 'pg';
import type { Service } from './service.ts';

/**
 * Expires the leases of a killed service, which would otherwise take half a minute. Leases of webhook endpoints do not
 * name their process, so no other service on the database may deliver webhooks.
 */
export async function expireLeases(databaseUrl: string, { process }: Service): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('update executions set lease_until = 0 where lease_owner like $1', [
      `${process.pid}-%`,
    ]);
    await client.query('update webhook_leases set until = 0');
  } finally {
    await client.end();
  }
}
