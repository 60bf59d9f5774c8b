/** The client that the conformance suite runs: connects to the given URL and calls each tool once. */

import { createConnectMcp } from '../../src/outside/mcp/create-connect-mcp.ts';
import { createGuard } from '../../src/outside/net/ssrf-guard.ts';

const url = process.argv.at(-1)!;
const { signal } = new AbortController();
const connectMcp = createConnectMcp({ guard: createGuard({ allowHosts: ['localhost', '127.0.0.1'] }) });

const connection = await connectMcp({ id: 'suite', url, headers: {}, timeoutMs: 60_000 }, { signal });
for (const { name, inputSchema } of connection.tools) {
  const input = Object.fromEntries(
    Object.keys(inputSchema.properties ?? {}).map((property, index) => [property, index + 2]),
  );
  const { text, isError } = await connection.call(name, input, signal);
  if (isError) throw new Error(`${name}: ${text}`);
}
await connection.close();
