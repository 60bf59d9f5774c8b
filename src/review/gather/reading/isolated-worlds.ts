import type { CDPSession, Page } from 'playwright-core';

const NAME = 'review';

/**
 * An isolated world of Chromium: it shares the DOM of one document with the page's scripts, but none of their JavaScript
 * objects.
 */
export interface World {
  /** Runs an expression and resolves to its awaited value, which must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** The world in the document of the frame element that an expression yields; undefined if there is none. */
  within(frameElement: string): Promise<World | undefined>;
}

/**
 * Opens an isolated world in the document of a page while `use` runs. Globals and prototypes that the page has changed,
 * and its content security policy, have no effect there.
 */
export async function inIsolatedWorld<T>(page: Page, use: (world: World) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  const outOfProcessSessions = new Map<string, CDPSession>();
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    return await use(await openWorld(session, frameTree.frame.id, { page, outOfProcessSessions }));
  } finally {
    for (const one of [session, ...outOfProcessSessions.values()]) one.detach().catch(() => {});
  }
}

interface WorldContext {
  page: Page;
  /** Sessions of out-of-process frames, by the id of the outermost frame in the process. */
  outOfProcessSessions: Map<string, CDPSession>;
}

async function openWorld(session: CDPSession, frameId: string, context: WorldContext): Promise<World> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: NAME,
  });
  return {
    async evaluate(expression) {
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(messageOf(exceptionDetails));
      return result.value;
    },

    async within(frameElement) {
      const { result } = await session.send('Runtime.evaluate', { expression: frameElement, contextId });
      if (result.objectId === undefined) return undefined;
      const { node } = await session.send('DOM.describeNode', { objectId: result.objectId });
      if (node.frameId === undefined) return undefined;
      const inProcess = await openWorld(session, node.frameId, context).catch(() => undefined);
      if (inProcess) return inProcess;
      const separate = await outOfProcessSession(node.frameId, context);
      return separate && (await openWorld(separate, node.frameId, context));
    },
  };
}

/** A frame of another site has its own process, and so its own session. */
async function outOfProcessSession(frameId: string, { page, outOfProcessSessions }: WorldContext) {
  const known = outOfProcessSessions.get(frameId);
  if (known) return known;
  for (const frame of page.frames()) {
    // Fails for a frame that shares the process of its parent.
    const session = await page
      .context()
      .newCDPSession(frame)
      .catch(() => undefined);
    if (!session) continue;
    const { frameTree } = await session.send('Page.getFrameTree');
    const { id } = frameTree.frame;
    if (outOfProcessSessions.has(id)) await session.detach();
    else outOfProcessSessions.set(id, session);
  }
  return outOfProcessSessions.get(frameId);
}

function messageOf({ exception, text }: { exception?: { description?: string }; text: string }): string {
  const [line = text] = (exception?.description ?? text).split('\n', 1);
  return line.replace(/^(Uncaught )?Error: /, '');
}
