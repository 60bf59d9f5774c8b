import { createHash } from 'node:crypto';
import type { Bus } from '../../lib/bus/bus.ts';
import { within } from '../../lib/time.ts';
import { packUpdates, unpackUpdates } from '../../lib/update-list.ts';
import { applyInTurn } from '../document/apply-in-parts.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { createPeers, type Peers } from './peers.ts';
import {
  applyAwareness,
  awarenessOf,
  onOwnAwareness,
  packAwareness,
  unpackAwareness,
} from './share-awareness.ts';

/** Kinds of messages between processes about an editor: the first byte, followed by the content. */
const messages = { updates: 0, awareness: 1, requestAwareness: 2, gone: 3, reread: 4 } as const;

interface ChannelOptions {
  bus: Bus;
  /** The editor was deleted on another process. */
  onGone(editor: OpenEditor): void;
  /** Messages may have been missed: the stored content must be read again. Resolves when it was, and never rejects. */
  onMissed(editor: OpenEditor): Promise<void>;
  onError(error: unknown): void;
}

const BUS_TIMEOUT_MS = 1_000;

interface Channel {
  editors: Set<OpenEditor>;
  joined: Promise<() => Promise<void>>;
}

/** Broadcasts changes of an editor to all open documents of it, on this process and, over the bus, on others. */
export class Channels {
  readonly #options: ChannelOptions;
  readonly #channels = new Map<string, Channel>();
  /** Editors with a message that could not be published; the others must read them again. */
  readonly #unpublished = new Set<string>();
  readonly #peers: Peers;
  readonly #stopListening: () => void;
  #isReading = false;
  #mustReadAgain = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { bus } = options;
    this.#peers = createPeers({ bus, onLost: () => void this.#readAllAgain() });
    this.#stopListening = bus.onGap(() => {
      for (const id of this.#unpublished) void this.#publish(id, messages.reread);
      this.#unpublished.clear();
      void this.#readAllAgain();
    });
  }

  /** Subscribes to an editor; once this resolves, no update that is stored later can be missed. */
  async join(editor: OpenEditor): Promise<void> {
    const { id } = editor;
    let channel = this.#channels.get(id);
    if (!channel) {
      const joined = this.#options.bus.subscribe(channelOf(id), (message) => this.#receive(id, message));
      joined.catch(() => {});
      channel = { editors: new Set(), joined };
      this.#channels.set(id, channel);
    }
    channel.editors.add(editor);
    await channel.joined;
    onOwnAwareness(editor, (clientIds) => this.#sendAwareness(editor, clientIds));
    void this.#publish(id, messages.requestAwareness);
  }

  leave(editor: OpenEditor): void {
    const channel = this.#channels.get(editor.id);
    channel?.editors.delete(editor);
    if (!channel || channel.editors.size > 0) return;
    this.#channels.delete(editor.id);
    channel.joined.then((unsubscribe) => unsubscribe()).catch(this.#options.onError);
  }

  /** The open documents of an editor on this process. */
  openEditorsOf(id: string): Iterable<OpenEditor> {
    return this.#channels.get(id)?.editors ?? [];
  }

  /** True if another process may have died, so that stored updates may not have been broadcast. */
  isDoubtful(): boolean {
    return this.#peers.isDoubtful();
  }

  /**
   * Broadcasts stored updates, except to the document that they come from. Resolves once they are applied here and
   * published, or publishing takes too long.
   */
  async sendUpdates(id: string, updates: Uint8Array[], from?: OpenEditor): Promise<void> {
    const others = [...this.openEditorsOf(id)].filter((editor) => editor !== from);
    const applied = others.map((editor) => this.#apply(editor, updates));
    // A bus that does not answer must not delay writers.
    await within(BUS_TIMEOUT_MS, this.#publish(id, messages.updates, packUpdates(updates)), undefined);
    await Promise.all(applied);
  }

  /** Broadcasts to other processes that an editor was deleted. */
  sendGone(id: string): void {
    void this.#publish(id, messages.gone);
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#peers.stop();
    await Promise.allSettled(
      [...this.#channels.values()].map(async ({ joined }) => {
        const unsubscribe = await joined;
        await unsubscribe();
      }),
    );
    this.#channels.clear();
  }

  #publish(id: string, kind: number, content: Uint8Array = new Uint8Array()): Promise<void> {
    const message = new Uint8Array(content.length + 1);
    message[0] = kind;
    message.set(content, 1);
    return this.#options.bus.publish(channelOf(id), message).catch(() => {
      if (kind === messages.updates || kind === messages.gone) this.#unpublished.add(id);
    });
  }

  #receive(id: string, message: Uint8Array | undefined): void {
    const content = message?.subarray(1);
    for (const editor of [...this.openEditorsOf(id)]) {
      try {
        this.#handle(editor, message?.[0], content);
      } catch (error) {
        this.#options.onError(error);
        void this.#options.onMissed(editor);
      }
    }
  }

  #handle(editor: OpenEditor, kind: number | undefined, content: Uint8Array = new Uint8Array()): void {
    if (kind === messages.updates) void this.#apply(editor, unpackUpdates(content));
    else if (kind === messages.awareness) applyAwareness(editor, unpackAwareness(content));
    else if (kind === messages.requestAwareness)
      this.#sendAwareness(editor, [...editor.document.awareness.getStates().keys()]);
    else if (kind === messages.gone) this.#options.onGone(editor);
    else void this.#options.onMissed(editor);
  }

  /** Resolves once the updates are applied, and never rejects. */
  #apply(editor: OpenEditor, updates: Uint8Array[]): Promise<void> | undefined {
    return applyInTurn(editor, updates, 'updates')?.catch(async (error: unknown) => {
      this.#options.onError(error);
      await this.#options.onMissed(editor);
    });
  }

  #sendAwareness(editor: OpenEditor, clientIds: number[]): void {
    if (clientIds.length === 0) return;
    const message = awarenessOf(editor, clientIds);
    void this.#publish(editor.id, messages.awareness, packAwareness(message));
    for (const other of this.openEditorsOf(editor.id))
      if (other.document !== editor.document) applyAwareness(other, message);
  }

  /** Reads one editor after the other: all processes do so at the same moment, from one database. */
  async #readAllAgain(): Promise<void> {
    this.#mustReadAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#mustReadAgain) {
      this.#mustReadAgain = false;
      for (const { editors } of [...this.#channels.values()])
        for (const editor of [...editors]) await this.#options.onMissed(editor);
    }
    this.#isReading = false;
  }
}

/** Hashed to a fixed length, without the characters that a caller's ids may contain. */
const channelOf = (id: string): string => `editor:${createHash('sha256').update(id).digest('base64url')}`;
