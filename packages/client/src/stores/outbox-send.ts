import { type Connection, resultOf } from '../connection.ts';
import { isRedpenError, RedpenError } from '../errors.ts';
import { persevere } from './away.ts';
import { identify, otherUser } from './identity.ts';
import type { StoredWrite } from './outbox-storage.ts';

/** The service keeps the answers to idempotency keys for a day. The rest is for clocks and the request itself. */
const KEPT_MS = 24 * 3_600_000 - 5 * 60_000;
const TIMEOUT_MS = 60_000;

/** Sends a write until it has an answer, and never with the token of another user. */
export async function deliver(connection: Connection, write: StoredWrite): Promise<unknown> {
  const { id, owner, at, path, data } = write;
  let isRenewed = false;
  const result = await persevere(async () => {
    if (Date.now() - at > KEPT_MS) {
      throw new RedpenError('DEADLINE_EXCEEDED', 'The write is too old: it may have been carried out.', {
        code: 'too-old',
      });
    }
    const { owner: sender, token } = await identify(connection);
    if (sender !== owner) throw otherUser();
    try {
      const response = await connection.request(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': id,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ data }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return resultOf(await response.json());
    } catch (error) {
      const isRejected = isRedpenError(error) && error.httpStatus === 401;
      const isFinal = isRenewed || !isRejected;
      isRenewed = isRejected;
      if (isFinal) throw error;
      // Its token is forgotten: the next attempt asks for another one.
      throw new RedpenError('UNAVAILABLE', error.message);
    }
  });
  const items = Object.values((result ?? {}) as Record<string, Item>);
  const [first] = items;
  if (!first || items.some((item) => item?.success !== false)) return result;
  const { code, message = '' } = first;
  throw new RedpenError(code === 'already-exists' ? 'ALREADY_EXISTS' : 'NOT_FOUND', message, { code });
}

interface Item {
  success?: boolean;
  message?: string;
  code?: string;
}
