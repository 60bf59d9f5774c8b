import type { Booted } from '../boot.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/tables.ts';
import { version } from '../lib/version.ts';
import { hasAccounts } from '../store/identity/accounts.ts';
import { consoleLink, createOperatorLink } from '../store/identity/sign-in-links.ts';
import { hasWorkspaces } from '../store/platform/workspaces.ts';
import type { LogFormat } from './log/create-log.ts';
import { reachable } from './setup/service-address.ts';

interface Ready extends Pick<Booted, 'database' | 'db' | 'log'> {
  /** Address at which this process listens, if it does. */
  url: string | undefined;
  format: LogFormat;
  /** True if a person reads the output, which is kept nowhere. */
  isTerminal: boolean;
}

/** Announces that the service is ready: by a greeting at a terminal, otherwise by one line of the log. */
export async function announceReady(
  { REDPEN_PUBLIC_URL, REDPEN_ROLES, REDPEN_CONSOLE }: Config,
  { database, db, log, url, format, isTerminal }: Ready,
): Promise<void> {
  const hasConsole = REDPEN_CONSOLE === 'on' && REDPEN_ROLES.includes('api');
  if (format === 'pretty' && log.isLevelEnabled('info')) {
    // A log would keep the code, which signs in as the owner.
    const code = isTerminal && hasConsole && url !== undefined ? await firstCode(db) : undefined;
    const publicUrl = REDPEN_PUBLIC_URL;
    process.stdout.write(
      printGreeting({
        url,
        publicUrl,
        serves: REDPEN_ROLES,
        hasWorkspace: await hasWorkspaces(db),
        console: hasConsole ? { code } : undefined,
      }),
    );
    return;
  }
  const serves = url !== undefined && REDPEN_ROLES.includes('api');
  const address = addressOf(url, REDPEN_PUBLIC_URL);
  log.info(
    {
      url,
      reference: serves ? `${url}/docs` : undefined,
      console: serves && hasConsole ? `${address}/console` : undefined,
      signIn: serves && hasConsole ? 'redpen console link' : undefined,
      roles: REDPEN_ROLES,
      database: database.kind,
    },
    'ready',
  );
}

/** The code of a link to the console; undefined once a person has signed in. */
async function firstCode(db: Db): Promise<string | undefined> {
  if (await hasAccounts(db)) return undefined;
  return await db.transaction().execute((tx) => createOperatorLink(tx));
}

const addressOf = (url: string | undefined, publicUrl: string | undefined): string | undefined =>
  (publicUrl ?? (url && reachable(url)))?.replace(/\/+$/, '');

/** Greeting for people at a terminal once the service is ready. */
export function printGreeting({
  url,
  publicUrl,
  serves,
  hasWorkspace,
  console,
}: {
  /** Address at which this process listens, if it does. */
  url: string | undefined;
  /** Address at which callers reach the service, if it is known. */
  publicUrl: string | undefined;
  serves: readonly string[];
  hasWorkspace: boolean;
  /** The console, with the code of a link that signs in to it; undefined if there is none. */
  console?: { code: string | undefined } | undefined;
}): string {
  const address = addressOf(url, publicUrl);
  const lines = [
    address === undefined
      ? `Redpen ${version} is ready, as ${serves.join(' and ')}`
      : `Redpen ${version} is ready at ${address}`,
    ...(address !== undefined && console ? printConsole(address, console.code) : []),
    ...(address !== undefined && serves.includes('api') ? [`  Reference  ${address}/docs`] : []),
    hasWorkspace
      ? '  Commands   npm run redpen -- --help'
      : '  Next step  npm run redpen -- workspace create you@example.com',
  ];
  return `\n${lines.join('\n')}\n\n`;
}

const printConsole = (address: string, code: string | undefined): string[] =>
  code === undefined
    ? [`  Console    ${address}/console   (sign in: npm run redpen -- console link)`]
    : [
        `  Console    ${consoleLink(address, code)}`,
        '             (once, within 24 hours; again: npm run redpen -- console link)',
      ];
