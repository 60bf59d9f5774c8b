import { type CommentServer, pageReply, type Reply, serveHost } from './comment-server.ts';

export interface GithubServer extends CommentServer {
  /** Comments on pull request 7, the oldest first. */
  comments: { id: number; body: string; user: { login: string; type: 'User' | 'Bot' } }[];
  pulls: { number: number; head: { sha: string }; label: string }[];
}

const refuse = (status: number, message: string): Reply => ({ status, json: { message } });

/**
 * Serves the parts of GitHub's API that the action uses, for the repository acme/site, with the checks and messages of
 * GitHub. `token` belongs to a job, `reader` to a job for a fork, and `personal` to a person.
 */
export async function startGithub(): Promise<GithubServer> {
  const comments: GithubServer['comments'] = [];
  const pulls: GithubServer['pulls'] = [];
  const users: Record<string, { login: string; type: 'User' | 'Bot' }> = {
    token: { login: 'github-actions[bot]', type: 'Bot' },
    reader: { login: 'github-actions[bot]', type: 'Bot' },
    personal: { login: 'mona', type: 'User' },
  };
  const server: CommentServer = await serveHost(({ method, path, headers, body, query }) => {
    if (!headers['user-agent']) return refuse(403, 'Request forbidden by administrative rules.');
    if (headers['x-github-api-version'] !== '2022-11-28') return refuse(400, 'Unsupported API version');
    if (headers.accept !== 'application/vnd.github+json') return refuse(415, 'Unsupported Media Type');
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const user = users[token];
    if (!user) return refuse(401, 'Bad credentials');
    if (method === 'GET' && path === '/api/v3/user')
      return user.type === 'User'
        ? { status: 200, json: user }
        : refuse(403, 'Resource not accessible by integration');
    if (!path.startsWith('/api/v3/repos/acme/site/')) return refuse(404, 'Not Found');
    const rest = path.slice('/api/v3/repos/acme/site/'.length);
    const address = `${server.url}${path}`;
    if (method === 'GET' && rest === 'pulls') {
      const found = pulls.filter(({ label }) => label === query.get('head'));
      return pageReply(address, found, query);
    }
    if (method === 'GET' && rest === 'issues/7/comments') return pageReply(address, comments, query);
    if (method === 'GET') return refuse(404, 'Not Found');
    if (token === 'reader') return refuse(403, 'Resource not accessible by integration');
    if (body === undefined || body.length > 65_536)
      return refuse(422, 'Validation Failed: body is too long (maximum is 65536 characters)');
    if (method === 'POST' && rest === 'issues/7/comments') {
      const comment = { id: 1_000 + comments.length, body, user };
      comments.push(comment);
      return { status: 201, json: comment };
    }
    const [, id] = /^issues\/comments\/(\d+)$/.exec(rest) ?? [];
    const comment = comments.find((each) => each.id === Number(id));
    if (method !== 'PATCH' || !comment) return refuse(404, 'Not Found');
    comment.body = body;
    return { status: 200, json: comment };
  });
  return { ...server, comments, pulls };
}
