import type { Reply } from '../service/harness.ts';

interface Poster {
  post(path: string, data?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** The requests of a caller through an AI assistant. */
export function through(caller: Poster, name = 'Claude Code') {
  const post = (path: string, data?: unknown): Promise<Reply> =>
    caller.post(path, data, { 'x-redpen-assistant': encodeURIComponent(name) });
  return {
    post,
    // biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
    async must(path: string, data?: unknown): Promise<any> {
      const { status, body } = await post(path, data);
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body.result.data ?? body.result;
    },
  };
}
