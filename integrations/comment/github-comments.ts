import { type CommentHost, needed, startsWith } from './comment-host.ts';
import { askHost, HostFailure, listOf } from './host-request.ts';

interface GithubComment {
  id: number;
  body?: string | null;
  user?: { login?: string; type?: string } | null;
}

export const githubHeaders = (token: string): Record<string, string> => ({
  accept: 'application/vnd.github+json',
  authorization: `Bearer ${token}`,
  'user-agent': 'redpen-action',
  'x-github-api-version': '2022-11-28',
});

/** The repository of the job, as the start of addresses. GitHub Enterprise Server has another API address. */
export function githubRepository(env: NodeJS.ProcessEnv): string {
  const repository = needed(env, 'GITHUB_REPOSITORY');
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('GITHUB_REPOSITORY is not OWNER/NAME.');
  return `${(env.GITHUB_API_URL || 'https://api.github.com').replace(/\/+$/, '')}/repos/${repository}`;
}

/** Comments on a pull request of GitHub, which are those of the issue with its number. */
export function githubComments(env: NodeJS.ProcessEnv, token: string, number: number): CommentHost {
  const repository = githubRepository(env);
  const api = repository.slice(0, repository.indexOf('/repos/'));
  const headers = githubHeaders(token);

  /** Undefined for the token of a job or an app, which has no user. */
  const ownLogin = async (): Promise<string | undefined> => {
    try {
      const { json } = await askHost(`${api}/user`, { headers });
      return (json as { login?: string } | undefined)?.login;
    } catch (error) {
      if (error instanceof HostFailure && !error.mayPass) return undefined;
      throw error;
    }
  };

  return {
    place: `pull request ${number}`,

    async find(marker) {
      let login: Promise<string | undefined> | undefined;
      for await (const entry of listOf(`${repository}/issues/${number}/comments?per_page=100`, headers)) {
        const { id, body, user } = entry as GithubComment;
        if (!startsWith(body, marker)) continue;
        // A person could write the marker, and later change a comment that readers take for a report.
        if (user?.type === 'Bot') return { id, body };
        login ??= ownLogin();
        if (user?.login !== undefined && user.login === (await login)) return { id, body };
      }
      return undefined;
    },

    async create(body) {
      await askHost(`${repository}/issues/${number}/comments`, { method: 'POST', headers, body: { body } });
    },

    async edit(id, body) {
      await askHost(`${repository}/issues/comments/${id}`, { method: 'PATCH', headers, body: { body } });
    },
  };
}
