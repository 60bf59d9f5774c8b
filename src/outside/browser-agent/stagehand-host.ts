import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { FromRuntime, ToRuntime } from './stagehand-runtime.ts';

export interface StagehandHost {
  /** CDP endpoint for Stagehand's SDK, which takes it for a browser with its extension. */
  cdpUrl: string;
  close(): Promise<void>;
}

const EXTENSION_DIR = fileURLToPath(new URL('extension/', import.meta.resolve('@browserbasehq/stagehand')));
const RUNTIME = 'stagehand-runtime';
const CLIENT_URL = 'about:blank#stagehand-client-connection';
const MEMORY_MB = 512;
/** Id of this host's own commands; the runtime counts its commands from 1. */
const OWN_ID = 2_000_000_000;
/** Replaces an API of extensions; it sees only into open shadow roots, not into closed ones. */
const SHADOW_ROOTS = `Object.defineProperty(globalThis, 'chrome', {
  value: { dom: { openOrClosedShadowRoot: (element) => element.shadowRoot } },
});\n`;

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  sessionId?: string;
  result?: Record<string, unknown>;
}

/**
 * A CDP proxy between Stagehand's SDK and any build of Chromium. The SDK expects an extension that holds its runtime;
 * this host answers for the extension, runs the runtime in a worker thread, and forwards everything else.
 */
