import { type Decoder, readVarUint } from 'lib0/decoding';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/limits.ts';
import { type Frame, kinds, syncKinds } from './frames.ts';

/** Reading a whole document costs about as much as taking in a sixteenth of it. */
const READ_SHARE = 1 / 16;

/** Handling so many bytes, or sending to so many connections, costs about as much as a small message. */
const BYTES_PER_COST = 4_096;
const CONNECTIONS_PER_COST = 10;

/** What a message to an open document costs of its API key's budget, in small messages that reach no other client. */
export function costOf({ kind }: Frame, bytes: number, connections: number): number {
  const isSent = kind === kinds.sync || kind === kinds.syncReply || kind === kinds.awareness;
  return 1 + bytes / BYTES_PER_COST + (isSent ? connections / CONNECTIONS_PER_COST : 0);
}

export interface Verdict {
  /** The connection ends. */
  cause?: Cause;
  /** Nothing here does anything about such a message. */
  ignored?: true;
  /**
   * What it counts against what its user may use, in bytes. It is counted before the engine has it, which keeps any
   * number of messages while a document applies a long change.
   */
  cost?: number;
}

/** Judges a message to an open document by its head. What an update holds is judged when it is applied. */
export function judgeMessage(
  { kind, rest }: Frame,
  message: { bytes: number; readOnly: boolean; documentBytes: number },
  limits: Pick<Limits, 'awarenessBytes'>,
): Verdict {
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

/** What a sync message is; more than any of them where that cannot be read. */
function stepOf(rest: Decoder): number {
  try {
    return readVarUint(rest);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
