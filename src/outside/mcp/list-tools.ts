import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { shorten } from '../../lib/text/cut-text.ts';
import { cleanText } from './clean-tool-text.ts';
import { cleanSchema, headerFault, schemaFault } from './input-schema.ts';
import type { McpTool } from './mcp.ts';

const MAX_TOOLS = 64;
const MAX_PAGES = 32;
const MAX_NOTES = 20;
const MAX_DESCRIPTION = 1_500;
/** Characters of all descriptions and schemas together, which are sent to the model with every turn. */
const MAX_CHARS = 200_000;

/** Names that the protocol allows; any other could break a header or a line of the log. */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const NO_SUCH_METHOD = -32_601;

/** Tools are validated one by one later, so that one broken tool does not cost the others. */
const page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional().catch(undefined),
});

export interface ListedTool extends McpTool {
  /** The server's original schema, which defines the arguments that go into headers. */
  givenSchema: Record<string, unknown>;
}

/** Lists the tools that can be offered, and the reasons that others cannot. */
export async function listTools(
  client: Client,
  allowed: readonly string[] | undefined,
  options: { signal: AbortSignal; timeout: number },
): Promise<{ tools: ListedTool[]; notes: string[] }> {
  const tools = new Map<string, ListedTool>();
  const notes = new Set<string>();
  let chars = 0;

  const take = (given: unknown): void => {
    const { name, description, inputSchema } = (given ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
      return void notes.add(`A tool is left out, since ${nameOf(name)} is no name of a tool.`);
    }
    if (allowed && !allowed.includes(name)) return;
    if (tools.has(name)) return void notes.add(`A second tool named ${name} is left out.`);
    const fault =
      schemaFault(inputSchema) ??
      (client.getProtocolEra() === 'modern'
        ? headerFault(inputSchema as ListedTool['givenSchema'])
        : undefined);
    if (fault) return void notes.add(`The tool ${name} is left out, since ${fault}.`);
    const givenSchema = inputSchema as ListedTool['givenSchema'];
    const tool = {
      name,
      description: cleanText(typeof description === 'string' ? description : '', MAX_DESCRIPTION),
      inputSchema: cleanSchema(givenSchema),
      givenSchema,
    };
    const size = tool.description.length + JSON.stringify(tool.inputSchema).length;
    if (tools.size === MAX_TOOLS || chars + size > MAX_CHARS) {
      return void notes.add(`The server offers more tools than are taken; there are ${tools.size} of them.`);
    }
    chars += size;
    tools.set(name, tool);
  };

  const asked = new Set<string | undefined>();
  let cursor: string | undefined;
  do {
    asked.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, page, options).catch((error) => {
      // A server without tools need not implement the method.
      if ((error as { code?: unknown }).code === NO_SUCH_METHOD) return { tools: [] };
      throw error;
    });
    answer.tools.forEach(take);
    cursor = (answer as z.infer<typeof page>).nextCursor;
  } while (cursor !== undefined && !asked.has(cursor) && asked.size < MAX_PAGES && tools.size < MAX_TOOLS);

  for (const name of allowed ?? []) {
    if (!tools.has(name)) notes.add(`The server offers no tool ${nameOf(name)} that could be used.`);
  }
  return { tools: [...tools.values()], notes: [...notes].slice(0, MAX_NOTES) };
}

const nameOf = (name: unknown) => JSON.stringify(shorten(cleanText(String(name), 60), 60));
