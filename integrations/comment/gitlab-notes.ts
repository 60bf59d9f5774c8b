import { type CommentHost, needed, startsWith } from './comment-host.ts';
import { askHost, listOf } from './host-request.ts';

interface GitlabNote {
  id: number;
  body?: string;
  system?: boolean;
  author?: { id?: number };
}

/** Notes on a merge request of GitLab. A pipeline for a fork's merge request runs in the project that it merges into. */
export function gitlabNotes(env: NodeJS.ProcessEnv, token: string, iid: string): CommentHost {
  const api = needed(env, 'CI_API_V4_URL').replace(/\/+$/, '');
  const project = env.CI_MERGE_REQUEST_PROJECT_ID || needed(env, 'CI_PROJECT_ID');
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(iid)}/notes`;
  const headers = { accept: 'application/json', 'private-token': token, 'user-agent': 'redpen-gitlab' };
  let self: Promise<number | undefined> | undefined;
  const ownId = async () => {
    const { json } = await askHost(`${api}/user`, { headers });
    return (json as { id?: number } | undefined)?.id;
  };
  return {
    place: `merge request !${iid}`,

    async find(marker) {
      self = undefined;
      for await (const entry of listOf(`${notes}?per_page=100&order_by=created_at&sort=asc`, headers)) {
        const { id, body, system, author } = entry as GitlabNote;
        if (system || !startsWith(body, marker)) continue;
        // GitLab lets a maintainer's token change the notes of others, whose authors could change them back.
        self ??= ownId();
        if (author?.id !== undefined && author.id === (await self)) return { id, body };
      }
      return undefined;
    },

    async create(body) {
      await askHost(notes, { method: 'POST', headers, body: { body } });
    },

    async edit(id, body) {
      await askHost(`${notes}/${id}`, { method: 'PUT', headers, body: { body } });
    },
  };
}
