import { createHash } from 'node:crypto';
import { applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import type { Bus } from '../../lib/bus/bus.ts';
import { within } from '../../lib/time.ts';
import { packUpdates, unpackUpdates } from '../../lib/update-list.ts';
import type { Session } from '../connection/hooks.ts';
import { applyInTurn } from '../document/apply-in-parts.ts';
import { type OpenEditor, STORED } from '../document/open-editor.ts';
import { type AwarenessMessage, packAwareness, unpackAwareness } from '../protocol/awareness-message.ts';
import { createPeers } from './peers.ts';

/** What processes tell each other of an editor: one byte that says which, and what belongs to it. */
const messages = { updates: 0, awareness: 1, whoIsThere: 2, gone: 3, lookAgain: 4 } as const;

/** Brings what happens in an editor to everywhere else where it is open, in this process and in others. */
export interface Channels {
  /** Begins to hear of an editor; resolves once nothing that is stored from now on can be missed. */
  join(editor: OpenEditor): Promise<void>;
  leave(editor: OpenEditor): void;
  /** Those of this process. */
  openedAs(id: string): Iterable<OpenEditor>;
  all(): Iterable<OpenEditor>;
  /** Another process may have died, so that something may be stored of which nobody was told. */
  isDoubtful(): boolean;
  /**
   * Hands on updates that are stored, except to the one that they come from. Resolves once they are applied here and
   * others were told, or that is not to be waited for.
   */
  tellUpdates(id: string, updates: Uint8Array[], from?: OpenEditor): Promise<void>;
  /** Tells the others that the editor was deleted. */
  tellGone(id: string): void;
  stop(): Promise<void>;
}

interface ChannelOptions {
  bus: Bus;
  /** The editor was deleted elsewhere. */
  onGone(editor: OpenEditor): void;
  /** Something may have been missed: what is stored must be read again. Resolves once it was, and never fails. */
  onMissed(editor: OpenEditor): Promise<void>;
  onError(error: unknown): void;
}

const TELL_WITHIN_MS = 1_000;

interface Channel {
  editors: Set<OpenEditor>;
  joined: Promise<() => Promise<void>>;
}

export function createChannels({ bus, onGone, onMissed, onError }: ChannelOptions): Channels {
  const channels = new Map<string, Channel>();
  /** Editors of which others were not told, since the bus was away. */
  const untold = new Set<string>();

  const publish = (id: string, kind: number, content: Uint8Array = new Uint8Array()) => {
    const message = new Uint8Array(content.length + 1);
    message[0] = kind;
    message.set(content, 1);
    return bus.publish(channelOf(id), message).catch(() => {
      if (kind === messages.updates || kind === messages.gone) untold.add(id);
    });
  };

  const hear = (id: string, message: Uint8Array | undefined) => {
    const editors = [...(channels.get(id)?.editors ?? [])];
    const content = message?.subarray(1);
    for (const editor of editors) {
      try {
        hearAs(editor, message?.[0], content);
      } catch (error) {
        onError(error);
        void onMissed(editor);
      }
    }
  };
  const hearAs = (editor: OpenEditor, kind: number | undefined, content: Uint8Array = new Uint8Array()) => {
    const { document } = editor;
    if (kind === messages.updates) void apply(editor, unpackUpdates(content));
    else if (kind === messages.awareness) hearAwareness(editor, unpackAwareness(content));
    else if (kind === messages.whoIsThere) tellAwareness(editor, [...document.awareness.getStates().keys()]);
    else if (kind === messages.gone) onGone(editor);
    else void onMissed(editor);
  };

  /** Resolves once it is done, and never fails. */
  const apply = (editor: OpenEditor, updates: Uint8Array[]): Promise<void> | undefined =>
    applyInTurn(editor, updates, 'updates')?.catch(async (error: unknown) => {
      onError(error);
      await onMissed(editor);
    });

  const hearAwareness = ({ owners, document }: OpenEditor, message: AwarenessMessage) => {
    for (const [clientId, userId] of message.owners) owners.set(clientId, userId);
    applyAwarenessUpdate(document.awareness, message.update, STORED);
  };

  const tellAwareness = ({ id, document, owners }: OpenEditor, clientIds: number[]) => {
    if (clientIds.length === 0) return;
    const owned = clientIds.flatMap((clientId) => {
      const userId = owners.get(clientId);
      return userId === undefined ? [] : [[clientId, userId] as const];
    });
    const message = {
      owners: new Map(owned),
      update: encodeAwarenessUpdate(document.awareness, clientIds),
    };
    void publish(id, messages.awareness, packAwareness(message));
    for (const peer of channels.get(id)?.editors ?? []) {
      if (peer.document !== document) hearAwareness(peer, message);
    }
  };

  let isReading = false;
  let mustReadOnceMore = false;
  /** One after the other: every process does so in the same moment, and the database serves all of them. */
  const readAllAgain = async () => {
    mustReadOnceMore = true;
    if (isReading) return;
    isReading = true;
    while (mustReadOnceMore) {
      mustReadOnceMore = false;
      for (const { editors } of [...channels.values()])
        for (const editor of [...editors]) await onMissed(editor);
    }
    isReading = false;
  };

  const peers = createPeers({ bus, onLost: () => void readAllAgain() });

  const stopListening = bus.onGap(() => {
    for (const id of untold) void publish(id, messages.lookAgain);
    untold.clear();
    void readAllAgain();
  });

  return {
    async join(editor) {
      const { id, document } = editor;
      let channel = channels.get(id);
      if (!channel) {
        const joined = bus.subscribe(channelOf(id), (message) => hear(id, message));
        joined.catch(() => {});
        channel = { editors: new Set(), joined };
        channels.set(id, channel);
      }
      channel.editors.add(editor);
      await channel.joined;
      document.awareness.on(
        'update',
        (change: { added: number[]; updated: number[]; removed: number[] }, origin: unknown) => {
          for (const clientId of change.removed) editor.owners.delete(clientId);
          if (origin === STORED) return;
          const userId = userOf(origin);
          if (userId !== undefined) {
            for (const clientId of [...change.added, ...change.updated]) editor.owners.set(clientId, userId);
          }
          tellAwareness(editor, [...change.added, ...change.updated, ...change.removed]);
        },
      );
      void publish(id, messages.whoIsThere);
    },
    leave(editor) {
      const channel = channels.get(editor.id);
      channel?.editors.delete(editor);
      if (!channel || channel.editors.size > 0) return;
      channels.delete(editor.id);
      channel.joined.then((stop) => stop()).catch(onError);
    },
    openedAs: (id) => channels.get(id)?.editors ?? [],
    *all() {
      for (const { editors } of channels.values()) yield* editors;
    },
    async tellUpdates(id, updates, from) {
      const peers = [...(channels.get(id)?.editors ?? [])].filter((peer) => peer !== from);
      const applied = peers.map((peer) => apply(peer, updates));
      // A bus that does not answer must not hold up writers.
      await within(TELL_WITHIN_MS, publish(id, messages.updates, packUpdates(updates)), undefined);
      await Promise.all(applied);
    },
    tellGone: (id) => void publish(id, messages.gone),
    isDoubtful: () => peers.isDoubtful(),
    async stop() {
      stopListening();
      await peers.stop();
      await Promise.allSettled(
        [...channels.values()].map(async ({ joined }) => {
          const stop = await joined;
          await stop();
        }),
      );
      channels.clear();
    },
  };
}

/** Who changed an awareness state over a connection of this process. */
const userOf = (origin: unknown): string | undefined =>
  (origin as { connection?: { context: Session } } | null)?.connection?.context.user?.userId;

/** Of one length, and free of whatever a caller's ids may hold. */
const channelOf = (id: string): string => `editor:${createHash('sha256').update(id).digest('base64url')}`;
