import { Server } from '@modelcontextprotocol/server';

/** A PNG of one pixel, and a WAV without samples. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

/** Results of the tools without behaviour of their own. */
const RESULTS = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

const RESOURCES: Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }> = {
  'test://static-text': {
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
};

const PROMPTS: Record<
  string,
  (given: Record<string, string>) => (ReturnType<typeof embedded> | typeof image | ReturnType<typeof text>)[]
> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
};

/** A server with the tools, resources and prompts that the conformance suite asks for. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {}, prompts: {} } },
  );
  const names = [...Object.keys(RESULTS), 'test_error_handling', 'test_tool_with_progress'];
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...names.map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
      { name: 'json_schema_2020_12_tool', description: 'Tool with a whole schema', inputSchema: SCHEMA },
    ],
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, { mcpReq }) => {
    if (name === 'test_error_handling')
      return { isError: true, content: [text('This tool intentionally returns an error for testing')] };
    const progressToken = mcpReq._meta?.progressToken;
    if (name === 'test_tool_with_progress' && progressToken !== undefined) {
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
    }
    return { content: RESULTS[name as keyof typeof RESULTS] ?? [text('Done.')] };
  });
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: uri,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const found = RESOURCES[uri] ?? {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name, description: name })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: PROMPTS[params.name]!(params.arguments ?? {}).map((content) => ({
      role: 'user' as const,
      content,
    })),
  }));
  return server;
}
