const FINAL_BINARY = 0x82;

let lastMessage: Uint8Array | undefined;
let lastFrame: Buffer = Buffer.alloc(0);

/**
 * Encodes a message as one unmasked binary frame (RFC 6455 5.2). `ws` would frame a broadcast once per connection; here
 * it is framed once for all of them, which saves much of the CPU time of sending (`bench/live.ts`).
 */
export function websocketFrame(message: Uint8Array): Buffer {
  if (message === lastMessage) return lastFrame;
  const { length } = message;
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_BINARY;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(message, head);
  lastMessage = message;
  lastFrame = frame;
  return frame;
}
