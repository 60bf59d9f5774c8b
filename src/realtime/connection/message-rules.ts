import { type Decoder, readVarUint } from 'lib0/decoding';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/realtime-limits.ts';
import { type Frame, kinds, syncKinds } from './hocuspocus-message.ts';

/** Reading a whole document costs about as much as receiving a sixteenth of it. */
const READ_SHARE = 1 / 16;

/** Handling this many bytes, or sending to this many connections, costs about as much as a small message. */
const BYTES_PER_COST = 4_096;
const CONNECTIONS_PER_COST = 10;

/** Cost of a message to an open document, in units of a small message that reaches no other client. */
export function costOf({ kind }: Frame, bytes: number, connections: number): number {
  const isSent = kind === kinds.sync || kind === kinds.syncReply || kind === kinds.awareness;
  return 1 + bytes / BYTES_PER_COST + (isSent ? connections / CONNECTIONS_PER_COST : 0);
}

export interface MessageRuling {
  /** Closes the connection. */
  cause?: Cause;
  /** The service has no use for such messages. */
  ignored?: true;
  /**
   * Bytes to charge to the user's token bucket. They are charged before the message is handed to Hocuspocus, which
   * queues messages without a limit while a document applies a long change.
   */
  cost?: number;
}

/** Rules on a message to an open document by its head. The content of an update is checked when it is applied. */
export function ruleOnMessage(
  { kind, rest }: Frame,
  message: { bytes: number; readOnly: boolean; documentBytes: number },
  limits: Pick<Limits, 'awarenessBytes'>,
): MessageRuling {
  switch (kind) {
    case kinds.sync:
    case kinds.syncReply: {
      const step = stepOf(rest);
      if (step > syncKinds.update) return { cause: 'malformed' };
      const readsAll = step === syncKinds.step1 || (step === syncKinds.step2 && message.readOnly);
      return { cost: message.bytes + (readsAll ? message.documentBytes * READ_SHARE : 0) };
    }
    case kinds.awareness:
      return message.bytes > limits.awarenessBytes ? { cause: 'presenceTooLarge' } : {};
    case kinds.auth:
    case kinds.queryAwareness:
    case kinds.close:
      return { cost: message.bytes };
    case kinds.stateless:
    case kinds.ping:
    case kinds.pong:
      return { ignored: true };
    default:
      return { cause: 'malformed' };
  }
}

/** The kind of a sync message; infinite if it cannot be read. */
function stepOf(rest: Decoder): number {
  try {
    return readVarUint(rest);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
