import { randomBytes } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ModelTool } from '../../src/outside/models/models.ts';
import { startServer } from '../demo-server.ts';

/** Agents without a model of their own, so that only the assistant needs one. */
const AGENTS = ['broken-links', 'accessibility-checker', 'spell-check'];
/** Settings of models, which the assistant has and the service does not need. */
const MODELS = ['ANTHROPIC', 'OPENAI', 'GOOGLE_GENERATIVE_AI'].flatMap((name) => [
  `${name}_API_KEY`,
  `${name}_BASE_URL`,
]);
/** The tools that the assistant needs: it decides on nothing and writes to nobody. */
const TOOLS = ['list_findings', 'get_finding', 'review_page', 'get_review'];

export interface Redpen {
  /** The words with which people start this work in their assistants. */
  prompt: string;
  /** The tools of Redpen for a model. */
  tools: ModelTool[];
  /** Reviews the pages, and returns the number of open findings. */
  review(urls: string[]): Promise<number>;
  close(): Promise<void>;
}

/** Starts a service that may review a host and forgets everything, and connects to it as an assistant does. */
export async function startRedpen(host: string): Promise<Redpen> {
  const [apiKey, authToken] = ['key_mend', randomBytes(24).toString('hex')];
  const server = await startServer({
    ...Object.fromEntries(MODELS.map((name) => [name, ''])),
    REDPEN_INIT_EMAIL: 'mend@example.com',
    REDPEN_INIT_API_KEY: apiKey,
    REDPEN_INIT_AUTH_TOKEN: authToken,
    REDPEN_ALLOW_HOSTS: host,
    REDPEN_CONSOLE: 'off',
  });
  const client = new Client({ name: 'Mending example', version: '1.0.0' });
  const close = async () => {
    await client.close();
    await server.stop();
  };
  try {
    const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
    );
    const { messages } = await client.getPrompt({ name: 'fix_findings', arguments: { severity: 'info' } });
    return {
      prompt: messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n'),
      tools: await toolsOf(client),
      review: (urls) => review(client, urls),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function toolsOf(client: Client): Promise<ModelTool[]> {
  const { tools } = await client.listTools();
  return tools
    .filter(({ name }) => TOOLS.includes(name))
    .map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      inputSchema,
      async call(input, signal) {
        const result = await client.callTool(
          { name, arguments: input as Record<string, unknown> },
          { signal },
        );
        return { text: textOf(result), isError: result.isError === true };
      },
    }));
}

async function review(client: Client, urls: string[]): Promise<number> {
  let result = await client.callTool({ name: 'review_page', arguments: { urls, agents: AGENTS } });
  for (;;) {
    const state = result.structuredContent as
      | { reviewId?: string; status?: string; counts?: { open: number } }
      | undefined;
    if (result.isError || state?.reviewId === undefined) throw new Error(textOf(result));
    if (state.status === 'ended' && state.counts) return state.counts.open;
    result = await client.callTool({
      name: 'get_review',
      arguments: { reviewId: state.reviewId, waitSeconds: 45 },
    });
  }
}

const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
