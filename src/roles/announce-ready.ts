import type { Booted } from '../boot.ts';
import type { Config } from '../config.ts';
import { version } from '../lib/version.ts';
import { hasWorkspaces } from '../store/platform/workspaces.ts';
import type { LogFormat } from './log/create-log.ts';
import { reachable } from './setup/service-address.ts';

/** Announces that the service is ready: by a greeting at a terminal, otherwise by one line of the log. */
export async function announceReady(
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

/** Greeting for people at a terminal once the service is ready. */
export function printGreeting({
  url,
  publicUrl,
  serves,
  hasWorkspace,
}: {
  /** Address at which this process listens, if it does. */
  url: string | undefined;
  /** Address at which callers reach the service, if it is known. */
  publicUrl: string | undefined;
  serves: readonly string[];
  hasWorkspace: boolean;
}): string {
  const address = (publicUrl ?? (url && reachable(url)))?.replace(/\/+$/, '');
  const lines = [
    address === undefined
      ? `Redpen ${version} is ready, as ${serves.join(' and ')}`
      : `Redpen ${version} is ready at ${address}`,
    ...(address !== undefined && serves.includes('api') ? [`  Reference  ${address}/docs`] : []),
    hasWorkspace
      ? '  Commands   npm run redpen -- --help'
      : '  Next step  npm run redpen -- workspace create you@example.com',
  ];
  return `\n${lines.join('\n')}\n\n`;
}
