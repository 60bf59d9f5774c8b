import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { Doc } from 'yjs';
import { type Connection, connect, resultOf, unanswered } from './connection.ts';
import { closingError, goneError, isOfContent, type Notice, noticeOf } from './editor-closings.ts';
import { isRepeatable, RedpenError } from './errors.ts';
import { notify } from './notify.ts';
import { lifeOf, type UserTokenCache } from './user-token.ts';

export interface EditorOptions {
  organizationId: string;
  documentId: string;
  editorId: string;
  /** The document to fill, such as one that holds unsaved changes; a new one by default. */
  ydoc?: Doc | undefined;
  /** What others see of the user in the awareness state, such as the label and color of a caret. */
  user?: { name?: string; color?: string; [key: string]: unknown } | undefined;
  /** Returns a token of a user, in place of that of the client. Needed for a client with an API key. */
  getUserToken?: (() => string | Promise<string>) | undefined;
}

export interface EditorState {
  /**
   * `live`: changes are exchanged. `offline`: the connection is opened again, and changes are kept until then. `ended`:
   * the editor was closed, or it, its document or the access is gone. `failed`: trying again would not help.
   */
  status: 'loading' | 'live' | 'offline' | 'ended' | 'failed';
  /** True if changes of this user are rejected. */
  readOnly: boolean;
  /** True if no change of this user waits to be stored in the database. */
  saved: boolean;
  /** Why the status is not `live`; `code` tells causes apart. */
  error?: RedpenError | undefined;
  /** The id that the document has now, if it was migrated. Opened there with the same `ydoc`, no change is lost. */
  newDocumentId?: string | undefined;
}

export interface Editor {
  ydoc: Doc;
  provider: HocuspocusProvider;
  /** Resolves once the content is there; rejects with a RedpenError if it cannot be had. */
  synced: Promise<void>;
  readonly status: EditorState['status'];
  readonly readOnly: boolean;
  /** The state, which is another object once something has changed. */
  get(): EditorState;
  /** Calls the listener after changes of the state, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Tries again at once, also after `failed`. */
  reconnect(): void;
  /** Leaves the editor. Waits for nothing: changes that are not saved yet may be lost. */
  close(): void;
}

/** How often in a row the service may refuse the same before the editor has failed. */
const MOST_REFUSALS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** The longest time from the attempt to connect to the answer to the token. */
const ANSWER_WITHIN_MS = 30_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Opens a live editor of a document, with a token that is renewed while it is open. Each editor has a connection of its
 * own, because the service closes a whole connection for the fault of one editor.
 */
export function openEditor(redpen: { connection: Connection }, options: EditorOptions): Editor {
  return new OpenEditor(redpen.connection, options);
}

