import { randomBytes } from 'node:crypto';
import { cutText } from '../../lib/text/cut-text.ts';
import type { PromptPart } from './models.ts';

/** Untrusted material for the model to judge, with its source. */
export interface DataBlock {
  /** Name given by the service: a strategy, `page`, `rest-api`. */
  name: string;
  parts: readonly PromptPart[];
}

/** About 100 000 tokens, which fit the context window of every current model. */
const MAX_CHARS = 400_000;
const MAX_IMAGES = 20;
/** Providers accept requests of 20 MB, and base64 adds a third. */
const MAX_IMAGE_BYTES = 12_000_000;

export interface Fenced {
  parts: PromptPart[];
  boundary: string;
  /** Sentences about omitted parts. */
  cuts: string[];
}

/** Fences each block with random marks that its content cannot forge, and limits the size of all blocks together. */
export function fence(blocks: readonly DataBlock[]): Fenced {
  const texts = blocks.flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])));
  const boundary = newBoundary(texts);
  const share = shareOf(texts.map(({ length }) => length));
  const cuts: string[] = [];
  const parts: PromptPart[] = [];
  let images = 0;
  let imageBytes = 0;
  for (const { name, parts: inside } of blocks) {
    parts.push({ text: `=== BEGIN DATA ${name} ${boundary} ===` });
    for (const part of inside) {
      if ('text' in part) {
        const text = cutText(part.text, share);
        const note = `(cut off here: the first ${text.length} of ${part.text.length} characters)`;
        if (text.length < part.text.length) cuts.push(`${name} is too long for one prompt ${note}.`);
        parts.push({ text: text.length < part.text.length ? `${text}\n${note}` : text });
      } else if (images < MAX_IMAGES && imageBytes + part.image.length <= MAX_IMAGE_BYTES) {
        images += 1;
        imageBytes += part.image.length;
        parts.push(part);
      } else {
        cuts.push(`A picture of ${name} is left out, since a prompt cannot hold more.`);
        parts.push({ text: '(a picture is left out here)' });
      }
    }
    parts.push({ text: `=== END DATA ${name} ${boundary} ===` });
  }
  return { parts: joined(parts), boundary, cuts };
}

function newBoundary(texts: readonly string[]): string {
  for (;;) {
    const boundary = randomBytes(12).toString('hex');
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}

/** Limit per text, so that long texts are cut and short ones stay whole. */
function shareOf(lengths: readonly number[]): number {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total <= MAX_CHARS) return Number.POSITIVE_INFINITY;
  let left = MAX_CHARS;
  const ascending = [...lengths].sort((one, other) => one - other);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Joins adjacent texts. */
function joined(parts: readonly PromptPart[]): PromptPart[] {
  const whole: PromptPart[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last && 'text' in last && 'text' in part)
      whole[whole.length - 1] = { text: `${last.text}\n${part.text}` };
    else whole.push(part);
  }
  return whole;
}
