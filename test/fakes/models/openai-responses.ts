import { z } from 'zod';
import { dataUrl, jsonSchemaFormat, notClosed, openaiError, strictIsClosed } from './openai-chat.ts';
import { counts, type Format, firstProblem, halves, resultOf, type Spoken, spokenText } from './question.ts';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().regex(/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/),
  detail: z.enum(['auto', 'low', 'high']).optional(),
});
const outputText = z.strictObject({ type: z.literal('output_text'), text: z.string() });

const item = z.union([
  z.strictObject({
    role: z.enum(['system', 'developer']),
    content: z.union([z.string(), z.array(inputText)]),
  }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.union([inputText, inputImage])).min(1)]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    id: z.string().optional(),
    content: z.union([z.string(), z.array(outputText).min(1)]),
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string().min(1),
    name,
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string().min(1),
    output: z.string(),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    encrypted_content: z.string().min(1),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  }),
]);

const request = z.strictObject({
  model: z.string().min(1),
  input: z.array(item).min(1),
  // Requests must never be stored by the provider.
  store: z.literal(false),
  stream: z.boolean().optional(),
  include: z.array(z.literal('reasoning.encrypted_content')).optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  text: z
    .strictObject({
      format: z
        .strictObject({ type: z.literal('json_schema'), ...jsonSchemaFormat })
        .refine(strictIsClosed, notClosed),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name,
        description: z.string().optional(),
        parameters: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
      }),
    )
    .optional(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
});

type Item = z.infer<typeof item>;

function conversationFault(input: Item[]): string | undefined {
  const open = new Set<string>();
  for (const entry of input) {
    if (!('type' in entry)) continue;
    if (entry.type === 'function_call') open.add(entry.call_id);
    if (entry.type === 'function_call_output' && !open.delete(entry.call_id)) {
      return `No tool call found for function call output with call_id ${entry.call_id}.`;
    }
  }
  return open.size > 0 ? `No tool output found for function call ${[...open]}.` : undefined;
}

/** OpenAI's Responses API. */
export const openaiResponses: Format = {
  format: 'responses',
  provider: 'openai',
  matches: (path) => path === '/v1/responses',
  read(_url, headers, body) {
    if (!/^Bearer \S+$/.test(headers.authorization ?? '')) return { wrong: "You didn't provide an API key." };
    const parsed = request.safeParse(body);
    if (!parsed.success) return { wrong: firstProblem(parsed.error) };
    const { input, tools = [], tool_choice, text } = parsed.data;
    const fault = conversationFault(input);
    if (fault !== undefined) return { wrong: fault };
    const parts = (roles: string[]) => input.flatMap((entry) => partsOf(entry, roles));
    const user = parts(['user']);
    return {
      stream: parsed.data.stream ?? false,
      question: {
        provider: 'openai',
        format: 'responses',
        model: parsed.data.model,
        system: parts(['system', 'developer'])
          .map((part) => ('text' in part ? part.text : ''))
          .join('\n'),
        texts: user.flatMap((part) => ('text' in part ? [part.text] : [])),
        images: user.flatMap((part) => (part.type === 'input_image' ? [dataUrl(part.image_url)] : [])),
        tools:
          tool_choice === 'none'
            ? []
            : tools.map((tool) => ({
                name: tool.name,
                description: tool.description ?? '',
                schema: tool.parameters,
              })),
        toolResults: input.flatMap((entry) =>
          'type' in entry && entry.type === 'function_call_output' ? [resultOf(entry.output)] : [],
        ),
        schema: text?.format.schema,
        turn: turnsOf(input),
        temperature: parsed.data.temperature,
        maxOutputTokens: parsed.data.max_output_tokens,
      },
    };
  },
  events(spoken, { model }) {
    const count = counts(spoken);
    const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model };
    let sequence = 0;
    const event = (type: string, data: object) => ({
      name: type,
      data: { type, sequence_number: sequence++, ...data },
    });
    const ending = spoken.cutShort || spoken.filtered ? 'incomplete' : 'completed';
    return [
      event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      ...outputOf(spoken).flatMap(({ start, between, end }, output_index) => [
        event('response.output_item.added', { output_index, item: start }),
        ...between.map(({ type, ...data }) => event(type, { output_index, item_id: start.id, ...data })),
        event('response.output_item.done', { output_index, item: { ...start, ...end } }),
      ]),
      event(`response.${ending}`, {
        response: {
          ...response,
          status: ending,
          incomplete_details:
            ending === 'incomplete'
              ? { reason: spoken.filtered ? 'content_filter' : 'max_output_tokens' }
              : null,
          ...(count && {
            usage: {
              input_tokens: count.input,
              output_tokens: count.output,
              output_tokens_details: { reasoning_tokens: count.thoughts },
              total_tokens: 15,
            },
          }),
        },
      }),
    ];
  },
  error: openaiError,
};

type Part = z.infer<typeof inputText> | z.infer<typeof inputImage> | z.infer<typeof outputText>;

function partsOf(entry: Item, roles: string[]): Part[] {
  if (!('role' in entry) || !roles.includes(entry.role)) return [];
  return typeof entry.content === 'string' ? [{ type: 'input_text', text: entry.content }] : entry.content;
}

/** Number of turns: a turn is all output of the model up to the next user message or tool result. */
function turnsOf(input: Item[]): number {
  const isModel = (entry: Item | undefined) =>
    entry !== undefined &&
    ('type' in entry ? entry.type !== 'function_call_output' : entry.role === 'assistant');
  return input.filter((entry, index) => isModel(entry) && !isModel(input[index - 1])).length;
}

interface OutputItem {
  start: { id: string; type: string } & Record<string, unknown>;
  between: ({ type: string } & Record<string, unknown>)[];
  end: Record<string, unknown>;
}

function outputOf(spoken: Spoken): OutputItem[] {
  const words = spokenText(spoken);
  const items: OutputItem[] = [];
  if (spoken.thoughts !== undefined) {
    items.push({
      start: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: '' },
      between: [],
      end: { encrypted_content: 'sealed thoughts' },
    });
  }
  if (spoken.refusal !== undefined) {
    items.push({
      start: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      between: [
        ...halves(spoken.refusal).map((delta) => ({
          type: 'response.refusal.delta',
          content_index: 0,
          delta,
        })),
        { type: 'response.refusal.done', content_index: 0, refusal: spoken.refusal },
      ],
      end: { status: 'completed', content: [{ type: 'refusal', refusal: spoken.refusal }] },
    });
  } else if (words !== '') {
    items.push({
      start: { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      between: halves(words).map((delta) => ({
        type: 'response.output_text.delta',
        content_index: 0,
        delta,
        logprobs: [],
      })),
      end: { status: 'completed', content: [{ type: 'output_text', text: words, annotations: [] }] },
    });
  }
  for (const [index, call] of (spoken.toolCalls ?? []).entries()) {
    const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
    const call_id = `call_${index}_${Math.random().toString(36).slice(2)}`;
    items.push({
      start: { id: `fc_${index}`, type: 'function_call', call_id, name: call.name, arguments: '' },
      between: [
        ...halves(input).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: input },
      ],
      end: { arguments: input, status: 'completed' },
    });
  }
  return items;
}
