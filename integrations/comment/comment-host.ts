/** Comments on one pull or merge request, on the host of its repository. */
export interface CommentHost {
  /** Name of the place, for the log. */
  place: string;
  /** The oldest comment of this token's user that begins with a marker. */
  find(marker: string): Promise<FoundComment | undefined>;
  create(body: string): Promise<void>;
  edit(id: number, body: string): Promise<void>;
}

export interface FoundComment {
  id: number;
  body: string;
}

/** A variable of the pipeline that must be set. */
export function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set, which the pipeline sets by itself.`);
  return value;
}

/** True if a comment begins with a marker, whatever the host did to its line ends. */
export const startsWith = (body: unknown, marker: string): body is string =>
  typeof body === 'string' && body.trimStart().startsWith(marker);
