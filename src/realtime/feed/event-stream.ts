import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventVisibility } from './event-visibility.ts';
import { eventsSent, streamsEnded } from './feed-metrics.ts';
import type { Channel, ReadPage } from './organization-channel.ts';
import type { ReadEvent } from './read-event.ts';
import type { StreamPosition } from './stream-position.ts';
import type { Viewer } from './stream-viewer.ts';

/** Reasons for which this side ends a stream. */
export type EndReason = 'token' | 'organization' | 'document' | 'restart' | 'slow';

export interface StreamTimes {
  /** Silence after which a heartbeat is sent. */
  heartbeatMs: number;
  /** Time after which a client that reads nothing is cut off. */
  slowMs: number;
  /** Time in which a client can read the last message before its connection is closed. */
  lingerMs: number;
}

interface StreamOptions {
  viewer: Viewer;
  response: ServerResponse;
  channel: Pick<Channel, 'ids' | 'upTo'>;
  visibility: EventVisibility;
  times: StreamTimes;
  from: StreamPosition;
  /** The events after the client's position are unknown, so it must read the whole state again. */
  isReset: boolean;
  /** Reads the next events after a number, from memory or the database. */
  read(after: number): Promise<ReadPage>;
  onClosed(): void;
  onError(error: unknown): void;
}

const RETRY_MS = 2_000;
/** Decisions on visibility are this long valid; remaining events are then filtered again. */
const DECIDED_FOR_MS = 2_000;
const AFTER_FAULT_MS = 1_000;
const CHUNK = 32_768;
const RESET = `event: reset\ndata: ${JSON.stringify({
  reason: 'unknown_position',
  message: 'What came since is not known any more: read the state anew.',
})}\n\n`;

/**
 * Sends events to one client, from a position on. Backpressure: it reads on only when the client has received what was
 * sent, so that a client that is slow or far behind takes no more memory than any other.
 */
export class EventStream {
  readonly viewer: Viewer;
  /** Resolves once the client has received everything, or is gone. */
  readonly closed: Promise<void>;
  readonly #options: StreamOptions;
  #position: number;
  #isOver = false;
  #isWoken = false;
  #isIdle = false;
  #endPause = () => {};
  #lastWrittenAt = Date.now();
  #stuckSince: number | undefined;

  constructor(options: StreamOptions) {
    const { viewer, response, channel, from, isReset } = options;
    this.#options = options;
    this.viewer = viewer;
    this.#position = from.seq;
    this.closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    response.once('close', () => this.#close());
    this.#write(`retry: ${RETRY_MS}\nid: ${channel.ids.idOf(from)}\n\n`);
    if (isReset) this.#write(RESET);
    void this.#run();
  }

  /** Reads again, because there are new events. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause();
  }

  /** Sends a heartbeat if one is due. To be called about every second. */
  beat(): void {
    const { response, channel, times } = this.#options;
    const now = Date.now();
    if (this.#isOver || !this.#isIdle || this.#isWoken || now - this.#lastWrittenAt < times.heartbeatMs)
      return;
    if (response.writableNeedDrain) {
      this.#stuckSince ??= now;
      if (now - this.#stuckSince >= times.slowMs) this.end('slow');
      return;
    }
    this.#stuckSince = undefined;
    this.#position = Math.max(this.#position, channel.upTo());
    // With the new position, a client that resumes later skips events that were not for it.
    this.#write(`:\nid: ${channel.ids.idOf({ seq: this.#position, at: now })}\n\n`);
  }

  end(reason: EndReason): void {
    if (this.#isOver) return;
    const { response, times } = this.#options;
    streamsEnded.inc({ reason });
    response.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const timer = setTimeout(() => response.socket?.destroy(), times.lingerMs);
    response.once('close', () => clearTimeout(timer));
    this.#close();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wake();
    this.#options.onClosed();
  }

  #write(text: string): void {
    this.#lastWrittenAt = Date.now();
    this.#options.response.write(text);
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      this.#isWoken = false;
      try {
        const page = await this.#options.read(this.#position);
        await this.#send(page.events);
        this.#position = page.upTo;
        // Other work gets a turn between the pages of a backlog.
        await nextTurn();
        if (page.isFull) continue;
      } catch (error) {
        this.#options.onError(error);
        await this.#pause(AFTER_FAULT_MS);
        continue;
      }
      this.#isIdle = true;
      await this.#pause();
      this.#isIdle = false;
    }
  }

  /** Resolves when the stream is woken, or after a time if one is given. */
  #pause(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver || this.#isWoken) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #send(events: ReadEvent[]): Promise<void> {
    const { viewer, channel, visibility } = this.#options;
    let left = events;
    while (left.length > 0 && !this.#isOver) {
      const decidedAt = Date.now();
      const filtered = await visibility.filter(viewer, left);
      let text = '';
      let done = 0;
      const flush = async () => {
        if (text !== '' && !this.#isOver) this.#write(text);
        text = '';
        await this.#drained();
      };
      for (const [index, { message, isOver }] of filtered.entries()) {
        const event = left[index]!;
        done = index + 1;
        if (message) {
          event.id ??= channel.ids.idOf({ seq: event.seq, at: event.createdAt });
          text += `id: ${event.id}\n${message.text}`;
          eventsSent.inc({ event: message.name });
        }
        if (isOver) {
          await flush();
          return this.end('document');
        }
        if (text.length > CHUNK) await flush();
        if (this.#isOver || Date.now() - decidedAt > DECIDED_FOR_MS) break;
      }
      await flush();
      // Advanced right after sending, so that a later error repeats no event.
      this.#position = left[done - 1]!.seq;
      left = left.slice(done);
    }
  }

  /** Resolves once the client has received enough, or is cut off. */
  async #drained(): Promise<void> {
    const { response, times } = this.#options;
    if (!response.writableNeedDrain || this.#isOver) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      const timer = setTimeout(() => {
        this.end('slow');
        done();
      }, times.slowMs);
      response.once('drain', done);
      response.once('close', done);
    });
  }
}
