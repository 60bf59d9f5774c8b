import type { PromptPart } from '../../outside/models/models.ts';
import type { PromptContext, PromptInput } from './prompt-input.ts';

/** Model and course of a question that was asked with a prompt. */
export interface PromptOutcome {
  /** `provider/model`. */
  llmModel: string;
  /** Expected form of the answer, in words. */
  answer: string;
  /** Names of the tools that were offered to the model. */
  tools?: readonly string[];
  /** Requests, retries, tool calls and repairs, each as a sentence. */
  events: readonly string[];
}

interface PromptRecord {
  task: PromptInput;
  instructions: string;
  parts: readonly PromptPart[];
  outcome: PromptOutcome;
  context: Pick<PromptContext, 'screener'>;
}

/** Markdown of what a model was sent, word for word except for secrets and images. */
export function recordOf({ task, instructions, parts, outcome, context }: PromptRecord): string {
  const user = parts.map((part) => ('text' in part ? part.text : pictureOf(part))).join('\n');
  return context.screener.redact(
    `# What the model was asked

- Page: ${task.url} (${task.deviceType})
- Model: ${outcome.llmModel}
- Answer: ${outcome.answer}
- Tools: ${outcome.tools?.length ? outcome.tools.join(', ') : 'none'}

## Instructions (system)

${fenced(instructions)}

## Material (user)

${fenced(user)}

## What happened

${outcome.events.map((event) => `- ${event.replace(/\s+/g, ' ')}`).join('\n')}
`,
  );
}

/** Fenced by more tildes than the text has in a row. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/~{3,}/g), ([run]) => run.length));
  const mark = '~'.repeat(longest + 1);
  return `${mark}text\n${text}\n${mark}`;
}

function pictureOf({ image, mimeType }: { image: Uint8Array; mimeType: string }): string {
  const size = `${Math.ceil(image.length / 1000)} kB`;
  const isPng = mimeType === 'image/png' && image.length > 24;
  if (!isPng) return `[image ${mimeType}, ${size}]`;
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  return `[image ${view.getUint32(16)}x${view.getUint32(20)}, ${size}]`;
}
