import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGLITE_FOLDER } from '../../../postgres/pglite-folder.ts';
import { isPageAddress, WrongUse } from '../review/review-settings.ts';
import type { McpFlags } from './mcp-program.ts';

/** Headers with the credentials of a caller. */
export type Credentials = Readonly<Record<string, string>>;

export interface McpPlan {
  /** A running service, or the data folder of one. */
  service: { url: string; credentials: Credentials } | { folder: string; keyId: string | undefined };
  /** True for a personal token. */
  isPerson: boolean;
  isReadOnly: boolean;
}

interface Given {
  flags: McpFlags;
  environment: NodeJS.ProcessEnv;
  /** Paths are relative to it. */
  folder: string;
}

export const asKey = (apiKey: string, authToken: string): Credentials => ({
  'x-service-api-key': apiKey,
  'x-service-auth-token': authToken,
});

/** Joins command line and environment. Throws WrongUse with all that is wrong. */
export function planMcp(given: Given): McpPlan {
  const { flags } = given;
  const problems: string[] = [];
  if (flags.url !== undefined && flags.data !== undefined)
    problems.push('--url and --data name two services: leave one out.');
  const plan = flags.url === undefined ? planFolder(given, problems) : planUrl(given, flags.url, problems);
  if (problems.length > 0) throw new WrongUse(problems.join('\n'));
  return plan;
}

function planUrl({ flags, environment }: Given, given: string, problems: string[]): McpPlan {
  // The console shows the address of the protocol over HTTP.
  const [, url = given, readOnly] = /^(.*?)(?:\/mcp(\/readonly)?)?\/*$/.exec(given) ?? [];
  if (!isPageAddress(url))
    problems.push(
      '--url must be the address of a service without a user name and password, such as https://redpen.example.com.',
    );
  if (flags.key !== undefined)
    problems.push('--key belongs to --data. With --url, --api-key names the API key.');
  const token = flags.token ?? environment.REDPEN_TOKEN;
  const apiKey = flags.apiKey ?? environment.REDPEN_API_KEY;
  const authToken = flags.authToken ?? environment.REDPEN_AUTH_TOKEN;
  const usesKey = !token && apiKey && authToken;
  if (!token && !usesKey)
    problems.push(
      '--url needs a personal token in REDPEN_TOKEN: make one in the console under Assistants. An API key works as well: set REDPEN_API_KEY and REDPEN_AUTH_TOKEN.',
    );
  if (token && !/^[\x21-\x7e]+$/.test(token))
    problems.push('REDPEN_TOKEN is no token: it has other characters.');
  return {
    service: {
      url,
      credentials: usesKey ? asKey(apiKey, authToken) : { authorization: `Bearer ${token}` },
    },
    isPerson: !usesKey,
    isReadOnly: flags.readOnly === true || readOnly !== undefined,
  };
}

function planFolder({ flags, environment, folder }: Given, problems: string[]): McpPlan {
  if (flags.token !== undefined || flags.apiKey !== undefined || flags.authToken !== undefined)
    problems.push(
      '--token, --api-key and --auth-token belong to --url. With a folder, --key names the API key.',
    );
  if (environment.DATABASE_URL)
    problems.push('DATABASE_URL is set, so the data is in no folder: start the service, and use --url.');
  const path = resolve(folder, flags.data ?? (environment.REDPEN_DATA_DIR || 'data'));
  // A folder of an earlier version is refused by its service, which says how its data is carried over.
  if (!['postgres', PGLITE_FOLDER].some((name) => existsSync(join(path, name))))
    problems.push(
      `${path} is no data folder of a service. Name one with --data, begin one with npm run redpen -- workspace create you@example.com, or name a running service with --url.`,
    );
  return {
    service: { folder: path, keyId: flags.key },
    isPerson: false,
    isReadOnly: flags.readOnly === true,
  };
}
