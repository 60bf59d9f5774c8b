import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import type { Said } from './outcome.ts';

/** What a client needs to reach the service and be known to it, as environment variables. */
export interface ClientVariables {
  REDPEN_URL?: string | undefined;
  REDPEN_WORKSPACE_ID?: string;
  REDPEN_WORKSPACE_TOKEN?: string;
  REDPEN_API_KEY?: string;
  REDPEN_AUTH_TOKEN?: string;
  REDPEN_USER_TOKEN?: string;
}

/** The base of the service's addresses as its settings tell it; undefined where it takes a free port. */
export function urlOfService({ HOST, PORT, REDPEN_PUBLIC_URL }: Config): string | undefined {
  if (REDPEN_PUBLIC_URL !== undefined) return REDPEN_PUBLIC_URL.replace(/\/+$/, '');
  if (PORT === 0) return undefined;
  // A service that listens on all addresses is reached at that of the same machine.
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${PORT}`;
}

/** Lines that a shell takes with `eval`, or one JSON object of the same names. */
export function printVariables(
  variables: ClientVariables,
  { json, notice }: { json?: boolean | undefined; notice: string[] },
): Said {
  const entries = Object.entries(variables).filter((entry) => entry[1] !== undefined) as [string, string][];
  const output = json
    ? `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
    : entries.map(([name, value]) => `export ${name}=${quoted(value)}\n`).join('');
  const lines = [
    ...notice,
    ...('REDPEN_URL' in variables && variables.REDPEN_URL === undefined
      ? ['PORT is 0, so that only the log of the service knows its address: set REDPEN_URL to that.']
      : []),
  ];
  return { output, notice: lines.map((line) => `${line}\n`).join('') };
}

/** As POSIX shells take a text as it stands. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
