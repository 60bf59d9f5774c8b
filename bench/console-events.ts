import type { Page } from 'playwright-core';
import { report } from './figures.ts';

// Measures how soon an open page shows what happens elsewhere: from a comment that is added by the API until it is on the
// screen of a person who looks at the document.
const COMMENTS = Number(process.env.COMMENTS ?? 30);
const PLACE = { organizationId: 'bench', documentId: 'live' };

/** Waits, in the page, until a text is on the screen, also in shadow roots; resolves with the time since 1970. */
const WATCH = `
  globalThis.holdsText = (root, text) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE ? node.data.includes(text) : node.shadowRoot && holdsText(node.shadowRoot, text))
        return true;
    }
    return false;
  };
  globalThis.shownAt = (text) => new Promise((done) => {
    const look = () => {
      if (!holdsText(document.body, text)) return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => done(performance.timeOrigin + performance.now())));
    };
    look();
  });`;

/** Measures the way of a comment to the screen. */
export async function measureEvents(
  page: Page,
  call: (path: string, data: object) => Promise<unknown>,
  goTo: (path: string) => Promise<void>,
): Promise<void> {
  const user = { userId: 'bench', name: 'Bench' };
  await call('/v2/organizations/documents/add', {
    organizationId: PLACE.organizationId,
    createOrganization: true,
    documents: [{ documentId: PLACE.documentId, documentName: 'Live' }],
  });
  const add = (text: string) =>
    call('/v2/commentannotations/add', {
      ...PLACE,
      commentAnnotations: [{ from: user, commentData: [{ commentText: text, from: user }] }],
    });
  await add('Comment before the others');
  await page.addInitScript(WATCH);
  await goTo(`/documents/${PLACE.organizationId}/${PLACE.documentId}`);
  await page.getByText('Comment before the others').first().waitFor();
  const times: number[] = [];
  for (let round = 0; round < COMMENTS; round++) {
    const text = `Comment ${round} of ${COMMENTS}`;
    const shown = page.evaluate(
      (wanted) => (globalThis as unknown as { shownAt(text: string): Promise<number> }).shownAt(wanted),
      text,
    );
    const addedAt = performance.timeOrigin + performance.now();
    await add(text);
    times.push((await shown) - addedAt);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = Math.round(sorted[Math.floor(sorted.length * 0.95)]!);
  const median = Math.round(sorted[Math.floor(sorted.length / 2)]!);
  console.log(`comment by the API until it is on the screen: median ${median} ms, p95 ${p95} ms`);
  report({
    name: 'console event until it is on the screen, p95',
    value: p95,
    unit: 'ms',
    references: { median },
  });
}
