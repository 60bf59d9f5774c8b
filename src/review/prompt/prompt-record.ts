import type { PromptPart } from '../../outside/models/models.ts';
import type { Material, PromptContext } from './material.ts';

/** What became of a prompt. */
export interface Asked {
  /** `provider/model`. */
  llmModel: string;
  /** What the answer was to be, in words. */
  answer: string;
  /** The names of the tools that the model could call. */
  tools?: readonly string[];
  /** What happened on the way: requests, retries, tools, repairs; each a sentence. */
  events: readonly string[];
}

interface Sent {
  task: Material;
  instructions: string;
  parts: readonly PromptPart[];
  asked: Asked;
  context: Pick<PromptContext, 'screener'>;
}

/** What a model was sent, as Markdown, word for word but for the secrets and the pictures. */
export function recordOf({ task, instructions, parts, asked, context }: Sent): string {
  const user = parts.map((part) => ('text' in part ? part.text : pictureOf(part))).join('\n');
  return context.screener.redact(
    `# What the model was asked

- Page: ${task.url} (${task.deviceType})
- Model: ${asked.llmModel}
- Answer: ${asked.answer}
- Tools: ${asked.tools?.length ? asked.tools.join(', ') : 'none'}

## Instructions (system)

${fenced(instructions)}

## Material (user)

${fenced(user)}

## What happened

${asked.events.map((event) => `- ${event.replace(/\s+/g, ' ')}`).join('\n')}
`,
  );
}

/** Between tildes, more of them than the text has in a row. */
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
