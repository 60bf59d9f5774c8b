import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { until } from '../../../test/run/until.ts';
import { closings } from '../protocol/close-codes.ts';
import { defaultLimits } from '../protocol/realtime-limits.ts';
import { ClientConnection, type ConnectionDeps } from './client-connection.ts';
import { kinds, syncKinds } from './hocuspocus-message.ts';
import { MessageBudgets } from './message-budgets.ts';
import { TokenBuckets } from './token-bucket.ts';

const name = 'acme/home/body';
const verified = { scope: { apiKeyId: 'key' }, user: { userId: 'ada' } };

/** A connection with an open document, on a fake engine that collects messages. */
async function openConnection(limits: { byteBurst: number }) {
  const handed: Uint8Array[] = [];
  const closed: number[] = [];
  const buckets = new TokenBuckets(1, limits.byteBurst);
  const budgets = new MessageBudgets(1_000, 1_000, 1_000_000);
  onTestFinished(() => budgets.stop());
  const ws = Object.assign(new EventEmitter(), {
    readyState: 1,
    close: (code: number) => closed.push(code),
    terminate: () => {},
  });
  const connection = new ClientConnection(
    ws as unknown as WebSocket,
    {} as Socket,
    {} as Request,
    {
      limits: { ...defaultLimits, ...limits },
      engineOf: () => ({
        handleConnection: () => ({ handleMessage: (data: Uint8Array) => handed.push(data) }),
      }),
      openEditorOf: () => undefined,
      verify: async () => verified,
      charge: (_: unknown, amount: number) => buckets.take('ada', amount, 0),
      budgets,
      onAuthenticated: () => undefined,
    } as unknown as ConnectionDeps,
  );
  const send = (kind: number, write: (encoder: ReturnType<typeof createEncoder>) => void) => {
    const encoder = createEncoder();
    writeVarString(encoder, name);
    writeVarUint(encoder, kind);
    write(encoder);
    ws.emit('message', Buffer.from(toUint8Array(encoder)), true);
  };
  const sendToken = (token: string) =>
    send(kinds.auth, (encoder) => {
      writeVarUint(encoder, 0);
      writeVarString(encoder, token);
    });
  sendToken('token');
  await until(() => handed.length === 1, 'the token at the engine');
  const document = { getConnectionsCount: () => 1 };
  connection.opened({ messageAddress: name, document, readOnly: false, onClose: () => {} } as never);
  handed.length = 0;
  return { handed, closed, send, sendToken };
}

const bytes = new Uint8Array(1_000);

test.each([
  ['updates', kinds.sync, syncKinds.update],
  ['answers', kinds.syncReply, syncKinds.step2],
  ['questions', kinds.sync, syncKinds.step1],
])('%s are charged before Hocuspocus handles them', async (_, kind, step) => {
  const { handed, closed, send } = await openConnection({ byteBurst: 3_500 });
  for (let count = 0; count < 10; count++) {
    send(kind, (encoder) => {
      writeVarUint(encoder, step);
      writeVarUint8Array(encoder, bytes);
    });
  }
  expect(handed).toHaveLength(3);
  expect(closed).toEqual([closings.tooManyMessages.code]);
});

test('tokens are charged before Hocuspocus handles them', async () => {
  const { handed, closed, sendToken } = await openConnection({ byteBurst: 3_500 });
  for (let count = 0; count < 10; count++) sendToken('x'.repeat(1_000));
  expect(handed).toHaveLength(3);
  expect(closed).toEqual([closings.tooManyMessages.code]);
});
