import type { Socket } from 'node:net';
import type { Connection, Hocuspocus, WebSocketLike } from '@hocuspocus/server';
import { readVarString, readVarUint } from 'lib0/decoding';
import type { RawData, WebSocket } from 'ws';
import { ApiError } from '../../lib/errors.ts';
import type { Scope, TokenUser } from '../../lib/scope.ts';
import type { EditorRef } from '../../store/live/crdt-editors.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { takePending } from '../document/update-guard.ts';
import type { AppendLog } from '../log/append-log.ts';
import { type Cause, closings } from '../protocol/close-codes.ts';
import { editorOf } from '../protocol/document-name.ts';
import { messagesDelayed } from '../protocol/editing-metrics.ts';
import type { Limits } from '../protocol/realtime-limits.ts';
import type { AuthenticatedUser, Session, SessionClient } from '../protocol/session.ts';
import { acknowledges, type Frame, kinds, readFrame, refusalMessage } from './hocuspocus-message.ts';
import type { MessageBudgets, Waiter } from './message-budgets.ts';
import { costOf, ruleOnMessage } from './message-rules.ts';
import { TokenBucket } from './token-bucket.ts';
import { websocketFrame } from './websocket-frame.ts';

export interface ConnectionDeps {
  limits: Limits;
  budgets: MessageBudgets;
  log: AppendLog;
  engineOf(scope: Scope): Hocuspocus<Session>;
  openEditorOf(document: object): OpenEditor | undefined;
  /** Verifies a token. Throws an ApiError if it is not valid here. */
  verify(token: string): Promise<AuthenticatedUser>;
  /** Decides whether a user may open an editor, and if only to read. Throws an ApiError. */
  authorize(verified: AuthenticatedUser, editor: EditorRef): Promise<{ readOnly: boolean }>;
  /** Charges bytes to the user's token bucket; false if it has too few tokens. */
  charge(verified: AuthenticatedUser, bytes: number): boolean;
  /** Called with the first valid token. Returns the cause to close the connection with, if it must be closed. */
  onAuthenticated(verified: AuthenticatedUser): Cause | undefined;
  onClosed(cause: Cause | undefined): void;
}

/** A document that a connection opens or has open. */
interface Opening {
  connection?: Connection<Session>;
  /** The client closes the document, and may open it again in its next message. */
  isClosing?: true;
  /** Messages that arrived before the document was open, or before it was closed. */
  queue: Uint8Array[];
}

const OPEN = 1;
const TERMINATE_AFTER_MS = 2_000;

/**
 * The layer between one WebSocket and Hocuspocus: limits incoming messages, delays acknowledgments until the changes
 * are stored, and closes the connection with a code for each cause.
 */
export class ClientConnection implements SessionClient, Waiter {
  readonly ws: WebSocket;
  /** The TCP socket under the WebSocket. */
  readonly #tcp: Socket;
  readonly #request: Request;
  readonly #deps: ConnectionDeps;
  readonly #messages: TokenBucket;
  readonly #openings = new Map<string, Opening>();
  /** Handed to Hocuspocus in place of the WebSocket. */
  readonly #socket: WebSocketLike;
  #client: ReturnType<Hocuspocus<Session>['handleConnection']> | undefined;
  #verified: AuthenticatedUser | undefined;
  #cause: Cause | undefined;
  #isAlive = true;
  /** Messages that wait because the API key is over its budget; meanwhile the socket is paused (backpressure). */
  #waiting: Buffer[] = [];
  #pausedAt: number | undefined;
  #deadline: NodeJS.Timeout;