class OpenEditor implements Editor {
  readonly ydoc: Doc;
  readonly provider: HocuspocusProvider;
  readonly synced: Promise<void>;
  readonly #connection: Connection;
  readonly #tokens: UserTokenCache;
  readonly #place: { organizationId: string; documentId: string };
  readonly #socket: HocuspocusProviderWebsocket;
  readonly #listeners = new Set<() => void>();
  #state: EditorState = { status: 'loading', readOnly: false, saved: true };
  #resolve = () => {};
  #reject = (_: RedpenError) => {};
  /** Why the service is about to end the connection. */
  #notice: Notice | undefined;
  /** The token that the service has. */
  #sent: string | undefined;
  #isClosed = false;
  /** True while a connection is open or being opened. */
  #isConnected = false;
  #hasBeenLive = false;
  /** Distinguishes attempts: what an earlier one has started must not act on a later one. */
  #attempt = 0;
  /** Attempts, and refusals among them, since everything was saved. */
  #failures = 0;
  #refusals = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #renewalTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: Connection, options: EditorOptions) {
    const { organizationId, documentId, editorId, getUserToken } = options;
    this.#connection = getUserToken ? connect({ baseUrl: connection.base, getUserToken }) : connection;
    const { tokens } = this.#connection;
    if (!tokens) {
      throw new TypeError('Editors are opened with the token of a user: getUserToken is missing.');
    }
    this.#tokens = tokens;
    this.#place = { organizationId, documentId };
    this.ydoc = options.ydoc ?? new Doc();
    this.synced = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Who does not wait for it learns of failures by the state.
    this.synced.catch(() => {});
    this.#socket = new UnqueuedSocket({
      url: addressOf(connection.base),
      autoConnect: false,
      // One attempt each: when to try again is decided here.
      maxAttempts: 1,
      onClose: ({ event }) => this.#onClose(event.code, event.reason),
    });
    this.provider = new HocuspocusProvider({
      websocketProvider: this.#socket,
      name: [organizationId, documentId, editorId].map(encodeURIComponent).join('/'),
      document: this.ydoc,
      token: async () => {
        this.#sent = await this.#tokens.get();
        return this.#sent;
      },
      onAuthenticated: () => {
        clearTimeout(this.#retryTimer);
        this.#scheduleRenewal();
      },
      onAuthenticationFailed: ({ reason }) => void this.#onRefused(reason),
      onSynced: () => this.#onSynced(),
      onStateless: ({ payload }) => {
        this.#notice = noticeOf(payload);
      },
      onUnsyncedChanges: () => this.#onUnsyncedChanges(),
    });
    this.provider.attach();
    if (options.user) this.provider.setAwarenessField('user', options.user);
    void this.#open();
  }

  get status(): EditorState['status'] {
    return this.#state.status;
  }

  get readOnly(): boolean {
    return this.#state.readOnly;
  }

  // Functions that need no `this`: React and listeners of buttons call them on their own.
  readonly get = (): EditorState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    // Wrapped, so that a function that is subscribed twice is called until it is unsubscribed twice.
    const call = () => listener();
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  };

  readonly reconnect = (): void => {
    if (this.#isClosed || this.status === 'live') return;
    this.#onSaved();
    this.#notice = undefined;
    this.#disconnect();
    void this.#open();
    this.#set({ status: this.#hasBeenLive ? 'offline' : 'loading' });
  };

  readonly close = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // First, since it still sends that the user leaves.
    this.provider.destroy();
    this.#disconnect();
    this.#socket.destroy();
    this.#reject(new RedpenError('FAILED_PRECONDITION', 'The editor was closed.', { code: 'closed' }));
    if (this.status !== 'failed' && this.status !== 'ended') this.#set({ status: 'ended', error: undefined });
  };

  /** Ends the connection and everything that would lead to another one. */
  #disconnect(): void {
    this.#attempt += 1;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#renewalTimer);
    this.#isConnected = false;
    this.#socket.shouldConnect = false;
    // What happens when a connection is closed happens now: until then, the socket would not open another one.
    if (!this.#socket.webSocket) return;
    this.#socket.onClose({ event: { code: 1000, reason: '' } });
    this.provider.onClose();
  }

  async #open(): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      // Asked for before the connection is opened, which waits for a token for some seconds only.
      await this.#tokens.get();
    } catch (thrown) {
      if (attempt === this.#attempt) this.#onTokenMissing(unanswered(thrown));
      return;
    }
    if (attempt !== this.#attempt) return;
    this.#isConnected = true;
    this.#retryTimer = setTimeout(() => this.#retry(closingError(4408, '')), ANSWER_WITHIN_MS);
    void this.#socket.connect();
  }

  #retry(error: RedpenError): void {
    this.#disconnect();
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Jitter, so that not all clients of a service return at the same moment.
    const waitMs = longest * (0.3 + 0.7 * Math.random());
    this.#retryTimer = setTimeout(() => void this.#open(), Math.max(waitMs, error.retryAfterMs ?? 0));
    this.#set({ status: this.#hasBeenLive ? 'offline' : 'loading', error });
  }

  /** Tries again, unless the same has been refused several times in a row. */
  #retrySometimes(error: RedpenError): void {
    this.#refusals += 1;
    if (this.#refusals < MOST_REFUSALS) this.#retry(error);
    else this.#end('failed', error);
  }

  #end(status: 'ended' | 'failed', error: RedpenError, newDocumentId?: string): void {
    this.#disconnect();
    this.#reject(error);
    this.#set({ status, error, newDocumentId });
  }

  #onSynced(): void {
    this.#hasBeenLive = true;
    this.#resolve();
    const readOnly = this.provider.authorizedScope === 'readonly';
    // A viewer has nothing to be saved.
    if (readOnly) this.#onSaved();
    this.#set({ status: 'live', readOnly, error: undefined });
  }

  #onUnsyncedChanges(): void {
    const saved = !this.provider.hasUnsyncedChanges;
    if (saved && this.status === 'live') this.#onSaved();
    this.#set({ saved });
  }

  #onSaved(): void {
    this.#failures = 0;
    this.#refusals = 0;
  }

  #onClose(code: number, reason: string): void {
    if (!this.#isConnected) return;
    // Before the socket's own listener, which would connect again.
    this.#socket.shouldConnect = false;
    this.#isConnected = false;
    const error = closingError(code, reason);
    if (code === 4401) this.#tokens.drop(this.#sent);
    if (this.#notice) this.#end('ended', goneError(this.#notice), this.#notice.newDocumentId);
    else if (code === 4410) void this.#onDeleted(error);
    else if (isOfContent(code)) this.#retrySometimes(error);
    else this.#retry(error);
  }

  /** The editor is deleted, perhaps because its document is gone: who writes at that moment is not told which. */
  async #onDeleted(error: RedpenError): Promise<void> {
    this.#disconnect();
    const attempt = this.#attempt;
    const isThere = await this.#isDocumentThere().catch(() => true);
    if (attempt === this.#attempt) this.#end('ended', isThere ? error : goneError());
  }

  /** The service has refused the token for this editor. It says why in a sentence; an operation tells more. */
  async #onRefused(reason: string): Promise<void> {
    this.#disconnect();
    const attempt = this.#attempt;
    const answer = await this.#isDocumentThere().catch((thrown: unknown) => unanswered(thrown));
    if (attempt !== this.#attempt) return;
    if (typeof answer === 'object') this.#onRequestFailed(answer);
    else if (reason.startsWith('The name must')) {
      this.#end('failed', new RedpenError('INVALID_ARGUMENT', reason, { code: 'wrong-name' }));
    } else if (!answer) this.#onNoAccess(reason);
    else this.#retrySometimes(new RedpenError('PERMISSION_DENIED', reason, { code: 'refused' }));
  }

  #onRequestFailed(error: RedpenError): void {
    const { status, httpStatus, message } = error;
    if (status === 'NOT_FOUND' || status === 'PERMISSION_DENIED') this.#onNoAccess(message);
    else if (status === 'UNAUTHENTICATED' && httpStatus === undefined) this.#onTokenMissing(error);
    else if (isRepeatable(error) || httpStatus === undefined) this.#retry(error);
    else this.#end('failed', error);
  }

  /** False if the user may not read the document, too. */
  async #isDocumentThere(): Promise<boolean> {
    const { organizationId, documentId } = this.#place;
    const data = { organizationId, documentIds: [documentId] };
    const body = await this.#connection.send('/v2/organizations/documents/get', data);
    const [document] = resultOf(body) as { success?: boolean }[];
    return document?.success !== false;
  }

  /** The user has no access, or there is no such document. The service does not tell which. */
  #onNoAccess(reason: string): void {
    const status = this.#hasBeenLive ? 'ended' : 'failed';
    this.#end(status, new RedpenError('PERMISSION_DENIED', reason, { code: 'no-access' }));
  }

  #onTokenMissing(error: RedpenError): void {
    // What `fetch` throws without a network, which may return at any time; so may a backend that is being restarted.
    if (error.cause instanceof TypeError || this.#hasBeenLive) this.#retry(error);
    else this.#retrySometimes(error);
  }

  #scheduleRenewal(): void {
    clearTimeout(this.#renewalTimer);
    const life = lifeOf(this.#sent ?? '');
    if (!life) return;
    const leftMs = life.renewsAt - Date.now();
    // Not at once if it should have been replaced before: it was not, or the clock of this machine is wrong.
    const waitMs = leftMs > 0 ? leftMs : life.lifetimeMs / 10;
    this.#renewalTimer = setTimeout(() => void this.#renew(), Math.min(waitMs, LONGEST_TIMER_MS));
  }

  async #renew(): Promise<void> {
    const attempt = this.#attempt;
    // Without a new token, the service ends the connection in time, and it is opened again with one.
    const token = await this.#tokens.get().catch(() => undefined);
    if (attempt !== this.#attempt) return;
    if (token !== undefined && token !== this.#sent && this.status === 'live')
      await this.provider.sendToken();
    if (attempt === this.#attempt) this.#scheduleRenewal();
  }

  #set(change: Partial<EditorState>): void {
    const next = { ...this.#state, ...change };
    const isSame = (Object.keys(next) as (keyof EditorState)[]).every(
      (key) => next[key] === this.#state[key],
    );
    if (isSame) return;
    this.#state = next;
    for (const listener of [...this.#listeners]) notify(listener);
  }
}

/**
 * A socket that keeps no messages until it is open. Changes of that time are part of the first synchronization; sent on
 * their own as well, they would be acknowledged before it, and look saved while it is on its way.
 */
class UnqueuedSocket extends HocuspocusProviderWebsocket {
  override send(message: unknown): void {
    if (this.webSocket?.readyState === WebSocket.OPEN) super.send(message);
  }
}

/** The WebSocket of a service at this address, which may be that of the page itself. */
function addressOf(base: string): string {
  // Deno has a `location` that is undefined.
  return new URL(`${base}/v2/realtime`, globalThis.location?.href).href.replace(/^http/, 'ws');
}
