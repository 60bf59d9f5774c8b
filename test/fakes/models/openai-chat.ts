import { z } from 'zod';
import { counts, type Format, firstProblem, halves, isClosed, resultOf, spokenText } from './question.ts';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().regex(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/),
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
});

export const jsonSchemaFormat = {
  name,
  description: z.string().optional(),
  strict: z.boolean().optional(),
  schema: z.looseObject({ type: z.literal('object') }),
};
export const strictIsClosed = (format: { strict?: boolean | undefined; schema: unknown }): boolean =>
  format.strict !== true || isClosed(format.schema, true);
export const notClosed = {
  error: "Invalid schema for response_format: 'additionalProperties' must be false and all be 'required'",
};

const request = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.enum(['system', 'developer']), content: z.string() }),
        z.strictObject({
          role: z.literal('user'),
          content: z.union([z.string(), z.array(z.union([text, image])).min(1)]),
        }),
        z.strictObject({
          role: z.literal('assistant'),
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.strictObject({
                id: z.string().min(1),
                type: z.literal('function'),
                function: z.strictObject({ name, arguments: z.string() }),
              }),
            )
            .min(1)
            .optional(),
        }),
        z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
      ]),
    )
    .min(1),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning_effort: z.string().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['text', 'json_object']) }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject(jsonSchemaFormat).refine(strictIsClosed, notClosed),
      }),
    ])
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name,
          description: z.string().max(1024).optional(),
          parameters: z.looseObject({ type: z.literal('object') }),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
});

type Body = z.infer<typeof request>;

function conversationFault({ messages }: Body): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) return `tool_call_id '${message.tool_call_id}' not found`;
      open = open.filter((id) => id !== message.tool_call_id);
    } else if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages: ${open}`;
    }
    if (message.role === 'assistant') open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? `tool_calls without answer: ${open}` : undefined;
}

export const openaiError = (status: number, message: string) => ({
  error: {
    message,
    type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 401 ? 'invalid_api_key' : null,
  },
});

/** OpenAI's chat completions, which compatible servers speak. */
export const openaiChat: Format = {
  format: 'chat',
  provider: 'openai',
  matches: (path) => path === '/v1/chat/completions',
  read(_url, headers, body) {
    if (!/^Bearer \S+$/.test(headers.authorization ?? '')) return { wrong: "You didn't provide an API key." };
    const parsed = request.safeParse(body);
    if (!parsed.success) return { wrong: firstProblem(parsed.error) };
    const { messages, stream = false, stream_options, response_format, tools, tool_choice } = parsed.data;
    if (stream_options && !stream) return { wrong: 'stream_options is only allowed with stream' };
    if (tool_choice && !tools) return { wrong: "'tool_choice' is only allowed when 'tools' are specified." };
    const fault = conversationFault(parsed.data);
    if (fault !== undefined) return { wrong: fault };
    const parts = messages.flatMap((message) => {
      if (message.role !== 'user') return [];
      return typeof message.content === 'string'
        ? [{ type: 'text' as const, text: message.content }]
        : message.content;
    });
    return {
      stream,
      question: {
        provider: 'openai',
        format: 'chat',
        model: parsed.data.model,
        system: messages
          .flatMap((message) =>
            message.role === 'system' || message.role === 'developer' ? [message.content] : [],
          )
          .join('\n'),
        texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
        images: parts.flatMap((part) => (part.type === 'image_url' ? [dataUrl(part.image_url.url)] : [])),
        tools:
          tool_choice === 'none'
            ? []
            : (tools ?? []).map((tool) => ({
                name: tool.function.name,
                description: tool.function.description ?? '',
                schema: tool.function.parameters,
              })),
        toolResults: messages.flatMap((message) =>
          message.role === 'tool' ? [resultOf(message.content)] : [],
        ),
        schema: response_format?.type === 'json_schema' ? response_format.json_schema.schema : undefined,
        turn: messages.filter(({ role }) => role === 'assistant').length,
        temperature: parsed.data.temperature,
        maxOutputTokens: parsed.data.max_tokens ?? parsed.data.max_completion_tokens,
      },
    };
  },
  events(spoken, { model }) {
    const count = counts(spoken);
    const chunk = (delta: object | undefined, finish: string | null = null, rest: object = {}) => ({
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model,
        choices: delta === undefined ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...rest,
      },
    });
    const calls = spoken.toolCalls ?? [];
    const finish = spoken.filtered
      ? 'content_filter'
      : spoken.cutShort
        ? 'length'
        : calls.length > 0
          ? 'tool_calls'
          : 'stop';
    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...halves(spokenText(spoken)).map((content) => chunk({ content })),
      ...halves(spoken.refusal ?? '').map((refusal) => chunk({ refusal })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            {
              index,
              id: `call_${index}_${Math.random().toString(36).slice(2)}`,
              type: 'function',
              function: { name: call.name, arguments: '' },
            },
          ],
        }),
        ...halves(typeof call.input === 'string' ? call.input : JSON.stringify(call.input)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finish),
      ...(count === undefined
        ? []
        : [
            chunk(undefined, null, {
              usage: {
                prompt_tokens: count.input,
                completion_tokens: count.output,
                total_tokens: 15,
                completion_tokens_details: { reasoning_tokens: count.thoughts },
              },
            }),
          ]),
    ];
  },
  closing: 'data: [DONE]\n\n',
  error: openaiError,
};

export function dataUrl(url: string): { mimeType: string; base64: string } {
  const [, mimeType = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  return { mimeType, base64 };
}