export async function openStagehandHost(browserUrl: string): Promise<StagehandHost> {
  const secret = randomBytes(24).toString('base64url');
  const runtime = startRuntime();
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    path: `/${secret}`,
    perMessageDeflate: false,
  });
  const open = new Set<WebSocket>();
  const fail = () => {
    for (const socket of open) socket.terminate();
  };
  runtime.on('error', fail);
  runtime.on('exit', fail);

  const connect = async () => {
    const socket = new WebSocket(browserUrl, { perMessageDeflate: false, maxPayload: 0 });
    open.add(socket);
    socket.on('error', fail);
    socket.on('close', fail);
    await once(socket, 'open');
    return socket;
  };
  const sendToRuntime = (message: ToRuntime) => runtime.postMessage(message);

  async function begin() {
    const [ready, fromRuntime, fromClient, script] = await Promise.all([
      once(runtime, 'message') as Promise<[FromRuntime]>,
      connect(),
      connect(),
      readFile(`${EXTENSION_DIR}/content-script.js`, 'utf8'),
      server.address() ?? once(server, 'listening'),
    ]);
    if (ready[0].kind !== 'ready') throw new Error('The runtime of Stagehand did not start.');
    return { fromRuntime, fromClient, contentScript: SHADOW_ROOTS + script };
  }

  async function close() {
    fail();
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([closed, runtime.terminate()]);
  }

  try {
    const { fromRuntime, fromClient, contentScript } = await begin();
    const pages: string[] = [];
    let client: WebSocket | undefined;
    const toClient = (message: object) => client?.send(JSON.stringify(message));
    const extension = createExtensionStub(sendToRuntime);

    server.on('connection', (socket) => {
      client = socket;
      open.add(socket);
      socket.on('error', () => socket.terminate());
      socket.on('message', (data) => {
        const message = JSON.parse(textOf(data)) as Message;
        const result = extension.resultOf(message);
        if (result) toClient({ id: message.id, sessionId: message.sessionId, result });
        else if (message.sessionId !== RUNTIME) fromClient.send(JSON.stringify(message));
      });
    });
    fromClient.on('message', (data) => client?.send(textOf(data)));

    runtime.on('message', (message: FromRuntime) => {
      if (message.kind === 'cdp') {
        fromRuntime.send(message.text);
      } else if (message.kind === 'binding') {
        const params = { name: '__stagehandSendToHost', payload: message.payload, executionContextId: 1 };
        toClient({ method: 'Runtime.bindingCalled', params, sessionId: RUNTIME });
      } else if (message.kind === 'evaluated') {
        toClient({ ...extension.evaluationOf(message), sessionId: RUNTIME });
      }
    });
    fromRuntime.on('message', (data) => {
      const text = textOf(data);
      const message = JSON.parse(text) as Message;
      if (message.id === OWN_ID) return;
      notePages(pages, message, (targets) => sendToRuntime({ kind: 'targets', targets }));
      // Sent before the runtime learns of the page, and so before it resumes the page.
      const sessionId = documentSession(message);
      if (sessionId) {
        const params = { source: contentScript, worldName: RUNTIME, runImmediately: true };
        const method = 'Page.addScriptToEvaluateOnNewDocument';
        fromRuntime.send(JSON.stringify({ id: OWN_ID, method, params, sessionId }));
      }
      sendToRuntime({ kind: 'cdp', text: withClient(message) ?? text });
    });
    return { cdpUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the runtime's thread with an empty environment; its output is dropped. */
function startRuntime(): Worker {
  const runtime = new Worker(new URL('./stagehand-runtime.ts', import.meta.url), {
    workerData: { extensionDir: EXTENSION_DIR },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  runtime.stdout.resume();
  runtime.stderr.resume();
  return runtime;
}

/** Answers CDP commands about the missing extension, and has its code evaluated by the runtime. */
function createExtensionStub(sendToRuntime: (message: ToRuntime) => void) {
  let evaluations = 0;
  /** Command ids of pending evaluations. */
  const evaluating = new Map<number, number>();
  return {
    /** Result of a command that concerns the extension; undefined if the runtime or the browser answers it. */
    resultOf({ id, method, params = {}, sessionId }: Message): object | undefined {
      if (sessionId === RUNTIME) {
        if (method !== 'Runtime.evaluate') return {};
        evaluations += 1;
        evaluating.set(evaluations, id!);
        const { expression, awaitPromise = false } = params as { expression: string; awaitPromise?: boolean };
        sendToRuntime({ kind: 'evaluate', id: evaluations, expression, awaitPromise });
        return undefined;
      }
      if (method === 'Extensions.getExtensions') {
        const extension = { id: RUNTIME, name: 'Stagehand Runtime', version: '0', path: '', enabled: true };
        return { extensions: [extension] };
      }
      if (method === 'Target.getTargets') {
        const url = `chrome-extension://${RUNTIME}/service-worker.js`;
        return { targetInfos: [{ targetId: RUNTIME, type: 'service_worker', title: '', url }] };
      }
      if (method === 'Target.attachToTarget' && params.targetId === RUNTIME) return { sessionId: RUNTIME };
      if (method === 'Target.createTarget' && params.url === CLIENT_URL) return { targetId: CLIENT_URL };
      if (params.targetId === CLIENT_URL) return { targetInfo: { targetId: CLIENT_URL, type: 'other' } };
      return undefined;
    },
    /** Id and result of the command whose code the runtime has evaluated. */
    evaluationOf(evaluated: FromRuntime & { kind: 'evaluated' }): { id: number | undefined; result: object } {
      const id = evaluating.get(evaluated.id);
      evaluating.delete(evaluated.id);
      const { value, error } = evaluated;
      const result =
        error === undefined ? { result: { value } } : { result: {}, exceptionDetails: { text: error } };
      return { id, result };
    },
  };
}

const textOf = (data: RawData) => data.toString();

/** The session of a document that was just attached. */
function documentSession({ method, params }: Message): string | undefined {
  if (method !== 'Target.attachedToTarget') return undefined;
  const { targetInfo, sessionId } = params as { targetInfo: { type: string }; sessionId: string };
  return targetInfo.type === 'page' || targetInfo.type === 'iframe' ? sessionId : undefined;
}

/** Adds the SDK's page to a list of targets, by which the runtime checks that the SDK is still connected. */
function withClient({ result, ...message }: Message): string | undefined {
  const infos = result?.targetInfos;
  if (!Array.isArray(infos)) return undefined;
  const client = { targetId: CLIENT_URL, type: 'other', title: '', url: CLIENT_URL, attached: false };
  return JSON.stringify({ ...message, result: { ...result, targetInfos: [...infos, client] } });
}

function notePages(pages: string[], { method, params }: Message, changed: (pages: string[]) => void) {
  const info = params?.targetInfo as { targetId: string; type: string } | undefined;
  if (method === 'Target.targetCreated' || method === 'Target.attachedToTarget') {
    if (info?.type !== 'page' || pages.includes(info.targetId)) return;
    pages.push(info.targetId);
  } else if (method === 'Target.targetDestroyed') {
    const at = pages.indexOf(params?.targetId as string);
    if (at < 0) return;
    pages.splice(at, 1);
  } else return;
  changed([...pages]);
}
