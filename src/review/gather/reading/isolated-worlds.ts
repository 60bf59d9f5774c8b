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
  const farSessions = new Map<string, CDPSession>();
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    return await use(await openWorld(session, frameTree.frame.id, { page, farSessions }));
  } finally {
    for (const one of [session, ...farSessions.values()]) one.detach().catch(() => {});
  }
}

interface Surroundings {
  page: Page;
  /** Sessions of out-of-process frames, by the id of the outermost frame in the process. */
  farSessions: Map<string, CDPSession>;
}

async function openWorld(session: CDPSession, frameId: string, around: Surroundings): Promise<World> {
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
      const near = await openWorld(session, node.frameId, around).catch(() => undefined);
      if (near) return near;
      const far = await farSession(node.frameId, around);
      return far && (await openWorld(far, node.frameId, around));
    },
  };
}

/** A frame of another site has its own process, and so its own session. */
async function farSession(frameId: string, { page, farSessions }: Surroundings) {
  const known = farSessions.get(frameId);
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
    if (farSessions.has(id)) await session.detach();
    else farSessions.set(id, session);
  }
  return farSessions.get(frameId);
}

function messageOf({ exception, text }: { exception?: { description?: string }; text: string }): string {
  const [line = text] = (exception?.description ?? text).split('\n', 1);
  return line.replace(/^(Uncaught )?Error: /, '');
}
