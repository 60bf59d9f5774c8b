import type { Socket } from 'node:net';
import type { Connection, Hocuspocus, WebSocketLike } from '@hocuspocus/server';
import { readVarString, readVarUint } from 'lib0/decoding';
import type { RawData, WebSocket } from 'ws';
import { ApiError } from '../../lib/errors.ts';
import type { TokenUser } from '../../lib/scope.ts';
import { takeStranded } from '../log/pending-updates.ts';
import { type Cause, closings } from '../protocol/close-codes.ts';
import { editorOf } from '../protocol/document-name.ts';
import { messagesDelayed } from '../protocol/editing-meters.ts';
import { acknowledges, type Frame, kinds, readFrame, refusalOf } from './frames.ts';
import type { GateParts, Verified } from './gate-parts.ts';
import type { Gateway, Session } from './hooks.ts';
import type { Waiter } from './message-budgets.ts';
import { costOf, judgeMessage } from './message-rules.ts';
import { Allowance } from './token-bucket.ts';
import { frameOf } from './wire.ts';

/** A document that a connection opens or has open. */
interface Opening {
  connection?: Connection<Session>;
  /** The client closes it, and may open it again in the next message. */
  isClosing?: true;
  /** Messages that came before it was open, or before it was closed. */
  queue: Uint8Array[];
}

const OPEN = 1;
const TERMINATE_AFTER_MS = 2_000;

/**
 * Stands between one WebSocket and the engine: counts what comes in, holds back acknowledgements until what they
 * speak of is stored, and closes the connection with a code that says why.
 */
export class Gate implements Gateway, Waiter {
  readonly ws: WebSocket;
  /** What carries the WebSocket. */
  readonly #wire: Socket;
  readonly #request: Request;
  readonly #parts: GateParts;
  readonly #messages: Allowance;
  readonly #openings = new Map<string, Opening>();
  /** What the engine takes for the WebSocket. */
  readonly #socket: WebSocketLike;
  #client: ReturnType<Hocuspocus<Session>['handleConnection']> | undefined;
  #verified: Verified | undefined;
  #cause: Cause | undefined;
  #isAlive = true;
  /** Messages that wait because the API key is over its budget; meanwhile nothing is read. */
  #waiting: Buffer[] = [];
  #pausedAt: number | undefined;
  #deadline: NodeJS.Timeout;

