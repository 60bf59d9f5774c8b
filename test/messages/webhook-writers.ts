import type { Service } from '../service/service.ts';
import type { Tenant } from './webhook-tenant.ts';

/** An acknowledged change: a webhook with this event must contain this text. */
export interface Acknowledged {
  event: string;
  text: string;
}

const PLACE = { organizationId: 'o', documentId: 'd' };
const THREADS = 6;
/** Pause between two writes of one writer, so that the other writers get their turn. */
const PAUSE_MS = 5;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

/** Creates the document and the threads that all writers share. */
export async function prepare({ must }: Tenant): Promise<void> {
  await must('/v2/organizations/documents/add', {
    organizationId: 'o',
    documents: [{ documentId: 'd', documentName: 'D' }],
  });
  await must('/v2/commentannotations/add', {
    ...PLACE,
    commentAnnotations: Array.from({ length: THREADS }, (_, index) => ({
      annotationId: `thread-${index}`,
      commentData: [{ commentText: 'x', from: { userId: 'ada' }, triggerNotification: true }],
    })),
  });
}

/** Headers of a user who may edit the document. */
export async function userToken({ must }: Tenant): Promise<Record<string, string>> {
  const { token } = await must('/v2/auth/generate_token', {
    userId: 'ada',
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources: [{ type: 'document', id: 'd', organizationId: 'o', accessRole: 'editor' }] },
  });
  return { authorization: `Bearer ${token}` };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

/** A writer makes changes one after the other, until `isUp` is false or the service dies. */
interface Writer {
  service: Service;
  headers: Record<string, string>;
  isUp: () => boolean;
  acknowledged: Acknowledged[];
  /** Distinguishes the texts of this writer from those of others. */
  mark: string;
}

/** Changes annotations and comments; several writers share the same threads. */
export async function writeComments({ service, headers, isUp, acknowledged, mark }: Writer): Promise<void> {
  const send = sender(service, headers);
  for (let turn = 0; isUp(); turn++) {
    const text = `${mark}-${turn}`;
    const annotationId = `thread-${turn % THREADS}`;
    const from = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
    const added = await send('/v2/commentannotations/comments/add', {
      ...PLACE,
      annotationId,
      commentData: [{ commentText: `added-${text}.`, from, triggerNotification: true }],
    });
    if (!added) return;
    acknowledged.push({ event: 'comment.add', text: `added-${text}.` });
    const commentIds = added as number[];
    const updated = await send('/v2/commentannotations/comments/update', {
      ...PLACE,
      annotationId,
      commentIds,
      updatedData: { commentText: `changed-${text}.`, from, triggerNotification: true },
    });
    if (!updated) return;
    acknowledged.push({ event: 'comment.update', text: `changed-${text}.` });
    await pause();
    if (turn % 2 === 0) {
      const deleted = await send('/v2/commentannotations/comments/delete', {
        ...PLACE,
        annotationId,
        commentIds,
      });
      if (!deleted) return;
      // Only the deletion by a user triggers a webhook; that by an API key lacks `triggerNotification`.
      if (headers.authorization !== undefined) {
        acknowledged.push({ event: 'comment.delete', text: `changed-${text}.` });
      }
    }
    const annotated = await send('/v2/commentannotations/add', {
      ...PLACE,
      commentAnnotations: [
        {
          annotationId: `new-${text}.`,
          commentData: [{ commentText: 'x', from, triggerNotification: true }],
        },
      ],
    });
    if (!annotated) return;
    acknowledged.push({ event: 'comment_annotation.add', text: `new-${text}.` });
    await pause();
  }
}

/** Changes documents and users. */
export async function writePlaces({ service, headers, isUp, acknowledged, mark }: Writer): Promise<void> {
  const send = sender(service, headers);
  for (let turn = 0; isUp(); turn++) {
    const text = `${mark}-${turn}`;
    const documentId = `document-${text}.`;
    const userId = `user-${text}.`;
    const [documents, users] = ['/v2/organizations/documents', '/v2/users'];
    const user = { userId, name: 'U', email: `${text}@example.com` };
    const steps: [event: string, path: string, data: object][] = [
      ['document.add', `${documents}/add`, { documents: [{ documentId, documentName: 'N' }] }],
      ['document.update', `${documents}/update`, { documents: [{ documentId, documentName: 'M' }] }],
      ['document.delete', `${documents}/delete`, { documentIds: [documentId] }],
      ['user.add', `${users}/add`, { users: [user] }],
      ['user.update', `${users}/update`, { users: [{ ...user, name: 'V' }] }],
      ['user.delete', `${users}/delete`, { userIds: [userId] }],
    ];
    for (const [event, path, data] of steps) {
      const done = await send(path, { organizationId: 'o', ...data });
      if (!done) return;
      acknowledged.push({ event, text: event.startsWith('user') ? userId : documentId });
      await pause();
    }
  }
}

/** Sends a request and returns `result.data`, or undefined once the service is dead. Throws if the request is refused. */
const sender =
  (service: Service, headers: Record<string, string>) =>
  async (path: string, data: object): Promise<unknown> => {
    const reply = await service.post(path, data, headers).catch(() => undefined);
    if (reply && reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return (reply?.body as Any)?.result.data;
  };
