import type { Booted } from '../boot.ts';
import type { Config } from '../config.ts';
import { hasWorkspaces } from '../store/platform/workspaces.ts';
import { printGreeting } from './greeting.ts';
import type { LogFormat } from './log/create-log.ts';

/** Says that the service is ready: to people in a few lines, to programs in one line of the log. */
export async function tellReady(
  { REDPEN_PUBLIC_URL, REDPEN_ROLES }: Config,
  { database, db, log }: Pick<Booted, 'database' | 'db' | 'log'>,
  url: string | undefined,
  format: LogFormat,
): Promise<void> {
  if (format === 'pretty' && log.isLevelEnabled('info')) {
    process.stdout.write(
      printGreeting({
        url,
        publicUrl: REDPEN_PUBLIC_URL,
        serves: REDPEN_ROLES,
        hasWorkspace: await hasWorkspaces(db),
      }),
    );
    return;
  }
  const reference = url !== undefined && REDPEN_ROLES.includes('api') ? `${url}/docs` : undefined;
  log.info({ url, reference, roles: REDPEN_ROLES, database: database.kind }, 'ready');
}