  constructor(ws: WebSocket, wire: Socket, request: Request, parts: GateParts) {
    this.ws = ws;
    this.#wire = wire;
    this.#request = request;
    this.#parts = parts;
    const { limits } = parts;
    this.#messages = new Allowance(limits.messagesPerSecond, limits.messageBurst, Date.now());
    this.#deadline = setTimeout(() => this.close('notAuthenticatedInTime'), limits.authenticateWithinMs);
    this.#socket = {
      get readyState() {
        return ws.readyState;
      },
      send: (data) => this.#send(data as Uint8Array),
      close: () => this.close('malformed'),
    };
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('pong', () => {
      this.#isAlive = true;
    });
    ws.on('error', () => {});
    ws.on('close', (code, reason) => {
      clearTimeout(this.#deadline);
      this.#client?.handleClose({ code, reason: reason.toString() });
      this.#openings.clear();
      this.#dropWaiting();
      parts.onClosed(this.#cause);
    });
  }

  get isAuthenticated(): boolean {
    return this.#verified !== undefined;
  }

  get who(): { apiKeyId?: string; userId?: string } {
    return { apiKeyId: this.#verified?.scope.apiKeyId, userId: this.#verified?.user.userId };
  }

  close(cause: Cause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    clearTimeout(this.#deadline);
    const { code, reason } = closings[cause];
    this.ws.close(code, reason);
    // The answer of the client must be read.
    this.#dropWaiting();
    this.#resume();
    // It must not take room for as long as its client cares to wait.
    if (cause === 'displaced') this.#wire.destroySoon();
    setTimeout(() => this.ws.terminate(), TERMINATE_AFTER_MS).unref();
  }

  /** Looks after the connection: cuts it off where nobody is there any more, or nobody takes what is sent. */
  tend(): void {
    if (this.ws.bufferedAmount > this.#parts.limits.backlogBytes) this.close('tooSlow');
  }

  ping(): void {
    // What the client answered may not be read yet.
    if (this.#pausedAt !== undefined) return;
    if (!this.#isAlive) {
      this.ws.terminate();
      return;
    }
    this.#isAlive = false;
    this.ws.ping();
  }

  async admit(name: string, token: string): Promise<{ user: TokenUser; readOnly: boolean }> {
    try {
      const verified = await this.#parts.verify(token);
      if (verified.scope.apiKeyId !== this.#verified?.scope.apiKeyId) throw refusal('Another API key.');
      const editor = editorOf(name);
      if (!editor) throw refusal('The name must be organizationId/documentId/editorId, each URI-encoded.');
      const { readOnly } = await this.#parts.admit(verified, editor);
      return { user: verified.user, readOnly };
    } catch (error) {
      for (const [address, { connection }] of this.#openings) {
        if (!connection && nameIn(address) === name) this.#openings.delete(address);
      }
      if (!(error instanceof ApiError)) {
        this.close('busy');
        throw error;
      }
      // Without `message`, or the engine would print it.
      throw { reason: error.message };
    }
  }

  async renew(connection: Connection<Session>, token: string): Promise<void> {
    const name = connection.document.name;
    const before = connection.context.user?.userId;
    try {
      const { user, readOnly } = await this.admit(name, token);
      if (user.userId === before && readOnly === connection.readOnly) {
        Object.assign(connection.context, { user, token });
        return;
      }
    } catch {
      // Answered below.
    }
    this.close('forbidden');
  }

  opened(connection: Connection<Session>): void {
    const opening = this.#openings.get(connection.messageAddress);
    if (!opening) return;
    clearTimeout(this.#deadline);
    opening.connection = connection;
    // The engine tells the client that it was closed right after this.
    connection.onClose(() => queueMicrotask(() => this.#closed(connection.messageAddress, opening)));
    this.#routeHeld(opening);
  }

  /** What came behind the end is for whoever opens it again over this connection. */
  #closed(address: string, opening: Opening): void {
    if (this.#openings.get(address) !== opening) return;
    this.#openings.delete(address);
    this.#routeHeld(opening);
  }

  #routeHeld(opening: Opening): void {
    const { queue } = opening;
    opening.queue = [];
    for (const data of queue) this.#route(data, readFrame(data));
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#cause !== undefined) return;
    if (!this.#messages.take(1, Date.now())) {
      this.close('tooManyMessages');
      return;
    }
    if (!isBinary) {
      this.close('malformed');
      return;
    }
    const bytes = data as Buffer;
    if (this.#waiting.length > 0 || !this.#isInBudget()) this.#wait(bytes);
    else this.#take(bytes);
  }

  #take(bytes: Buffer): void {
    let frame: Frame;
    try {
      frame = readFrame(bytes);
    } catch {
      this.close('malformed');
      return;
    }
    this.#route(bytes, frame);
  }

  #isInBudget(): boolean {
    return !this.#verified || this.#parts.budgets.take(this.#verified.scope.apiKeyId);
  }

  #wait(bytes: Buffer): void {
    if (!this.#parts.budgets.wait(this.#verified!.scope.apiKeyId, this, bytes.length)) {
      this.close('tooManyMessages');
      return;
    }
    messagesDelayed.inc();
    this.#waiting.push(bytes);
    this.#pausedAt ??= Date.now();
    this.ws.pause();
  }

  handleNext(): boolean {
    const next = this.#waiting.shift();
    if (!next) return false;
    this.#parts.budgets.waited(this.#verified!.scope.apiKeyId, next.length);
    this.#take(next);
    if (this.#waiting.length > 0) return true;
    this.#resume();
    return false;
  }

  #resume(): void {
    if (this.#pausedAt === undefined) return;
    // The client went on sending at its usual pace.
    this.#messages.credit(Date.now() - this.#pausedAt);
    this.#pausedAt = undefined;
    this.#isAlive = true;
    this.ws.resume();
  }

  #dropWaiting(): void {
    const bytes = this.#waiting.reduce((sum, { length }) => sum + length, 0);
    this.#waiting = [];
    if (bytes > 0) this.#parts.budgets.waited(this.#verified!.scope.apiKeyId, bytes);
  }

  #route(data: Uint8Array, frame: Frame): void {
    const opening = this.#openings.get(frame.address);
    if (opening && (!opening.connection || opening.isClosing)) this.#hold(data, opening);
    else if (opening) this.#handle(data, frame, opening);
    else if (frame.kind === kinds.auth) {
      if (this.#openings.size >= this.#parts.limits.documentsPerConnection) {
        this.close('tooManyMessages');
        return;
      }
      this.#openings.set(frame.address, { queue: [] });
      void this.#authenticate(data, frame);
    }
    // Else it is for a document that is closed by now, or that nobody asked to open.
  }

  /** The first token tells which API key the connection belongs to, and so which engine serves it. */
  async #authenticate(data: Uint8Array, { address, rest }: Frame): Promise<void> {
    try {
      if (readVarUint(rest) !== 0) throw new Error('No token.');
      const token = readVarString(rest);
      if (!this.#verified) {
        const verified = await this.#parts.verify(token);
        if (!this.#verified) {
          this.#verified = verified;
          const cause = this.#cause === undefined ? this.#parts.onAuthenticated(verified) : undefined;
          if (cause) this.close(cause);
        }
      }
    } catch (error) {
      this.#openings.delete(address);
      if (error instanceof ApiError && error.status !== 'UNAVAILABLE')
        this.ws.send(refusalOf(address, error.message));
      else this.close(error instanceof Error && error.message === 'No token.' ? 'malformed' : 'busy');
      return;
    }
    if (this.#cause !== undefined || this.ws.readyState !== OPEN) return;
    this.#client ??= this.#parts
      .engineOf(this.#verified.scope)
      .handleConnection(this.#socket, this.#request, { gate: this });
    this.#client.handleMessage(data);
  }

  #hold(data: Uint8Array, opening: Opening): void {
    opening.queue.push(data);
    // Counted anew, and not as they come and go: those of a document that is refused go without a word.
    const waiting = [...this.#openings.values()].flatMap(({ queue }) => queue);
    const bytes = waiting.reduce((sum, { length }) => sum + length, 0);
    const { limits } = this.#parts;
    if (waiting.length > limits.queuedMessages || bytes > limits.queuedBytes) this.close('tooManyMessages');
  }

  #handle(data: Uint8Array, frame: Frame, opening: Opening): void {
    const { connection } = opening;
    if (frame.kind === kinds.close) opening.isClosing = true;
    const { apiKeyId } = this.#verified!.scope;
    // One has been taken already.
    const more = costOf(frame, data.length, connection!.document.getConnectionsCount()) - 1;
    this.#parts.budgets.charge(apiKeyId, more);
    const message = {
      bytes: data.length,
      readOnly: connection!.readOnly,
      documentBytes: this.#parts.openEditorOf(connection!.document)?.bytes ?? 0,
    };
    const { cause, ignored, cost = 0 } = judgeMessage(frame, message, this.#parts.limits);
    if (cause) this.close(cause);
    else if (cost > 0 && !this.#parts.charge(this.#verified!, cost)) this.close('tooManyMessages');
    else if (!ignored) this.#client!.handleMessage(data);
  }

  #send(data: Uint8Array): void {
    if (this.#cause !== undefined || this.ws.readyState !== OPEN) return;
    if (acknowledges(data)) this.#acknowledge(data);
    else this.#put(data);
  }

  /** Between two messages the connection is free for whole frames. */
  #put(data: Uint8Array): void {
    this.#wire.write(frameOf(data));
  }

  /** Sends an acknowledgement once all that came before it is stored. */
  #acknowledge(data: Uint8Array): void {
    const { connection } = this.#openings.get(readFrame(data).address) ?? {};
    const editor = connection && this.#parts.openEditorOf(connection.document);
    if (!editor || connection.readOnly) {
      this.#put(data);
      return;
    }
    const { log, limits } = this.#parts;
    // They are acknowledged as well, so they are stored.
    const stranded = takeStranded(editor, limits);
    if (stranded === false) {
      this.close('strandedUpdates');
      return;
    }
    const { context, socketId } = connection;
    if (stranded) log.add(editor, stranded, { userId: context.user?.userId ?? null, sessionId: socketId });
    const settled = log.settled(editor);
    if (!settled) {
      this.#put(data);
      return;
    }
    settled.then(
      () => {
        if (this.#cause === undefined && this.ws.readyState === OPEN) this.#put(data);
      },
      () => this.close(editor.isGone ? 'deleted' : 'busy'),
    );
  }
}

const nameIn = (address: string): string => address.split('\0', 1)[0]!;

const refusal = (message: string) => new ApiError('PERMISSION_DENIED', message);
