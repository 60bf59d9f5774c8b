import type { Client } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Models, ModelTool } from '../../src/outside/models/models.ts';
import { runReview } from '../../src/review/run/run-review.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';
import { textIn } from './mcp-stage.ts';

const INSTRUCTIONS =
  'You work for a web team. Use the tools of Redpen, do exactly what is asked and nothing else, and answer in a few words.';
/** More turns than a task may take calls, so that too many of them are seen. */
const MOST_TURNS = 12;

export interface Conversation {
  answer: string;
  /** The names of the tools that the model called, in order. */
  calls: string[];
}

/** Lets a model use the tools of a client, and its resources, as the programs do in which assistants run. */
export async function converse(client: Client, models: Models, ask: string): Promise<Conversation> {
  const calls: string[] = [];
  const { data } = await models.ask({
    choice: models.choose(),
    instructions: INSTRUCTIONS,
    parts: [{ text: ask }],
    tools: [...(await toolsOf(client)), ...resourceTools(client)].map((tool) => ({
      ...tool,
      call(input, signal) {
        calls.push(tool.name);
        return tool.call(input, signal);
      },
    })),
    maxToolTurns: MOST_TURNS,
    timeoutMs: 300_000,
  });
  return { answer: String(data), calls };
}

async function toolsOf(client: Client): Promise<ModelTool[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name, description = '', inputSchema }) => ({
    name,
    description,
    inputSchema,
    async call(input, signal) {
      const given = input as Record<string, unknown>;
      const result = await client.callTool({ name, arguments: given }, { signal, timeout: 120_000 });
      return { text: textIn(result), isError: result.isError === true };
    },
  }));
}

/** Programs give models the resources of a server by tools of their own. */
const resourceTools = (client: Client): ModelTool[] => [
  {
    name: 'list_resources',
    description: 'Lists the resources of Redpen.',
    inputSchema: { type: 'object', properties: {} },
    call: async () => ({ text: JSON.stringify((await client.listResources()).resources), isError: false }),
  },
  {
    name: 'read_resource',
    description: 'Reads a resource of Redpen.',
    inputSchema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
    async call(input) {
      const { contents } = await client.readResource({ uri: (input as { uri: string }).uri });
      return { text: contents.map((one) => ('text' in one ? one.text : '')).join('\n'), isError: false };
    },
  },
];

/** Executes the reviews of a workspace, as a worker would, until the test ends. */
export async function workReviews(w: TestWorkspace): Promise<void> {
  const { deps } = await testApp();
  const stop = new AbortController();
  const { workspaceId, apiKeyId } = w;
  const work = async () => {
    while (!stop.signal.aborted) {
      const { reviews } = await w.must('/v2/reviews/list', { status: 'running' });
      for (const { id: reviewId } of reviews)
        await runReview({ workspaceId, apiKeyId, reviewId }, deps, stop.signal);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const working = work();
  onTestFinished(async () => {
    stop.abort();
    await working.catch(() => {});
  });
}
