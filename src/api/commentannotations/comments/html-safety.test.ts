import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { newAnnotation } from '../../../../test/documents/annotated-document.ts';
import { scriptInjections } from '../../../../test/fakes/script-injections.ts';
import { until } from '../../../../test/run/until.ts';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';
import { json } from '../../../db/sql-fragments.ts';

/** The first page that opens waits for the start of the browser. */
const PATIENCE_MS = 90_000;
const BASE = '/v2/commentannotations/comments';

/** A frame that records scripts and active elements, and shows the HTML again from its text and its DOM. */
const inFrame = (index: number, html: string) => `<!doctype html><html><head><script>
  window.alert = (number) => top.ran.add(number);
  addEventListener('DOMContentLoaded', () => {
    const [fromText, fromPage] = [document.createElement('div'), document.createElement('div')];
    document.documentElement.append(fromText, fromPage);
    fromText.innerHTML = ${JSON.stringify(html).replaceAll('<', '\\u003c')};
    fromPage.innerHTML = fromText.innerHTML;
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || name === 'srcdoc' || /^\\W*(java|vb)\\s*script:|^data:/i.test(value)) top.acts.add(${index});
      }
      if (/^(form|input|button|base|meta|link|object|embed)$/i.test(element.localName) && element !== document.head) top.acts.add(${index});
    }
  });
</script></head><body>`;

/** Harmless HTML that acts as late as HTML can: once all of it has acted, the other HTML has, too. */
const FENCES = [
  '<meta http-equiv=refresh content="0;url=/passed/refresh">',
  '<img src=/missing onerror="fetch(\'/passed/error\')">',
  '<style>@keyframes x{}</style><p style="animation:x 1ms" onanimationend="fetch(\'/passed/animation\')">x</p>',
  '<svg><animate onend="fetch(\'/passed/svg\')" attributeName=x dur=1ms></svg>',
  '<video src=/missing onerror="fetch(\'/passed/video\')"></video>',
];

interface Shown {
  ran: number[];
  acts: number[];
  requested: string[];
}

/**
 * Shows the snippets in a real browser. Returns those that ran, those that could act, and the addresses they
 * requested: once all fences have acted, and again until it is enough.
 */
