import type { CallToolResult } from '@modelcontextprotocol/server';

/** Clients refuse answers of more than 25,000 tokens, and smaller ones leave room for the work itself. */
export const MAX_ANSWER_BYTES = 16_000;

/** The answer of a tool, before it takes the form of the protocol. */
export interface Answer {
  /** Markdown for the model. */
  text: string;
  /** The same for programs. */
  structured?: Record<string, unknown> | undefined;
  /** Beside the limit of the text. */
  picture?: { mimeType: string; base64: string } | undefined;
}

export const bytesOf = (answer: Pick<Answer, 'text' | 'structured'>): number =>
  Buffer.byteLength(answer.text) +
  (answer.structured ? Buffer.byteLength(JSON.stringify(answer.structured)) : 0);

/** True if an answer keeps the limit. */
export const fits = (answer: Answer): boolean => bytesOf(answer) <= MAX_ANSWER_BYTES;

/** A text of at most a number of bytes in UTF-8, which ends with `…` where something is left out. */
export function shortenToBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  return `${whole
    .subarray(0, bytes - 3)
    .toString()
    .replace(/\ufffd$/, '')}…`;
}

export const resultOf = ({ text, structured, picture }: Answer): CallToolResult => ({
  content: [
    { type: 'text', text },
    ...(picture ? [{ type: 'image' as const, data: picture.base64, mimeType: picture.mimeType }] : []),
  ],
  ...(structured && { structuredContent: structured }),
});