  constructor(ws: WebSocket, tcp: Socket, request: Request, deps: ConnectionDeps) {
    this.ws = ws;
    this.#tcp = tcp;
    this.#request = request;
    this.#deps = deps;
    const { limits } = deps;
    this.#messages = new TokenBucket(limits.messagesPerSecond, limits.messageBurst, Date.now());
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
      deps.onClosed(this.#cause);
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
    // The client's closing frame must be read.
    this.#dropWaiting();
    this.#resume();
    // A displaced connection must not occupy its place for as long as its client pleases.
    if (cause === 'displaced') this.#tcp.destroySoon();
    setTimeout(() => this.ws.terminate(), TERMINATE_AFTER_MS).unref();
  }

  /** Closes the connection of a client that does not receive what is sent. */
  checkBacklog(): void {
    if (this.ws.bufferedAmount > this.#deps.limits.backlogBytes) this.close('tooSlow');
  }

  ping(): void {
    // The pong may wait unread in the paused socket.
    if (this.#pausedAt !== undefined) return;
    if (!this.#isAlive) {
      this.ws.terminate();
      return;
    }
    this.#isAlive = false;
    this.ws.ping();
  }

  async authorize(name: string, token: string): Promise<{ user: TokenUser; readOnly: boolean }> {
    try {
      const verified = await this.#deps.verify(token);
      if (verified.scope.apiKeyId !== this.#verified?.scope.apiKeyId) throw refusal('Another API key.');
      const editor = editorOf(name);
      if (!editor) throw refusal('The name must be organizationId/documentId/editorId, each URI-encoded.');
      const { readOnly } = await this.#deps.authorize(verified, editor);
      return { user: verified.user, readOnly };
    } catch (error) {
      for (const [address, { connection }] of this.#openings) {
        if (!connection && nameIn(address) === name) this.#openings.delete(address);
      }
      if (!(error instanceof ApiError)) {
        this.close('busy');
        throw error;
      }
      // An object without `message`, because Hocuspocus prints messages.
      throw { reason: error.message };
    }
  }

  async renew(connection: Connection<Session>, token: string): Promise<void> {
    const name = connection.document.name;
    const before = connection.context.user?.userId;
    try {
      const { user, readOnly } = await this.authorize(name, token);
      if (user.userId === before && readOnly === connection.readOnly) {
        Object.assign(connection.context, { user, token });
        return;
      }
    } catch {
      // Closed below.
    }
    this.close('forbidden');
  }

  opened(connection: Connection<Session>): void {
    const opening = this.#openings.get(connection.messageAddress);
    if (!opening) return;
    clearTimeout(this.#deadline);
    opening.connection = connection;
    // Hocuspocus notifies the client right after this.
    connection.onClose(() => queueMicrotask(() => this.#closed(connection.messageAddress, opening)));
    this.#routeQueue(opening);
  }

  /** Messages that arrived after the close belong to the next opening of the document. */
  #closed(address: string, opening: Opening): void {
    if (this.#openings.get(address) !== opening) return;
    this.#openings.delete(address);
    this.#routeQueue(opening);
  }

  #routeQueue(opening: Opening): void {
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
    return !this.#verified || this.#deps.budgets.take(this.#verified.scope.apiKeyId);
  }

  #wait(bytes: Buffer): void {
    if (!this.#deps.budgets.wait(this.#verified!.scope.apiKeyId, this, bytes.length)) {
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
    this.#deps.budgets.stopWaiting(this.#verified!.scope.apiKeyId, next.length);
    this.#take(next);
    if (this.#waiting.length > 0) return true;
    this.#resume();
    return false;
  }

  #resume(): void {
    if (this.#pausedAt === undefined) return;
    // Credit for the pause, during which the client went on sending at its usual rate.
    this.#messages.credit(Date.now() - this.#pausedAt);
    this.#pausedAt = undefined;
    this.#isAlive = true;
    this.ws.resume();
  }

  #dropWaiting(): void {
    const bytes = this.#waiting.reduce((sum, { length }) => sum + length, 0);
    this.#waiting = [];
    if (bytes > 0) this.#deps.budgets.stopWaiting(this.#verified!.scope.apiKeyId, bytes);
  }

  #route(data: Uint8Array, frame: Frame): void {
    const opening = this.#openings.get(frame.address);
    if (opening && (!opening.connection || opening.isClosing)) this.#enqueue(data, opening);
    else if (opening) this.#handle(data, frame, opening);
    else if (frame.kind === kinds.auth) {
      if (this.#openings.size >= this.#deps.limits.documentsPerConnection) {
        this.close('tooManyMessages');
        return;
      }
      this.#openings.set(frame.address, { queue: [] });
      void this.#authenticate(data, frame);
    }
    // Other messages belong to documents that are closed or were never opened, and are ignored.
  }

  /** The first token binds the connection to an API key and its engine. */
  async #authenticate(data: Uint8Array, { address, rest }: Frame): Promise<void> {
    try {
      if (readVarUint(rest) !== 0) throw new Error('No token.');
      const token = readVarString(rest);
      if (!this.#verified) {
        const verified = await this.#deps.verify(token);
        if (!this.#verified) {
          this.#verified = verified;
          const cause = this.#cause === undefined ? this.#deps.onAuthenticated(verified) : undefined;
          if (cause) this.close(cause);
        }
      }
    } catch (error) {
      this.#openings.delete(address);
      if (error instanceof ApiError && error.status !== 'UNAVAILABLE')
        this.ws.send(refusalMessage(address, error.message));
      else this.close(error instanceof Error && error.message === 'No token.' ? 'malformed' : 'busy');
      return;
    }
    if (this.#cause !== undefined || this.ws.readyState !== OPEN) return;
    this.#client ??= this.#deps
      .engineOf(this.#verified.scope)
      .handleConnection(this.#socket, this.#request, { client: this });
    this.#client.handleMessage(data);
  }

  #enqueue(data: Uint8Array, opening: Opening): void {
    opening.queue.push(data);
    // Summed up each time, because the queue of a refused document disappears without notice.
    const waiting = [...this.#openings.values()].flatMap(({ queue }) => queue);
    const bytes = waiting.reduce((sum, { length }) => sum + length, 0);
    const { limits } = this.#deps;
    if (waiting.length > limits.queuedMessages || bytes > limits.queuedBytes) this.close('tooManyMessages');
  }

  #handle(data: Uint8Array, frame: Frame, opening: Opening): void {
    const { connection } = opening;
    if (frame.kind === kinds.close) opening.isClosing = true;
    const { apiKeyId } = this.#verified!.scope;
    // One unit was taken when the message arrived.
    const more = costOf(frame, data.length, connection!.document.getConnectionsCount()) - 1;
    this.#deps.budgets.charge(apiKeyId, more);
    const message = {
      bytes: data.length,
      readOnly: connection!.readOnly,
      documentBytes: this.#deps.openEditorOf(connection!.document)?.bytes ?? 0,
    };
    const { cause, ignored, cost = 0 } = ruleOnMessage(frame, message, this.#deps.limits);
    if (cause) this.close(cause);
    else if (cost > 0 && !this.#deps.charge(this.#verified!, cost)) this.close('tooManyMessages');
    else if (!ignored) this.#client!.handleMessage(data);
  }

  #send(data: Uint8Array): void {
    if (this.#cause !== undefined || this.ws.readyState !== OPEN) return;
    if (acknowledges(data)) this.#acknowledge(data);
    else this.#write(data);
  }

  /** Writes a frame to the TCP socket, past `ws`, which writes only whole frames in between. */
  #write(data: Uint8Array): void {
    this.#tcp.write(websocketFrame(data));
  }

  /** Sends an acknowledgment once all earlier changes of the editor are stored. */
  #acknowledge(data: Uint8Array): void {
    const { connection } = this.#openings.get(readFrame(data).address) ?? {};
    const editor = connection && this.#deps.openEditorOf(connection.document);
    if (!editor || connection.readOnly) {
      this.#write(data);
      return;
    }
    const { log, limits } = this.#deps;
    // Pending updates are acknowledged as well, so they must be stored.
    const pending = takePending(editor, limits);
    if (pending === false) {
      this.close('strandedUpdates');
      return;
    }
    const { context, socketId } = connection;
    if (pending) log.add(editor, pending, { userId: context.user?.userId ?? null, sessionId: socketId });
    const settled = log.settled(editor);
    if (!settled) {
      this.#write(data);
      return;
    }
    settled.then(
      () => {
        if (this.#cause === undefined && this.ws.readyState === OPEN) this.#write(data);
      },
      () => this.close(editor.isGone ? 'deleted' : 'busy'),
    );
  }
}

const nameIn = (address: string): string => address.split('\0', 1)[0]!;

const refusal = (message: string) => new ApiError('PERMISSION_DENIED', message);
