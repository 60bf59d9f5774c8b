import { z } from 'zod';
import { counts, type Format, firstProblem, halves, type Question, spokenText } from './question.ts';

const functionName = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/);
const part = z
  .strictObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().optional(),
    inlineData: z
      .strictObject({ mimeType: z.string().regex(/^image\/(png|jpeg|webp|heic)$/), data: z.base64().min(1) })
      .optional(),
    functionCall: z
      .strictObject({
        id: z.string().optional(),
        name: functionName,
        args: z.record(z.string(), z.unknown()),
      })
      .optional(),
    functionResponse: z
      .strictObject({
        id: z.string().optional(),
        name: functionName,
        response: z.record(z.string(), z.unknown()),
      })
      .optional(),
  })
  .refine(
    (it) =>
      [it.text, it.inlineData, it.functionCall, it.functionResponse].filter((data) => data !== undefined)
        .length === 1,
    { error: "oneof field 'data' must have one initialized field" },
  );

const request = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) })).min(1),
  systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })) }).optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.int().positive().optional(),
      temperature: z.number().min(0).max(2).optional(),
      responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
      responseJsonSchema: z.looseObject({}).optional(),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(
            z
              .strictObject({
                name: functionName,
                description: z.string(),
                parameters: z.looseObject({ type: z.enum(['object', 'OBJECT']) }).optional(),
                parametersJsonSchema: z.looseObject({}).optional(),
              })
              .refine((it) => it.parameters === undefined || it.parametersJsonSchema === undefined),
          )
          .min(1),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']),
        allowedFunctionNames: z.array(functionName).optional(),
      }),
    })
    .optional(),
});

type Body = z.infer<typeof request>;

function fault({ contents, generationConfig, tools, toolConfig }: Body, model: string): string | undefined {
  if (contents[0]?.role !== 'user') return 'Please ensure that the conversation begins with a user turn.';
  let open = 0;
  for (const { parts } of contents) {
    const answers = parts.filter((it) => it.functionResponse).length;
    if (answers !== open) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
    const calls = parts.filter((it) => it.functionCall);
    if (calls[0] && /gemini-[3-9]/.test(model) && calls[0].thoughtSignature === undefined) {
      return 'Function call is missing a thought_signature in functionCall parts.';
    }
    open = calls.length;
  }
  if (generationConfig?.responseJsonSchema && generationConfig.responseMimeType !== 'application/json') {
    return 'response_json_schema needs response_mime_type application/json';
  }
  // Before the third generation, models that may call functions cannot answer in JSON.
  const mayCall = tools !== undefined && toolConfig?.functionCallingConfig.mode !== 'NONE';
  if (mayCall && generationConfig?.responseMimeType === 'application/json' && !/gemini-[3-9]/.test(model)) {
    return "Function calling with a response mime type: 'application/json' is unsupported";
  }
  return undefined;
}

/** Name of the function that takes the answer, if the model may also call other functions. */
const ANSWER = 'json';

/** Google's generateContent. */
export const gemini: Format = {
  format: 'gemini',
  provider: 'gemini',
  matches: (path) => /^\/v1beta\/models\/[^/:]+:(generateContent|streamGenerateContent)$/.test(path),
  read(url, headers, body) {
    if (!headers['x-goog-api-key']) return { wrong: 'Method does not allow unregistered callers.' };
    const model = /models\/([^/:]+):/.exec(url.pathname)?.[1] ?? '';
    const stream = url.pathname.endsWith(':streamGenerateContent');
    if (stream && url.searchParams.get('alt') !== 'sse') return { wrong: 'only alt=sse is supported' };
    const parsed = request.safeParse(body);
    if (!parsed.success) return { wrong: firstProblem(parsed.error) };
    const wrong = fault(parsed.data, model);
    if (wrong !== undefined) return { wrong };
    const { contents, systemInstruction, tools = [], toolConfig, generationConfig } = parsed.data;
    const declared = tools.flatMap((tool) => tool.functionDeclarations);
    const { mode, allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {};
    const callable =
      mode === 'NONE' ? [] : declared.filter(({ name }) => allowedFunctionNames?.includes(name) ?? true);
    const schemaOf = (it: (typeof declared)[number]) => it.parametersJsonSchema ?? it.parameters;
    const answer = mode === 'ANY' ? callable.find((it) => it.name === ANSWER) : undefined;
    const parts = contents.filter(({ role }) => role === 'user').flatMap((content) => content.parts);
    return {
      stream,
      question: {
        provider: 'gemini',
        format: 'gemini',
        model,
        system: (systemInstruction?.parts ?? []).map(({ text }) => text).join('\n'),
        texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
        images: parts.flatMap(({ inlineData }) =>
          inlineData ? [{ mimeType: inlineData.mimeType, base64: inlineData.data }] : [],
        ),
        tools: callable
          .filter((it) => it !== answer)
          .map((it) => ({ name: it.name, description: it.description, schema: schemaOf(it) })),
        toolResults: parts.flatMap(({ functionResponse }) =>
          functionResponse ? [toolResult(functionResponse.response)] : [],
        ),
        schema: answer ? schemaOf(answer) : generationConfig?.responseJsonSchema,
        turn: contents.filter(({ role }) => role === 'model').length,
        temperature: generationConfig?.temperature,
        maxOutputTokens: generationConfig?.maxOutputTokens,
        ...(answer && { answersByFunction: true }),
      },
    };
  },
  events(spoken, question) {
    const count = counts(spoken);
    const usageMetadata = count && {
      promptTokenCount: count.input,
      candidatesTokenCount: count.output,
      thoughtsTokenCount: count.thoughts,
      totalTokenCount: 15,
    };
    const rest = { modelVersion: question.model, responseId: 'r1' };
    const chunk = (parts: object[], finishReason?: string) => ({
      data: {
        candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }), index: 0 }],
        ...(usageMetadata && { usageMetadata }),
        ...rest,
      },
    });
    if (spoken.refusal !== undefined) {
      return [{ data: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata, ...rest } }];
    }
    const byFunction = 'answersByFunction' in question && spoken.json !== undefined;
    const pieces = byFunction ? [] : halves(spokenText(spoken)).map((text) => chunk([{ text }]));
    const calls = [
      ...(spoken.toolCalls ?? []),
      ...(byFunction ? [{ name: ANSWER, input: spoken.json }] : []),
    ].map(({ name, input }, index) => ({
      functionCall: { name, args: input },
      ...(index === 0 && { thoughtSignature: 'c2lnbmVk' }),
    }));
    return [
      ...(spoken.thoughts === undefined ? [] : [chunk([{ text: spoken.thoughts, thought: true }])]),
      ...pieces,
      ...(calls.length > 0 ? [chunk(calls)] : []),
      chunk([{ text: '' }], spoken.filtered ? 'SAFETY' : spoken.cutShort ? 'MAX_TOKENS' : 'STOP'),
    ];
  },
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status:
        { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' }[
          status
        ] ?? 'INTERNAL',
    },
  }),
};

function toolResult(response: Record<string, unknown>): Question['toolResults'][number] {
  const found = response.content ?? response.output ?? response.error;
  return {
    text: typeof found === 'string' ? found : JSON.stringify(response),
    isError: response.error !== undefined,
  };
}
