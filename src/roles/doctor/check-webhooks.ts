import { sql } from 'kysely';
import type { Database } from '../../db/connections/connect.ts';
import { relationExists } from '../../db/sql-fragments.ts';
import { type Guard, GuardRefusal, portOf } from '../../outside/net/ssrf-guard.ts';
import { asSentence, type Finding, joinFindings, ok, reasonOf, skipped, warning } from './check.ts';

const MAX_HOSTS = 20;

/** Connects to the hosts of webhook endpoints, including TLS, without sending anything. */
export async function checkWebhooks(
  database: Database | undefined,
  guard: Guard,
  signal: AbortSignal,
): Promise<Finding> {
  if (database === undefined) return skipped('The database cannot be inspected.');
  const { hosts, more } = await hostsOfEndpoints(database);
  if (hosts.length === 0) return skipped('No webhook endpoint is enabled.');
  const findings = await Promise.all(hosts.map((origin) => connect(origin, guard, signal)));
  const wrong = findings.filter(({ status }) => status !== 'ok');
  const reached = `${findings.length - wrong.length} of ${findings.length} hosts of webhook endpoints can be reached${more ? ` (the newest ${MAX_HOSTS} were checked)` : ''}.`;
  return joinFindings([ok(reached), ...wrong]);
}

async function hostsOfEndpoints({ db }: Database): Promise<{ hosts: string[]; more: boolean }> {
  if (!(await relationExists(db, 'webhook_endpoints'))) return { hosts: [], more: false };
  const rows = await db
    .selectFrom('webhookEndpoints')
    .select(sql<string>`substring(url from '^[^/]*//[^/?#]+')`.as('origin'))
    .where('disabled', '=', false)
    .groupBy('origin')
    .orderBy(sql`max(created_at)`, 'desc')
    .limit(MAX_HOSTS + 1)
    .execute();
  const hosts = [...new Set(rows.flatMap(({ origin }) => URL.parse(origin ?? '')?.origin ?? []))];
  return { hosts: hosts.slice(0, MAX_HOSTS), more: rows.length > MAX_HOSTS };
}

async function connect(origin: string, guard: Guard, signal: AbortSignal): Promise<Finding> {
  const url = new URL(origin);
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = () => reject(new Error('It did not respond in time'));
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      guard.connect(
        { hostname: url.hostname, host: url.host, protocol: url.protocol, port: String(portOf(url)) },
        (error, socket) => {
          signal.removeEventListener('abort', stop);
          socket?.destroy();
          if (error) reject(error);
          else resolve();
        },
      );
    });
    return ok(`${origin} can be reached.`);
  } catch (error) {
    if (error instanceof GuardRefusal)
      return warning(
        `${origin} is blocked: it is an internal address, or a port of other services.`,
        `If it is your own, allow ${url.host} with REDPEN_ALLOW_HOSTS, or with: redpen allow-host ${url.host}`,
      );
    return warning(
      asSentence(`${origin} cannot be reached: ${reasonOf(error)}`),
      'Deliveries are retried for days; ask its owner if the host is still correct.',
    );
  }
}
