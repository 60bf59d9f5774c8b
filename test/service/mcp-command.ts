import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { ClientEra } from '../mcp/mcp-stage.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';

export const CLI = join(import.meta.dirname, '../../src/cli.ts');

export interface Assistant {
  client: Client;
  transport: StdioClientTransport;
  /** What the command has printed for people. */
  said(): string;
  /** Messages about lines on standard output that are none of the protocol. */
  faults: string[];
}

/** Starts `redpen mcp` as an assistant does, with the official client. */
export async function startAssistant({
  words = [],
  env = {},
  era = '2026-07-28',
  command = [process.execPath, CLI, 'mcp'],
  cwd,
}: {
  words?: string[];
  env?: Record<string, string>;
  era?: ClientEra;
  command?: string[];
  cwd?: string;
}): Promise<Assistant> {
  const transport = new StdioClientTransport({
    command: command[0]!,
    args: [...command.slice(1), ...words],
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE, ...env },
    stderr: 'pipe',
    ...(cwd !== undefined && { cwd }),
  });
  let said = '';
  transport.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const client = new Client(
    { name: 'Test assistant', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  );
  onTestFinished(() => client.close());
  const faults: string[] = [];
  client.onerror = (error) => faults.push(error.message);
  await client.connect(transport).catch((error: Error) => {
    throw new Error(`${error.message}\n${said}`);
  });
  return { client, transport, said: () => said, faults };
}
