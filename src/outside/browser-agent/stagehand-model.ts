import type { Stagehand } from '@browserbasehq/stagehand';
import { z } from 'zod';
import type { PromptPart } from '../models/models.ts';
import type { BrowserTask } from './browser-agent.ts';

type Model = NonNullable<Parameters<typeof Stagehand.create>[0]['model']>;
type Generate = Extract<Model, { generate: unknown }>['generate'];

/**
 * Routes Stagehand's own model requests through `ask`. Stagehand would replace an error by a message of its own, so
 * `onFailure` receives the original.
 */
export function stagehandModel(options: {
  ask: BrowserTask<unknown>['ask'];
  /** Appended to Stagehand's own instructions. */
  rules: string;
  read: (text: string) => string;
  onFailure: (error: unknown) => void;
}): { generate: Generate } {
  const { ask, rules, read, onFailure } = options;
  return {
    async generate(request) {
      try {
        const format = request.responseFormat;
        const schema = format?.type === 'json_schema' ? schemaOf(format.schema) : undefined;
        const { data, usage } = await ask({
          instructions: [request.systemPrompt, rules].filter(Boolean).join('\n\n'),
          parts: request.messages.flatMap(({ content }) => partsOf(content, read)),
          schema,
        });
        const text = typeof data === 'string' ? data : JSON.stringify(data);
        const answer = {
          role: 'assistant' as const,
          content: { type: 'text' as const, text },
          stopReason: 'stop',
          usage: {
            inputTokens: usage.promptTokens,
            outputTokens: usage.completionTokens,
            totalTokens: usage.totalTokens,
          },
        };
        if (!schema) return { ...answer, outputFormat: 'text' };
        return { ...answer, outputFormat: 'json_schema', structuredContent: data as z.core.util.JSONType };
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
  };
}

const schemaOf = (schema: unknown) => z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);

function partsOf(content: unknown, read: (text: string) => string): PromptPart[] {
  return [content].flat().flatMap((block): PromptPart[] => {
    const { type, text, data, mimeType } = block as Record<string, unknown>;
    if (type === 'text' && typeof text === 'string') return [{ text: read(text) }];
    if (type === 'image' && typeof data === 'string')
      return [{ image: Buffer.from(data, 'base64'), mimeType: String(mimeType) }];
    return [];
  });
}
