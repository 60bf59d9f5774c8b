import type { Reply } from '../service/harness.ts';
import { candidates, idsOf, withIdsOf } from './bodies.ts';
import { type Kind, kindOf, type Place } from './id-fields.ts';
import { resolve, type Schema } from './json-schema.ts';
import { type Operation, operations } from './operations.ts';
import { fieldsOf, withValue } from './places.ts';
import { ask, runAndRestore, type Stage } from './validate.ts';
import { type Id, unknownId, type World } from './world.ts';

/** A field of an operation that refers to an object of a tenant. */
export interface IdField {
  place: Place;
  kind: Kind;
}

/** All such fields of an operation, at any depth; for a list of ids, its elements. */
export function idFieldsOf({ request }: Operation): IdField[] {
  return fieldsOf(request).flatMap(({ place, schema }) => {
    const kind = kindOf(place);
    const forms = ((schema.anyOf ?? schema.oneOf ?? [schema]) as Schema[]).map((form) => resolve(form).type);
    const isId = forms.some((type) => type !== 'array' && type !== 'boolean' && type !== 'null');
    return kind !== undefined && isId ? [{ place, kind }] : [];
  });
}

/** The operation that creates objects of a kind. Without it, no id of the kind can be tested. */
const CREATE_PATH: Record<Kind, string> = {
  organization: '/v2/organizations/add',
  folder: '/v2/organizations/folders/add',
  document: '/v2/organizations/documents/add',
  user: '/v2/users/add',
  userGroup: '/v2/organizations/usergroups/add',
  location: '/v2/commentannotations/add',
  annotation: '/v2/commentannotations/add',
  comment: '/v2/commentannotations/add',
  notification: '/v2/notifications/add',
  activity: '/v2/activities/add',
  editor: '/v2/crdt/add',
  snapshot: '/v2/crdt/snapshots/create',
  liveState: '/v2/livestate/broadcast',
  migration: '/v2/organizations/documents/migrate',
  deletionJob: '/v2/users/data/delete',
  judgment: '/v2/memory/judgments/add',
  knowledgeSource: '/v2/memory/knowledge/ingest',
  memoryAlert: '/v2/memory/consolidate',
  webhookEndpoint: '/v2/workspace/advancedwebhook/endpoints/create',
  webhookMessage: '/v2/workspace/advancedwebhook/endpoints/test',
  agent: '/v2/agents/create',
  agentGroup: '/v2/agents/groups/create',
  execution: '/v2/agents/execution/run',
  finding: '/v2/agents/execution/run',
  review: '/v2/reviews/run',
  schedule: '/v2/reviews/schedules/create',
  attachment: '/v2/attachments/create',
  workspace: '/v2/workspace/create',
  member: '/v2/session/start',
  invitation: '/v2/members/invite',
  session: '/v2/session/start',
  personalToken: '/v2/tokens/create',
  apiKey: '/v2/workspace/create',
  authToken: '/v2/workspace/create',
  pageToken: '',
};

export const canBeCreated = (kind: Kind): boolean =>
  kind === 'pageToken' || operations.some(({ path }) => path === CREATE_PATH[kind]);

const MAX_TRIES = 60;

/** The cursor in an answer, whatever its field is called. */
const cursorIn = ({ body }: Reply): string | undefined => {
  const { result } = body;
  const holders = [result, result?.data].filter((holder) => typeof holder === 'object' && holder !== null);
  const found = holders.flatMap((holder) => [holder.nextPageToken, holder.pageToken, holder.iterator]);
  return found.find((token) => typeof token === 'string');
};

/** A body of a list that has a second page after one row in both worlds, with both cursors. */
export async function listBody(
  operation: Operation,
  { a, b }: Stage,
): Promise<{ body: unknown; mine: string; theirs: string } | undefined> {
  const names = fieldsOf(operation.request).map(({ place }) => place.join('.'));
  const size = names.includes('pageSize') ? 'pageSize' : 'limit';
  let tries = 0;
  for (const candidate of candidates(operation, a)) {
    if (tries++ === MAX_TRIES) return undefined;
    const body = withValue(candidate, [size], 1);
    const mine = cursorIn(await ask(operation, a, body));
    const theirs = cursorIn(await ask(operation, b, withIdsOf(idsOf(b), operation, body)));
    if (mine !== undefined && theirs !== undefined) return { body, mine, theirs };
  }
  return undefined;
}

// Times and durations differ between answers.
const VOLATILE_NUMBER = (name: string | undefined, value: number) =>
  (value > 1.5e12 && value < 4e12) || /(Ms|At|latency)$/i.test(name ?? '');
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** An answer as text, with the requested id and all times replaced. */
export function normalized({ status, body }: Reply, id: Id): string {
  const text = JSON.stringify({ status, body }, (name, value) =>
    typeof value === 'number' && VOLATILE_NUMBER(name, value) ? 0 : value,
  );
  return text.replaceAll(TIME, 'TIME').replaceAll(String(id), 'ID');
}

/**
 * Blanks, in the first and the third text, the words in which the first two differ: answers to equivalent requests
 * differ in generated ids. Undefined if the first two differ in more than single words.
 */
export function withoutRandomness(
  first: string,
  second: string,
  third: string,
): [string, string] | undefined {
  const words = (text: string) => text.split(/([^\w.:-]+)/);
  const [a, b, c] = [words(first), words(second), words(third)];
  if (a.length !== b.length) return undefined;
  if (a.length !== c.length) return [first, third];
  const isRandom = a.map((word, index) => word !== b[index]);
  const blanked = (list: string[]) => list.map((word, index) => (isRandom[index] ? '_' : word)).join('');
  return [blanked(a), blanked(c)];
}

interface Comparison {
  problems: string[];
  /** Changed tables of B. */
  touched: string[];
}

/** Compares the answers to A for an id of B and for unknown ids. */
export async function judgeForeignId(
  operation: Operation,
  stage: Stage,
  { place, kind }: IdField,
  body: unknown,
  foreign: Id,
): Promise<Comparison> {
  const touched: string[] = [];
  const askWith = async (id: Id) => {
    const [reply, changed] = await runAndRestore(stage, () =>
      ask(operation, stage.a, withValue(body, place, id)),
    );
    touched.push(...changed.filter((key) => isOf(stage.b, key)));
    return normalized(reply, id);
  };
  const [theirs, unknown] = [await askWith(foreign), await askWith(unknownId(kind, 1))];
  if (theirs === unknown) return { problems: [], touched };
  // They may differ only as any two answers do, such as in generated ids.
  const another = await askWith(unknownId(kind, 2));
  const compared = withoutRandomness(unknown, another, theirs);
  const problems =
    compared === undefined
      ? [`Two unknown ids are answered differently: ${unknown}\n${another}`]
      : compared[0] === compared[1]
        ? []
        : [`An id of another tenant is distinguishable from an unknown one: ${compared.join('\n')}`];
  return { problems, touched };
}

export const isOf = ({ workspace }: World, key: string): boolean =>
  [workspace.apiKeyId, workspace.workspaceId, workspace.accountId].some((id) => key.endsWith(` ${id}`));
