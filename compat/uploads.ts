// Uploads of attachments and knowledge.
import type { UploadProgress } from '@redpen/client';
import { equal, refusal, type Sections } from './actors.ts';

/** Several parts of a body. */
const BYTES = 1_000_003;

export const uploadSections: Sections = {
  async 'a file is uploaded with progress, and read from the comment that holds it'({ user, other, stage }) {
    const place = { organizationId: stage.organizationId, documentId: 'd2' };
    const bytes = Uint8Array.from({ length: BYTES }, (_, index) => 97 + (index % 26));
    const steps: UploadProgress[] = [];
    const file = new File([bytes], 'Ünïcode 🖊.txt', { type: 'text/plain' });
    const onProgress = (step: UploadProgress) => void steps.push(step);
    const { attachmentId, size } = await user.attachments.upload(file, { ...place, onProgress });
    equal(size, BYTES);
    const sent = steps.map((step) => step.sent);
    equal(
      sent,
      sent.toSorted((one, another) => one - another),
    );
    equal(steps.at(-1), { sent: BYTES, total: BYTES });
    await user.annotations.add({
      ...place,
      commentAnnotations: [{ commentData: [{ attachments: [{ attachmentId }] }] }],
    });
    const [thread] = await other.annotations.all(place, { max: 9 });
    const [attachment] = thread?.comments?.[0]?.attachments ?? [];
    equal([attachment?.name, attachment?.size], ['Ünïcode 🖊.txt', BYTES]);
    const got = new Uint8Array(await (await fetch(String(attachment?.url))).arrayBuffer());
    equal([got.length, got.findIndex((byte, index) => byte !== bytes[index])], [BYTES, -1]);
  },

  async 'an upload that is refused is a typed error, and a signal ends one'({ user, stage }) {
    const place = { organizationId: stage.organizationId, documentId: 'd2' };
    for (const onProgress of [undefined, () => {}]) {
      const wrong = new Blob(['no picture'], { type: 'image/png' });
      const error = await refusal(user.attachments.upload(wrong, { ...place, onProgress }));
      equal([error.status, error.httpStatus], ['INVALID_ARGUMENT', 400]);
    }
    const stop = new AbortController();
    const stopped = user.attachments.upload(new Blob([new Uint8Array(BYTES)], { type: 'text/plain' }), {
      ...place,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('Enough.')),
    });
    equal(await stopped.then(() => 'uploaded', String), 'Error: Enough.');
  },

  async 'knowledge is uploaded, and is there once the memory has read it'({ backend }) {
    // The links for it are for backends: the service lets no page of another origin use one.
    if ('document' in globalThis) return;
    const steps: UploadProgress[] = [];
    const rules = new File(['- Must be short.\n- Must be clear.\n'], 'rules.md', { type: 'text/markdown' });
    const read = await backend.knowledge.upload(rules, { onProgress: (step) => void steps.push(step) });
    equal([read.status, read.extractedRulesCount], ['completed', 2]);
    equal(steps.at(-1), { sent: rules.size, total: rules.size });
    const broken = new Blob(['%PDF-1.7 broken'], { type: 'application/pdf' });
    equal((await refusal(backend.knowledge.upload(broken))).status, 'FAILED_PRECONDITION');
  },
};
