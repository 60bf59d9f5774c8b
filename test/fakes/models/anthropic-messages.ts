import { z } from 'zod';
import { counts, type Format, firstProblem, halves, isClosed, type Spoken, spokenText } from './question.ts';

const cache = { cache_control: z.object({ type: z.literal('ephemeral') }).optional() };
const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), ...cache });
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
  ...cache,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  ...cache,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(text)]),
  is_error: z.boolean().optional(),
  ...cache,
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});

const request = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  temperature: z.number().min(0).max(1).optional(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(text)]).optional(),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({
          role: z.literal('user'),
          content: z.union([z.string().min(1), z.array(z.union([text, image, toolResult])).min(1)]),
        }),
        z.strictObject({
          role: z.literal('assistant'),
          content: z.union([z.string().min(1), z.array(z.union([text, toolUse, thinking])).min(1)]),
        }),
      ]),
    )
    .min(1),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        eager_input_streaming: z.boolean().optional(),
        strict: z.boolean().optional(),
        ...cache,
      }),
    )
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({
        type: z.literal('tool'),
        name: z.string(),
        disable_parallel_tool_use: z.boolean().optional(),
      }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      format: z.strictObject({
        type: z.literal('json_schema'),
        schema: z.unknown().refine((schema) => isClosed(schema, false), {
          error: "For 'object' type, 'additionalProperties' must be explicitly set to false",
        }),
      }),
    })
    .optional(),
});

type Body = z.infer<typeof request>;
type Block = Exclude<Body['messages'][number]['content'], string>[number];

const blocks = (content: Body['messages'][number]['content']): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Rules that the schema cannot express: roles alternate, and each tool call has its result in the next message. */
function conversationFault({ messages, tools }: Body): string | undefined {
  let open: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if ((index % 2 === 0) !== (role === 'user'))
      return 'messages: roles must alternate, beginning with "user"';
    const results = blocks(content).flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    if (open.join() !== results.join()) {
      return `messages.${index}: \`tool_use\` ids without \`tool_result\` blocks immediately after: ${open}`;
    }
    const firstOther = blocks(content).findIndex((block) => block.type !== 'tool_result');
    if (firstOther >= 0 && firstOther < results.length) return 'tool_result blocks must come first';
    open = blocks(content).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (open.length > 0 && tools === undefined) return 'Requests with `tool_use` blocks must define `tools`';
  }
  return messages.at(-1)?.role === 'user' ? undefined : 'This model does not support assistant prefill';
}

/** Anthropic's Messages API. */
export const anthropicMessages: Format = {
  format: 'messages',
  provider: 'claude',
  matches: (path) => path === '/v1/messages',
  read(_url, headers, body) {
    if (!headers['x-api-key']) return { wrong: 'x-api-key header is required' };
    if (headers['anthropic-version'] !== '2023-06-01') {
      return { wrong: 'anthropic-version: header is required' };
    }
    const parsed = request.safeParse(body);
    if (!parsed.success) return { wrong: firstProblem(parsed.error) };
    const { model, messages, tools = [], tool_choice, output_config, system = '' } = parsed.data;
    const fault = conversationFault(parsed.data);
    if (fault !== undefined) return { wrong: fault };
    const all = messages.filter(({ role }) => role === 'user').flatMap(({ content }) => blocks(content));
    return {
      stream: parsed.data.stream ?? false,
      question: {
        provider: 'claude',
        format: 'messages',
        model,
        system: typeof system === 'string' ? system : system.map((block) => block.text).join('\n'),
        texts: all.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
        images: all.flatMap((block) =>
          block.type === 'image' ? [{ mimeType: block.source.media_type, base64: block.source.data }] : [],
        ),
        tools:
          tool_choice?.type === 'none'
            ? []
            : tools.flatMap((tool) =>
                tool.name === 'json'
                  ? []
                  : [{ name: tool.name, description: tool.description ?? '', schema: tool.input_schema }],
              ),
        toolResults: all.flatMap((block) =>
          block.type === 'tool_result'
            ? [
                {
                  isError: block.is_error ?? false,
                  text:
                    typeof block.content === 'string'
                      ? block.content
                      : block.content.map((part) => part.text).join(''),
                },
              ]
            : [],
        ),
        schema: output_config?.format.schema ?? tools.find((tool) => tool.name === 'json')?.input_schema,
        turn: messages.filter(({ role }) => role === 'assistant').length,
        temperature: parsed.data.temperature,
        maxOutputTokens: parsed.data.max_tokens,
      },
    };
  },
  events(spoken, { model }) {
    const count = counts(spoken);
    const pieces = contentOf(spoken);
    return [
      {
        name: 'message_start',
        data: {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            ...(count && { usage: { input_tokens: count.input, output_tokens: 1 } }),
          },
        },
      },
      { name: 'ping', data: { type: 'ping' } },
      ...pieces.flatMap(({ block, deltas }, index) => [
        {
          name: 'content_block_start',
          data: { type: 'content_block_start', index, content_block: block },
        },
        ...deltas.map((delta) => ({
          name: 'content_block_delta',
          data: { type: 'content_block_delta', index, delta },
        })),
        { name: 'content_block_stop', data: { type: 'content_block_stop', index } },
      ]),
      {
        name: 'message_delta',
        data: {
          type: 'message_delta',
          delta: { stop_reason: stopReason(spoken), stop_sequence: null },
          ...(count && {
            usage: {
              output_tokens: count.output,
              ...(count.thoughts !== 0 && { output_tokens_details: { thinking_tokens: count.thoughts } }),
            },
          }),
        },
      },
      { name: 'message_stop', data: { type: 'message_stop' } },
    ];
  },
  error: (status, message) => ({
    type: 'error',
    error: {
      type:
        {
          400: 'invalid_request_error',
          401: 'authentication_error',
          404: 'not_found_error',
          429: 'rate_limit_error',
          529: 'overloaded_error',
        }[status] ?? 'api_error',
      message,
    },
    request_id: 'req_1',
  }),
};

function stopReason(spoken: Spoken): string {
  if (spoken.refusal !== undefined || spoken.filtered) return 'refusal';
  if (spoken.cutShort) return 'max_tokens';
  return spoken.toolCalls === undefined ? 'end_turn' : 'tool_use';
}

function contentOf(spoken: Spoken): { block: object; deltas: object[] }[] {
  const words = spoken.refusal ?? spokenText(spoken);
  return [
    ...(spoken.thoughts === undefined
      ? []
      : [
          {
            block: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              { type: 'thinking_delta', thinking: spoken.thoughts },
              { type: 'signature_delta', signature: 'signed' },
            ],
          },
        ]),
    ...(words === ''
      ? []
      : [
          {
            block: { type: 'text', text: '' },
            deltas: halves(words).map((piece) => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...(spoken.toolCalls ?? []).map(({ name, input }, index) => ({
      block: {
        type: 'tool_use',
        id: `toolu_${index}_${Math.random().toString(36).slice(2)}`,
        name,
        input: {},
      },
      deltas: halves(typeof input === 'string' ? input : JSON.stringify(input)).map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    })),
  ];
}
