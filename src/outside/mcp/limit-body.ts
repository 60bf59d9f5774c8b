import { McpFailure } from './mcp.ts';

const encoder = new TextEncoder();
/** Line of an event stream that lets a reader resume there with another request. */
const EVENT_ID = /[\r\n]id:/;

/**
 * Limits a body to `maxBytes`, and fails beyond them. With `id`, the body is the event stream that answers this
 * request; then the error is sent as an event in the stream, since the SDK would otherwise wait for an answer after
 * the stream broke. The same applies to a stream that ends without an answer and without an event to resume from.
 */
export function limitBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  id: string | number | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let received = 0;
  let isResumable = false;
  let tail = '\n';

  const notice = (text: string) => {
    if (isResumable) return;
    isResumable = EVENT_ID.test(tail + text);
    tail = text.slice(-4);
  };
  const answer = (message: string) =>
    encoder.encode(
      `\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })}\n\n`,
    );

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read().catch((error: unknown) => {
        if (id === undefined || isResumable) throw error;
        return { value: undefined };
      });
      if (!value) {
        // If the answer has already arrived, this error has no effect.
        if (id !== undefined && !isResumable)
          controller.enqueue(answer('The server ended its answer early.'));
        controller.close();
        return;
      }
      received += value.byteLength;
      if (received > maxBytes) {
        const message = 'The server answered with more than may be read.';
        await reader.cancel().catch(() => {});
        if (id === undefined) return controller.error(new McpFailure('protocol', message));
        controller.enqueue(answer(message));
        controller.close();
        return;
      }
      if (id !== undefined) notice(decoder.decode(value, { stream: true }));
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
