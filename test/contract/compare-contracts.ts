import { compareSchemas, type Direction, follow } from './compare-schemas.ts';
import type { Part } from './contract.ts';

/**
 * What clients of a released contract can no longer rely on, one sentence each: what was removed, renamed or narrowed.
 * What was added is none of it.
 */
export function compareContracts(released: Part, current: Part): string[] {
  const both = { released, current };
  return [
    ...compareOperations(both, 'paths', 'request'),
    // A webhook message is the request of its operation, but clients receive it.
    ...compareOperations(both, 'webhooks', 'answer'),
  ];
}

interface Both {
  released: Part;
  current: Part;
}

function compareOperations(both: Both, kind: 'paths' | 'webhooks', body: Direction): string[] {
  return Object.entries<Part>(both.released[kind] ?? {}).flatMap(([path, item]) =>
    Object.entries<Part>(item).flatMap(([method, operation]) => {
      const name = kind === 'paths' ? `${method.toUpperCase()} ${path}` : `The webhook ${path}`;
      const now: Part | undefined = both.current[kind]?.[path]?.[method];
      if (!now) return [`${name} was removed.`];
      return compareOperation(both, operation, now, { name, body });
    }),
  );
}

function compareOperation(
  both: Both,
  before: Part,
  now: Part,
  { name, body }: { name: string; body: Direction },
): string[] {
  const id = before.operationId === now.operationId ? [] : [`${name} has another operationId.`];
  const accepted = (now.security as Part[] | undefined)?.map(credentialsOf) ?? [];
  const refused = ((before.security as Part[] | undefined) ?? [])
    .map(credentialsOf)
    .filter((credentials) => accepted.length > 0 && !accepted.includes(credentials));
  return [
    ...id,
    ...refused.map((credentials) => `${name} no longer takes ${credentials}.`),
    ...compareParameters(both, before, now, name),
    ...compareContent(both, before.requestBody ?? {}, now.requestBody ?? {}, {
      place: `${name} ${body === 'request' ? 'request' : 'message'}`,
      direction: body,
    }),
    ...compareResponses(both, before.responses ?? {}, now.responses ?? {}, name),
  ];
}

const credentialsOf = (alternative: Part): string =>
  Object.keys(alternative).sort().join(' with ') || 'requests without credentials';

function compareParameters(both: Both, before: Part, now: Part, name: string): string[] {
  const list = (document: Part, operation: Part): Part[] =>
    (operation.parameters ?? []).map((parameter: Part) => follow(document, parameter));
  const [olds, news] = [list(both.released, before), list(both.current, now)];
  const isSame = (one: Part) => (other: Part) => one.name === other.name && one.in === other.in;
  const changed = olds.flatMap((old) => {
    const place = `${name} ${old.in} ${old.name}`;
    const current = news.find(isSame(old));
    if (!current) return [`${place} was removed.`];
    const context = { ...both, direction: 'request' as const, open: new Set<string>() };
    return compareSchemas(old.schema ?? {}, current.schema ?? {}, place, context);
  });
  const required = news
    .filter((current) => current.required === true && olds.find(isSame(current))?.required !== true)
    .map((current) => `${name} ${current.in} ${current.name} is now required.`);
  return [...changed, ...required];
}

function compareContent(
  both: Both,
  before: Part,
  now: Part,
  { place, direction }: { place: string; direction: Direction },
): string[] {
  return Object.entries<Part>(before.content ?? {}).flatMap(([type, { schema = {} }]) => {
    const current: Part | undefined = now.content?.[type];
    if (!current) return [`${place} is no longer ${type}.`];
    const context = { ...both, direction, open: new Set<string>() };
    return compareSchemas(schema, current.schema ?? {}, place, context);
  });
}

function compareResponses(both: Both, before: Part, now: Part, name: string): string[] {
  return Object.entries<Part>(before).flatMap(([status, response]) => {
    const place = `${name} answer ${status}`;
    if (!now[status]) return [`${place} was removed.`];
    const [old, current] = [follow(both.released, response), follow(both.current, now[status])];
    const headers = Object.keys(old.headers ?? {}).filter(
      (header) => current.headers?.[header] === undefined,
    );
    return [
      ...headers.map((header) => `${place} has no header ${header} any more.`),
      ...compareContent(both, old, current, { place, direction: 'answer' }),
    ];
  });
}
