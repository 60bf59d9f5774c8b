import type { ConsoleSession } from '../people/console-session.ts';
import type { TestWorkspace } from '../service/harness.ts';
import { distinct, type Operation } from './operations.ts';

/** Operations that create what other examples refer to. */
const FIRST = [
  '/v2/organizations/add',
  '/v2/organizations/folders/add',
  '/v2/organizations/documents/add',
  '/v2/users/add',
  '/v2/commentannotations/add',
  '/v2/workspace/activityconfig/update',
  '/v2/workspace/advancedwebhookconfig/update',
  '/v2/users/data/delete',
];
const REMOVES = /\/(delete|dismiss|remove|remove-agents|cancel)$/;
/** Operations that delete what other examples need. */
const LAST = [
  '/v2/users/delete',
  '/v2/organizations/delete',
  '/v2/workspace/authtoken/reset',
  '/v2/session/end',
  '/v2/workspace/token/reset',
];

/** All operations in the order of the reference, but those that remove something in reverse order. */
export function inOrder(): Operation[] {
  const named = (paths: string[]) =>
    paths.map((path) => distinct.find((operation) => operation.path === path)!);
  const others = distinct.filter(({ path }) => !FIRST.includes(path) && !LAST.includes(path));
  const removing = others.filter(({ path }) => REMOVES.test(path));
  return [
    ...named(FIRST),
    ...others.filter((operation) => !removing.includes(operation)),
    ...removing.toReversed(),
    ...named(LAST),
  ];
}

/** The credentials that an operation takes. */
export const headersOf = (
  { endpoint: { auth } }: Operation,
  workspace: TestWorkspace,
  session: ConsoleSession,
): Record<string, string> =>
  ({
    public: {},
    workspace: workspace.workspaceHeaders,
    apiKey: workspace.keyHeaders,
    apiKeyOrUser: workspace.keyHeaders,
    account: session.headers,
    member: session.headers,
  })[auth];

/** A generated id; examples contain the form of `STAND_IN`. */
const GENERATED = /"([a-z]+)_(?:\d+_)?[0-9A-Za-z]{12,20}"/g;
const STAND_IN = /"([a-z]+)_(?:\d+_)?1a2B3c[0-9A-Za-z]*"/g;

/** The latest generated id of each kind, which replaces the one in an example. */
export class LatestIds {
  readonly #byKind = new Map<string, string>();
  readonly #own: Record<string, string>;

  constructor({ apiKeyId, workspaceId }: TestWorkspace) {
    this.#own = { key: `"${apiKeyId}"`, ws: `"${workspaceId}"` };
  }

  keep(text: string): void {
    // The first id of an answer is its own; further ones refer to others.
    for (const [id, kind] of [...text.matchAll(GENERATED)].toReversed()) this.#byKind.set(kind!, id);
  }

  fill = (text: string): string =>
    text.replaceAll(STAND_IN, (standIn, kind) => this.#own[kind] ?? this.#byKind.get(kind) ?? standIn);
}
