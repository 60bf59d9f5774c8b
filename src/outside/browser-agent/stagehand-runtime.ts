import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Worker thread of Stagehand's runtime. The runtime is written as the service worker of a browser extension, which the
 * bundled Chromium cannot load; this thread provides the few APIs of such a worker that it uses. Its only socket leads
 * to the browser, and its only fetch reads a file of its own, so the host is its only way out.
 */
const { extensionDir } = workerData as { extensionDir: string };
const port = parentPort!;

/** Messages from the host: from the browser, code that the SDK runs in its runtime, or the list of pages. */
export type ToRuntime =
  | { kind: 'cdp'; text: string }
  | { kind: 'evaluate'; id: number; expression: string; awaitPromise: boolean }
  | { kind: 'targets'; targets: string[] };
/** Messages to the host: for the browser, for the SDK, or the result of code. */
export type FromRuntime =
  | { kind: 'ready' }
  | { kind: 'cdp'; text: string }
  | { kind: 'binding'; payload: string }
  | { kind: 'evaluated'; id: number; value?: unknown; error?: string };

const send = (message: FromRuntime) => port.postMessage(message);

class BrowserSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = BrowserSocket.CONNECTING;
  binaryType = 'arraybuffer';

  constructor() {
    super();
    setImmediate(() => {
      this.readyState = BrowserSocket.OPEN;
      sockets.add(this);
      this.dispatchEvent(new Event('open'));
    });
  }

  send(text: string) {
    send({ kind: 'cdp', text });
  }

  close() {
    if (this.readyState === BrowserSocket.CLOSED) return;
    sockets.delete(this);
    this.readyState = BrowserSocket.CLOSED;
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: '' }));
  }
}
const sockets = new Set<BrowserSocket>();

/** Ids of the browser's pages; tab ids are positions in this list, and the last tab is active. */
let targets: string[] = [];
const event = { addListener: () => {}, removeListener: () => {} };
const tabOf = (index: number) => ({ id: index + 1, windowId: 1, active: index === targets.length - 1 });

Object.assign(globalThis, {
  WebSocket: BrowserSocket,
  async fetch(url: unknown) {
    if (url !== 'extension:content-script.js') throw new TypeError('There is no way out of here.');
    return new Response(await readFile(`${extensionDir}/content-script.js`, 'utf8'));
  },
  chrome: {
    runtime: {
      id: 'stagehand-runtime',
      getURL: (path: string) => (path === 'blank.html' ? 'about:blank' : `extension:${path}`),
      onConnect: event,
      onStartup: event,
    },
    tabs: {
      onCreated: event,
      query: async () => (targets.length > 0 ? [tabOf(targets.length - 1)] : []),
      update: async (id: number) => tabOf(id - 1),
    },
    windows: { update: async () => ({}) },
    debugger: {
      getTargets: async () => targets.map((id, index) => ({ type: 'page', id, tabId: index + 1 })),
    },
    declarativeNetRequest: {
      MAX_NUMBER_OF_SESSION_RULES: 0,
      MAX_NUMBER_OF_REGEX_RULES: 0,
      getSessionRules: async () => [],
      updateSessionRules: async () => {},
      isRegexSupported: async () => ({ isSupported: false }),
    },
  },
  __stagehandSendToHost: (payload: string) => send({ kind: 'binding', payload }),
});

port.on('message', async (message: ToRuntime) => {
  if (message.kind === 'targets') {
    targets = message.targets;
  } else if (message.kind === 'cdp') {
    const received = new MessageEvent('message', { data: message.text });
    for (const socket of sockets) socket.dispatchEvent(received);
  } else {
    const { id, expression, awaitPromise } = message;
    try {
      // The SDK calls its runtime in no other way; the code consists of its own messages.
      // biome-ignore lint/security/noGlobalEval: see above.
      const value = globalThis.eval(expression);
      send({ kind: 'evaluated', id, value: awaitPromise ? await value : value });
    } catch (error) {
      send({ kind: 'evaluated', id, error: error instanceof Error ? error.message : String(error) });
    }
  }
});

await import(new URL('service-worker.js', `file://${extensionDir}/`).href);
send({ kind: 'ready' });