async function show(snippets: readonly string[], isEnough: (shown: Shown) => boolean = () => true) {
  const requested = new Set<string>();
  const passed = new Set<string>();
  const server = createServer((request, response) => {
    const [, kind, index] = request.url!.split('/');
    if (kind === 'leak') requested.add(request.url!);
    if (kind === 'passed') passed.add(request.url!);
    if (kind === 'fence') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(FENCES[Number(index)]);
      return;
    }
    const html = snippets[Number(index)] ?? '';
    const frameOf = (path: string) => `<iframe src="${path}"></iframe>`;
    const frames = [
      ...snippets.map((_, number) => frameOf(`/frame/${number}`)),
      ...FENCES.map((_, number) => frameOf(`/fence/${number}`)),
    ].join('');
    response.writeHead(200, { 'content-type': kind === 'leak' ? 'image/png' : 'text/html; charset=utf-8' });
    if (kind === '') response.end(`<script>ran = new Set(); acts = new Set();</script>${frames}`);
    else response.end(kind === 'frame' ? `${inFrame(Number(index), html)}${html}` : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { deps } = await testApp();
  try {
    const view = { deviceType: 'desktop', waitUntil: 'load' } as const;
    const url = `http://127.0.0.1:${port}/`;
    return await deps.outside.browser.withPage(url, view, {}, async ({ page }) => {
      await until(() => passed.size === FENCES.length, 'all fences');
      let shown: Shown;
      await until(async () => {
        const [ran, acts] = await page.evaluate<[number[], number[]]>('[[...ran], [...acts]]');
        shown = { ran, acts, requested: [...requested] };
        return isEnough(shown);
      }, 'enough that runs');
      return shown!;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const armed = scriptInjections.map((html, index) =>
  html.replaceAll('RUN', `alert(${index})`).replaceAll('LEAK', `/leak/${index}`),
);

/** Joins snippets into few frames, as safe HTML stays safe when joined; one frame per snippet would take minutes. */
const together = (snippets: readonly string[]): string[] => {
  const distinct = [...new Set(snippets)];
  return Array.from({ length: Math.ceil(distinct.length / 50) }, (_, index) =>
    distinct.slice(index * 50, (index + 1) * 50).join('\n'),
  );
};

test(
  'HTML of a comment cannot run, load or act in a page',
  async () => {
    const workspace = await newWorkspace();
    const at = await newAnnotation(workspace);
    const from = { userId: 'u1' };
    const commentData = armed.map((html) => ({ commentHtml: html, replaceContentHtml: html, from }));
    const commentIds = await workspace.must(`${BASE}/add`, { ...at, commentData });
    const added = await workspace.must(`${BASE}/get`, { ...at, commentIds });
    const [changedId] = await workspace.must(`${BASE}/add`, { ...at, commentData: [{ from }] });
    const shown: string[] = [];
    for (const [index, commentHtml] of armed.entries()) {
      const updatedData = { commentHtml, replaceContentHtml: commentHtml, from };
      await workspace.must(`${BASE}/update`, { ...at, commentIds: [changedId], updatedData });
      const [changed] = await workspace.must(`${BASE}/get`, { ...at, commentIds: [changedId] });
      shown.push(added[index].commentHtml, added[index].replaceContentHtml);
      shown.push(changed.commentHtml, changed.replaceContentHtml);
    }
    expect(shown).toHaveLength(armed.length * 4);
    expect(await show(together(shown))).toEqual({ ran: [], acts: [], requested: [] });
  },
  PATIENCE_MS,
);

test(
  "nothing in an agent's reasons runs, loads or could act either",
  async () => {
    const workspace = await newWorkspace();
    const at = await newAnnotation(workspace);
    const commentData = armed.map((html) => ({
      commentText: 'Look.',
      agent: {
        agentSource: 'external',
        agentId: 'robot',
        agentName: 'Robot',
        reason: { title: html, description: html, severity: 'low', suggestion: html, htmlSnippet: html },
      },
    }));
    await workspace.must(`${BASE}/add`, { ...at, commentData });
    const comments = await workspace.must(`${BASE}/get`, at);
    const shown = comments.flatMap(({ agent: { reason } }: { agent: { reason: Record<string, string> } }) => [
      reason.title,
      reason.description,
      reason.suggestion,
      reason.htmlSnippet,
    ]);
    expect(shown).toHaveLength(armed.length * 4);
    expect(await show(together(shown))).toEqual({ ran: [], acts: [], requested: [] });
  },
  PATIENCE_MS,
);

test(
  'unsafe HTML that is already in the database is sanitized when it is read',
  async () => {
    const workspace = await newWorkspace();
    const at = await newAnnotation(workspace);
    const { deps } = await testApp();
    const rows = armed.map((html, index) => ({
      apiKeyId: workspace.apiKeyId,
      ...at,
      commentId: index,
      authorId: 'u1',
      body: json({ commentHtml: html, replaceContentHtml: html }),
      createdAt: 1_000,
      lastUpdated: 1_000,
    }));
    await deps.db.insertInto('comments').values(rows).execute();
    const comments = await workspace.must(`${BASE}/get`, at);
    expect(comments).toHaveLength(armed.length);
    const shown = comments.flatMap((comment: Record<string, string>) => [
      comment.commentHtml,
      comment.replaceContentHtml,
    ]);
    expect(await show(together(shown))).toEqual({ ran: [], acts: [], requested: [] });
  },
  PATIENCE_MS,
);

// Without this, a corpus that does nothing would pass the tests above.
test(
  'the same HTML without sanitizing runs, loads and acts in dozens of ways',
  async () => {
    const { ran, acts, requested } = await show(
      armed,
      (shown) => shown.ran.length >= 45 && shown.acts.length >= 60 && shown.requested.length >= 15,
    );
    expect(ran.length).toBeGreaterThanOrEqual(45);
    expect(acts.length).toBeGreaterThanOrEqual(60);
    expect(requested.length).toBeGreaterThanOrEqual(15);
  },
  PATIENCE_MS,
);
