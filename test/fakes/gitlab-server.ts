import { type CommentServer, pageReply, type Reply, serveHost } from './comment-server.ts';

export interface GitlabServer extends CommentServer {
  /** Notes on merge request 12 of project 34, the oldest first. */
  notes: { id: number; body: string; system: boolean; author: { id: number } }[];
}

const refuse = (status: number, message: string): Reply => ({ status, json: { message } });

/**
 * Serves the parts of GitLab's API that the job uses, with the checks and messages of GitLab. `token` belongs to user 5,
 * and `reader` to user 6, who may not write.
 */
export async function startGitlab(): Promise<GitlabServer> {
  const notes: GitlabServer['notes'] = [];
  const users: Record<string, number> = { token: 5, reader: 6 };
  const server: CommentServer = await serveHost(({ method, path, headers, body, query }) => {
    const token = String(headers['private-token'] ?? '');
    const author = users[token];
    if (author === undefined) return refuse(401, '401 Unauthorized');
    if (method === 'GET' && path === '/api/v4/user') return { status: 200, json: { id: author } };
    const [, id, rest] =
      /^\/api\/v4\/projects\/34\/merge_requests\/12\/notes(?:\/(\d+))?(.*)$/.exec(path) ?? [];
    if (rest !== '') return refuse(404, '404 Not found');
    if (method === 'GET') {
      const sorted = query.get('sort') === 'asc' ? notes : notes.toReversed();
      return pageReply(`${server.url}${path}`, sorted, query);
    }
    if (token === 'reader') return refuse(403, '403 Forbidden');
    if (!body) return refuse(400, 'body is missing');
    if (method === 'POST' && id === undefined) {
      const note = { id: 1_000 + notes.length, body, system: false, author: { id: author } };
      notes.push(note);
      return { status: 201, json: note };
    }
    const note = notes.find((each) => each.id === Number(id));
    if (method !== 'PUT' || !note) return refuse(404, '404 Not found');
    note.body = body;
    return { status: 200, json: note };
  });
  return { ...server, notes };
}
