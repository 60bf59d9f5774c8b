import type { CDPSession, Page } from 'playwright-core';

const NAME = 'review';

/** A place beside the scripts of one document: it sees the same elements, and none of what those changed. */
export interface World {
  /** Runs an expression and answers its value, awaited, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** The world in the document of the frame that the expression answers; nothing where there is none. */
  within(frameElement: string): Promise<World | undefined>;
}

/**
 * Opens the world in the page's own document for as long as `use` takes. What runs there is safe from globals
 * and prototypes that a page made up, and from its content security policy.
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
  /** Of frames that another process draws, by the id of the outermost frame there. */
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

/** A frame of another site has a process of its own, and with it a session of its own. */
async function farSession(frameId: string, { page, farSessions }: Surroundings) {
  const known = farSessions.get(frameId);
  if (known) return known;
  for (const frame of page.frames()) {
    // There is none for a frame that shares the process of its parent.
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
