import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel, ReadPage } from './channel.ts';
import type { Judge } from './event-visibility.ts';
import { eventsSent, streamsEnded } from './feed-meters.ts';
import type { ReadEvent } from './read-event.ts';
import type { Position } from './stream-position.ts';
import type { Viewer } from './viewer.ts';

/** Why this side ends a stream. */
export type EndReason = 'token' | 'organization' | 'document' | 'restart' | 'slow';

export interface StreamTimes {
  /** After so long without a word there is a sign of life. */
  heartbeatMs: number;
  /** Whoever takes nothing for so long is given up. */
  slowMs: number;
  /** How long a client has to take the last words. */
  lingerMs: number;
}

export interface Stream {
  viewer: Viewer;
  /** Tells that there is something to read. */
  wake(): void;
  /** To be called about every second. */
  beat(): void;
  end(reason: EndReason): void;
  /** Resolves once the client has got all there was for it, or is gone. */
  closed: Promise<void>;
}

interface Parts {
  viewer: Viewer;
  response: ServerResponse;
  channel: Pick<Channel, 'ids' | 'upTo'>;
  judge: Judge;
  times: StreamTimes;
  from: Position;
  /** The client has to read the state anew, since what came behind its position is not known any more. */
  isReset: boolean;
  /** The next events behind a number, from wherever they are. */
  read(after: number): Promise<ReadPage>;
  onClosed(): void;
  onError(error: unknown): void;
}

const RETRY_MS = 2_000;
/** Judged for so long, what waits is judged once more. */
const JUDGED_FOR_MS = 2_000;
const AFTER_FAULT_MS = 1_000;
const CHUNK = 32_768;
const RESET = `event: reset\ndata: ${JSON.stringify({
  reason: 'unknown_position',
  message: 'What came since is not known any more: read the state anew.',
})}\n\n`;

/**
 * Tells one client of events, from a position on and without end. It reads on only when the client has taken what
 * was sent, so that one that is slow, or that missed a lot, costs no more memory than any other.
 */
export function startStream(parts: Parts): Stream {
  const { viewer, response, channel, judge, times, onClosed, onError } = parts;
  let position = parts.from.seq;
  let isOver = false;
  let isWoken = false;
  let isIdle = false;
  let wakeUp = () => {};
  let lastWrittenAt = Date.now();
  let stuckSince: number | undefined;

  const write = (text: string) => {
    lastWrittenAt = Date.now();
    response.write(text);
  };
  const wake = () => {
    isWoken = true;
    wakeUp();
  };
  const close = () => {
    if (isOver) return;
    isOver = true;
    wake();
    onClosed();
  };
  const end = (reason: EndReason) => {
    if (isOver) return;
    streamsEnded.inc({ reason });
    response.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const timer = setTimeout(() => response.socket?.destroy(), times.lingerMs);
    response.once('close', () => clearTimeout(timer));
    close();
  };
  const rest = (ms?: number) =>
    new Promise<void>((resolve) => {
      if (isOver || isWoken) return resolve();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Resolves once the client has taken enough of what was sent, or is given up. */
  const drained = async (): Promise<void> => {
    if (!response.writableNeedDrain || isOver) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      const timer = setTimeout(() => {
        end('slow');
        done();
      }, times.slowMs);
      response.once('drain', done);
      response.once('close', done);
    });
  };

  const tell = async (events: ReadEvent[]): Promise<void> => {
    let left = events;
    while (left.length > 0 && !isOver) {
      const judgedAt = Date.now();
      const judged = await judge.judge(viewer, left);
      let text = '';
      let done = 0;
      const flush = async () => {
        if (text !== '' && !isOver) write(text);
        text = '';
        await drained();
      };
      for (const [index, { message, isOver: isLast }] of judged.entries()) {
        const event = left[index]!;
        done = index + 1;
        if (message) {
          event.id ??= channel.ids.idOf({ seq: event.seq, at: event.createdAt });
          text += `id: ${event.id}\n${message.text}`;
          eventsSent.inc({ event: message.name });
        }
        if (isLast) {
          await flush();
          return end('document');
        }
        if (text.length > CHUNK) await flush();
        if (isOver || Date.now() - judgedAt > JUDGED_FOR_MS) break;
      }
      await flush();
      // Whatever fails from here on, nothing comes twice.
      position = left[done - 1]!.seq;
      left = left.slice(done);
    }
  };

  const run = async () => {
    while (!isOver) {
      isWoken = false;
      try {
        const page = await parts.read(position);
        await tell(page.events);
        position = page.upTo;
        // A backlog of many pages leaves a turn to everything else in between.
        await nextTurn();
        if (page.isFull) continue;
      } catch (error) {
        onError(error);
        await rest(AFTER_FAULT_MS);
        continue;
      }
      isIdle = true;
      await rest();
      isIdle = false;
    }
  };

  const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
  response.once('close', close);
  write(`retry: ${RETRY_MS}\nid: ${channel.ids.idOf(parts.from)}\n\n`);
  if (parts.isReset) write(RESET);
  void run();

  return {
    viewer,
    closed,
    wake,
    end,
    beat() {
      const now = Date.now();
      if (isOver || !isIdle || isWoken || now - lastWrittenAt < times.heartbeatMs) return;
      if (response.writableNeedDrain) {
        stuckSince ??= now;
        if (now - stuckSince >= times.slowMs) end('slow');
        return;
      }
      stuckSince = undefined;
      position = Math.max(position, channel.upTo());
      // Whoever resumes later need not go through what was not theirs.
      write(`:\nid: ${channel.ids.idOf({ seq: position, at: now })}\n\n`);
    },
  };
}
