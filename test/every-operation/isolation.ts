import type { Reply } from '../harness.ts';
import { candidates, idsOf, withIdsOf } from './bodies.ts';
import { type Kind, kindOf, type Place } from './id-fields.ts';
import { resolve, type Schema } from './json-schema.ts';
import { type Operation, operations } from './operations.ts';
import { fieldsOf, withValue } from './places.ts';
import { andBack, ask, type Stage } from './validate.ts';
import { type Id, unknownId, type World } from './world.ts';

/** A field of an operation that names something of a tenant. */
export interface IdField {
  place: Place;
  kind: Kind;
}

/** Every such field of an operation, at any depth; of a list of ids, its elements. */
export function idFieldsOf({ request }: Operation): IdField[] {
  return fieldsOf(request).flatMap(({ place, schema }) => {
    const kind = kindOf(place);
    const forms = ((schema.anyOf ?? schema.oneOf ?? [schema]) as Schema[]).map((form) => resolve(form).type);
    const isId = forms.some((type) => type !== 'array' && type !== 'boolean' && type !== 'null');
    return kind !== undefined && isId ? [{ place, kind }] : [];
  });
}

/** The operation that makes things of a kind; where there is none yet, there is nothing to ask for. */
const MAKER: Record<Kind, string> = {
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
  apiKey: '/v2/workspace/create',
  authToken: '/v2/workspace/create',
  pageToken: '',
};

export const canBeMade = (kind: Kind): boolean =>
  kind === 'pageToken' || operations.some(({ path }) => path === MAKER[kind]);

const MAX_TRIES = 60;

/** The cursor that an answer holds, wherever the operation puts it. */
const cursorIn = ({ body }: Reply): string | undefined => {
  const { result } = body;
  const holders = [result, result?.data].filter((one) => typeof one === 'object' && one !== null);
  const found = holders.flatMap((one) => [one.nextPageToken, one.pageToken, one.iterator]);
  return found.find((token) => typeof token === 'string');
};

/** A body of a list that goes on behind one row, in both worlds, with the cursors that this gives. */
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

// Times, and how long something took, differ from one answer to the next.
const VOLATILE_NUMBER = (name: string | undefined, value: number) =>
  (value > 1.5e12 && value < 4e12) || /(Ms|At|latency)$/i.test(name ?? '');
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** An answer as text, with the id that was asked for and all times taken out of it. */
export function plain({ status, body }: Reply, id: Id): string {
  const text = JSON.stringify({ status, body }, (name, value) =>
    typeof value === 'number' && VOLATILE_NUMBER(name, value) ? 0 : value,
  );
  return text.replaceAll(TIME, 'TIME').replaceAll(String(id), 'ID');
}

/**
 * Blanks wherever two answers to equal questions differ, such as ids that were made on the way, in all three
 * texts; undefined where they differ in more than single words.
 */
export function withoutChance(one: string, other: string, third: string): [string, string] | undefined {
  const words = (text: string) => text.split(/([^\w.:-]+)/);
  const [a, b, c] = [words(one), words(other), words(third)];
  if (a.length !== b.length) return undefined;
  if (a.length !== c.length) return [one, third];
  const isChance = a.map((word, index) => word !== b[index]);
  const blanked = (list: string[]) => list.map((word, index) => (isChance[index] ? '_' : word)).join('');
  return [blanked(a), blanked(c)];
}

interface WordLookup {
  problems: string[];
  /** Rows of B that changed. */
  touched: string[];
}

/** Asks as A with an id of B's, and with ids that nobody has, and compares. */
export async function judgeForeignId(
  operation: Operation,
  stage: Stage,
  { place, kind }: IdField,
  body: unknown,
  foreign: Id,
): Promise<WordLookup> {
  const touched: string[] = [];
  const askWith = async (id: Id) => {
    const [reply, changed] = await andBack(stage, () => ask(operation, stage.a, withValue(body, place, id)));
    touched.push(...changed.filter((key) => isOf(stage.b, key)));
    return plain(reply, id);
  };
  const [theirs, unknown] = [await askWith(foreign), await askWith(unknownId(kind, 1))];
  if (theirs === unknown) return { problems: [], touched };
  // Perhaps they differ as any two answers do, such as in ids that were made on the way.
  const another = await askWith(unknownId(kind, 2));
  const compared = withoutChance(unknown, another, theirs);
  const problems =
    compared === undefined
      ? [`Two unknown ids are answered differently: ${unknown}\n${another}`]
      : compared[0] === compared[1]
        ? []
        : [`An id of another tenant is told from an unknown one: ${compared.join('\n')}`];
  return { problems, touched };
}

export const isOf = ({ workspace }: World, key: string): boolean =>
  key.endsWith(` ${workspace.apiKeyId}`) || key.endsWith(` ${workspace.workspaceId}`);
