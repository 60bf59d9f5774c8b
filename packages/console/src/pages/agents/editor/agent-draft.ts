import { type Fields, isFields } from './json-path.ts';

/** Fields of an agent that its editor does not change: facts, and `enabled`, which has a switch of its own. */
const FACTS = [
  'id',
  'enabled',
  'managedBy',
  'version',
  'executionCount',
  'lastExecutedAt',
  'createdAt',
  'updatedAt',
  'isCurrent',
];
/** Fields of the agent that belong to no version. */
const IDENTITY = ['name', 'description', 'enabled'];

const without = (value: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** What is edited of an agent or of one of its versions. */
export function draftOf(agent: object): Fields {
  const { metadata, ...others } = without(agent as Fields, FACTS);
  const isBare = !isFields(metadata) || Object.keys(metadata).length === 0;
  return isBare ? others : { ...others, metadata };
}

/** The value with the fields of its objects in alphabetical order, which makes no difference to an agent. */
const sorted = (_name: string, value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, sorted) === JSON.stringify(other, sorted);

interface Changes {
  /** For agents/update. */
  identity?: { name?: string; description?: string; enabled?: boolean };
  /** For agents/versions/create, which replaces the behavior as a whole. */
  behavior?: Fields;
}

/** The requests that make one draft of the other. */
export function changesBetween(before: Fields, after: Fields): Changes {
  const changed = IDENTITY.filter((name) => !isSame(before[name], after[name]));
  const identity = Object.fromEntries(
    changed.flatMap((name) => {
      const value = after[name] ?? (name === 'enabled' ? undefined : '');
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const behavior = without(after, IDENTITY);
  const isChanged = !isSame(without(before, IDENTITY), behavior);
  return {
    ...(Object.keys(identity).length > 0 && { identity }),
    // Metadata that is left out would be kept.
    ...(isChanged && { behavior: before.metadata === undefined ? behavior : { metadata: {}, ...behavior } }),
  };
}

interface Builtin {
  name: string;
  description: string;
  gatherStrategies: string[];
  executionStrategy: string;
  serviceId?: string;
}

/**
 * An agent of one's own that begins like a built-in one. Only some services can be used by own agents; in the place of
 * others, a model follows the description.
 */
export function draftFromBuiltin(builtin: Builtin, services: readonly string[]): Fields {
  const { name, description, gatherStrategies, executionStrategy, serviceId } = builtin;
  const hasService = serviceId !== undefined && services.includes(serviceId);
  const usesModel = !hasService || executionStrategy !== 'service';
  const strategy = hasService
    ? executionStrategy
    : executionStrategy === 'stagehand-agent'
      ? executionStrategy
      : 'ai';
  return {
    name: `${name} (own)`,
    description,
    ...(usesModel && { instructions: description }),
    ...(gatherStrategies.length > 0 && { contextGathering: { strategies: gatherStrategies } }),
    execution: { executionStrategy: strategy, ...(hasService && { serviceId }) },
  };
}

/** The part of a model in an agent of one's own that begins like a built-in one. */
export const modelOfOwn = <T extends string>(
  { serviceId, needsModel }: { serviceId?: string; needsModel: T },
  services: readonly string[],
): T | 'required' => (serviceId !== undefined && services.includes(serviceId) ? needsModel : 'required');

/** An agent that reads the text of a page and asks a model. */
export const BLANK: Fields = {
  name: '',
  instructions: '',
  contextGathering: { strategies: ['web-page-text'] },
  execution: { executionStrategy: 'ai' },
};
