/** A message of an event stream. A message with an id alone only moves the position. */
export interface StreamMessage {
  id: string | undefined;
  event: string;
  data: string | undefined;
}

/** The messages of an event stream (WHATWG HTML, section 9.2.6). An unfinished one at the end is dropped. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const blocks = text.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
      text = blocks.pop()!;
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function messageOf(block: string): StreamMessage {
  const message: StreamMessage = { id: undefined, event: 'message', data: undefined };
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'id') message.id = value;
    else if (name === 'event') message.event = value;
    else if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`;
  }
  return message;
}
