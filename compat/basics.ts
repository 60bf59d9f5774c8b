// Calls, failures, lists, tokens, events, reviews and webhooks.
import { createClient, type LiveEvent } from '@redpen/client';
import { createRawClient } from '@redpen/client/raw';
import { unwrap, WebhookError } from '@redpen/client/webhooks';
import { addThread, DOCUMENTS, equal, refusal, type Sections, textOf, tokenOf, USER } from './actors.ts';

/** The texts of comments that arrive, until `enough` are there. */
async function textsOf(events: AsyncIterable<LiveEvent>, enough: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const event of events) {
    if (event.event !== 'comment.add') continue;
    texts.push(event.data.targetComment?.commentText ?? '');
    if (texts.length === enough) break;
  }
  return texts;
}

export const basicSections: Sections = {
  async 'calls return the data of the answer'({ backend, stage: { organizationId } }) {
    await backend.organizations.add({ organizations: [{ organizationId }] });
    const documents = DOCUMENTS.map((documentId) => ({
      documentId,
      documentName: `Ünïcode ${documentId} 🖊`,
    }));
    const added = await backend.documents.add({ organizationId, documents });
    equal(added.d1?.success, true);
    await backend.users.add({ organizationId, users: [USER] });
    equal(await backend.documents.count({ organizationId }), { count: 5 });
    const [first] = await backend.documents.list({ organizationId, documentIds: ['d1'] });
    equal(first && 'documentName' in first && first.documentName, 'Ünïcode d1 🖊');
  },

  async 'refusals are typed errors, and values with safe'({ backend, stage }) {
    const error = await refusal(backend.documents.add({ organizationId: '', documents: [] }));
    equal([error.status, error.httpStatus], ['INVALID_ARGUMENT', 400]);
    equal(
      error.issues.map(({ path }) => path[0]),
      ['organizationId', 'documents'],
    );
    if (!error.requestId) throw new Error('The id of the request is missing.');
    const got = await backend.executions.get({ executionId: 'none' }, { safe: true });
    equal(got.ok ? 'ok' : got.error.status, 'NOT_FOUND');
    const counted = await backend.documents.count({ organizationId: stage.organizationId }, { safe: true });
    equal(counted.ok && counted.data.count, 5);
    const controller = new AbortController();
    controller.abort(new Error('No longer needed.'));
    const ended = await backend.documents
      .count({ organizationId: stage.organizationId }, { signal: controller.signal })
      .then(() => 'answered', String);
    equal(ended, 'Error: No longer needed.');
  },

  async 'secrets are refused in a page only'({ stage }) {
    const { backendUrl: baseUrl, apiKey, authToken } = stage;
    let isRefused = false;
    try {
      createClient({ baseUrl, apiKey, authToken });
    } catch {
      isRefused = true;
    }
    equal(isRefused, 'document' in globalThis);
  },

  async 'lists are read page by page'({ backend, stage: { organizationId } }) {
    const query = { organizationId, pageSize: 2 };
    const first = await backend.documents.page(query);
    equal(first.items.length, 2);
    const second = await backend.documents.page(query, { cursor: first.next });
    equal(second.items.length, 2);
    const ids: string[] = [];
    for await (const { id } of backend.documents.iterate(query)) ids.push(id);
    equal(ids.sort(), DOCUMENTS);
    equal((await backend.documents.all(query, { max: 3 })).length, 3);
  },

  async 'calls at the same time share a token, and a rejected one is renewed'(actors) {
    let asked = 0;
    const user = createClient({
      baseUrl: actors.stage.url,
      getUserToken: async () => (asked++ === 0 ? 'rejected' : await tokenOf(actors)),
    });
    const threads = await Promise.all(Array.from({ length: 5 }, () => user.annotations.list(actors.place)));
    equal(threads, [[], [], [], [], []]);
    equal(asked, 2);
    const failed = createClient({
      baseUrl: actors.stage.url,
      getUserToken: () => Promise.reject(new Error('down')),
    });
    equal((await refusal(failed.annotations.list(actors.place))).status, 'UNAUTHENTICATED');
  },

  async 'a request whose answer gets lost is carried out once'(actors) {
    const { stage, place } = actors;
    const shaky = createClient({ baseUrl: stage.shakyUrl, getUserToken: () => tokenOf(actors) });
    const annotationId = await addThread({ user: shaky, place }, 'Lost and found');
    const threads = await actors.user.annotations.all(place, { max: 10 });
    equal(
      threads.map((one) => [one.annotationId, one.comments?.[0]?.commentText]),
      [[annotationId, 'Lost and found']],
    );
    const nowhere = createClient({ baseUrl: stage.shakyUrl.replace(/\d+$/, '1'), tries: 2 });
    const error = await refusal(nowhere.users.count({ organizationId: 'acme' }));
    equal([error.status, error.httpStatus], ['UNAVAILABLE', undefined]);
  },

  async 'events of a stream that is cut arrive once, and later ones continue after a position'(actors) {
    const { stage, place, user } = actors;
    const shaky = createClient({ baseUrl: stage.shakyUrl, getUserToken: () => tokenOf(actors) });
    let opened = 0;
    let add: Promise<unknown> = Promise.resolve();
    const query = { ...place, families: ['comment'] as const };
    const onOpen = () => {
      opened += 1;
      if (opened === 1) {
        add = (async () => {
          const annotationId = await addThread(actors, 'zero');
          for (const commentText of ['one', 'two', 'three']) {
            await user.comments.add({ ...place, annotationId, commentData: [{ commentText }] });
          }
        })();
      }
    };
    const positions: (string | undefined)[] = [];
    const events = (async function* () {
      for await (const event of shaky.events(query, { onOpen })) {
        positions.push(event.id);
        yield event;
      }
    })();
    equal(await textsOf(events, 3), ['one', 'two', 'three']);
    await add;
    equal(opened, 2);
    const lastEventId = positions[0];
    equal(await textsOf(user.events({ ...query, lastEventId }), 2), ['two', 'three']);
    const controller = new AbortController();
    const endless = user.events(query, {
      signal: controller.signal,
      onOpen: () => controller.abort(new Error('The page is left.')),
    });
    equal(await endless.next().then(() => 'an event', String), 'Error: The page is left.');
  },

  async 'a review is started and awaited'({ backend, stage }) {
    const review = await backend.reviews.run({ agents: ['broken-links'], urls: [stage.siteUrl] });
    const lines: string[] = [];
    const [result] = await Promise.all([
      review.result(),
      (async () => {
        for await (const { message } of review.events()) lines.push(message);
      })(),
    ]);
    equal(result.status, 'failed');
    equal(result.findings.length, 1);
    if (!lines.some((line) => line.startsWith('Started'))) throw new Error(`The log is ${textOf(lines)}.`);
    const again = await backend.reviews.resume(review.executionIds);
    equal((await again.result()).status, 'failed');
  },

  async 'webhooks are verified, decrypted and told apart'({ stage: { webhook } }) {
    const { headers, secret, privateKey } = webhook;
    const body = new TextEncoder().encode(webhook.body);
    const options = { privateKey, toleranceSeconds: 86_400 };
    const message = await unwrap(body, new Headers(headers), secret, options);
    equal(message.event === 'document.add' ? message.data.documentId : message.event, 'sent');
    for (const [text, wrong] of [
      [`${webhook.body} `, secret],
      [webhook.body, `whsec_${btoa('another secret')}`],
    ] as const) {
      const error = await unwrap(text, headers, wrong, options).catch((thrown: unknown) => thrown);
      if (!(error instanceof WebhookError)) throw new Error('A forged message was accepted.');
    }
  },

  async 'operations are called by path'({ stage }) {
    const { backendUrl: baseUrl, apiKey, authToken, organizationId } = stage;
    const raw = createRawClient({ baseUrl, apiKey, authToken, dangerouslyAllowBrowser: true });
    equal(await raw.call('/v2/organizations/documents/count', { organizationId }), { count: 5 });
    const body: unknown = await raw.send('/v2/users/count', { organizationId });
    equal((body as { result: { status: string } }).result.status, 'success');
  },
};
