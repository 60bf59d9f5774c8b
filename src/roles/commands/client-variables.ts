import type { CommandText } from '../terminal/outcome.ts';

/** Environment variables with which a client reaches the service and authenticates. */
export interface ClientVariables {
  REDPEN_URL?: string | undefined;
  REDPEN_WORKSPACE_ID?: string;
  REDPEN_WORKSPACE_TOKEN?: string;
  REDPEN_API_KEY?: string;
  REDPEN_AUTH_TOKEN?: string;
  REDPEN_USER_TOKEN?: string;
}

/** Prints export lines for `eval` in a shell, or one JSON object. */
export function printVariables(
  variables: ClientVariables,
  { json, notice }: { json?: boolean | undefined; notice: string[] },
): CommandText {
  const entries = Object.entries(variables).filter((entry) => entry[1] !== undefined) as [string, string][];
  const output = json
    ? `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
    : entries.map(([name, value]) => `export ${name}=${quoted(value)}\n`).join('');
  const lines = [
    ...notice,
    ...('REDPEN_URL' in variables && variables.REDPEN_URL === undefined
      ? [
          'PORT is 0 and no service runs on this data folder: set REDPEN_URL to the address that its log names.',
        ]
      : []),
  ];
  return { output, notice: lines.map((line) => `${line}\n`).join('') };
}

/** Quotes a text for POSIX shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
