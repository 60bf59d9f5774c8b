const FINAL_BINARY = 0x82;

let lastMessage: Uint8Array | undefined;
let lastFrame: Buffer = Buffer.alloc(0);

/**
 * A message as a frame of its own (RFC 6455 5.2), as servers send it: whole, binary and not masked. What goes to many
 * connections one after the other is framed once, which saves a good part of what sending costs.
 */
export function frameOf(message: Uint8Array): Buffer {
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
