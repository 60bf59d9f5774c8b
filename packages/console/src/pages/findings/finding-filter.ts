import type { AgentsFindingsListRequest, FindingRecord, Severity } from '@redpen/client';
import { SEVERITIES } from '@redpen/elements/theme/severities';

export type Decision = 'undecided' | 'accepted' | 'rejected' | 'resolved';
export type State = FindingRecord['state'];

export const DECISIONS: readonly Decision[] = ['undecided', 'accepted', 'rejected', 'resolved'];
export const STATES: readonly State[] = ['new', 'still_there', 'fixed'];
/** Findings that still need work, as the service has it. */
export const OPEN: readonly Decision[] = ['undecided', 'accepted'];

export type DecisionFilter = 'open' | Decision | 'all';
export type StateFilter = 'there' | State | 'all';
export type Grouping = 'cause' | 'none';

/** What the address of the inbox says. Absent fields have their defaults. */
export interface InboxSearch {
  organization?: string;
  document?: string;
  agent?: string;
  run?: string;
  page?: string;
  severity?: Severity[];
  rule?: string;
  decision?: Exclude<DecisionFilter, 'open'>;
  state?: Exclude<StateFilter, 'there'>;
  text?: string;
  /** Days back from now. */
  days?: number;
  group?: Exclude<Grouping, 'cause'>;
  /** The finding that is shown beside the list. */
  finding?: string;
}

const DAY_MS = 86_400_000;

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && `${value}` !== '' ? `${value}` : undefined;

const oneOf = <T extends string>(value: unknown, values: readonly T[]): T | undefined =>
  values.find((one) => one === value);

/** Reads the search of an address, and drops what it does not know. */
export function parseInbox(search: Readonly<Record<string, unknown>>): InboxSearch {
  const severities = [search.severity].flat().flatMap((one) => oneOf(one, SEVERITIES) ?? []);
  const days = Number(search.days);
  const found: { [K in keyof InboxSearch]: InboxSearch[K] | undefined } = {
    organization: text(search.organization),
    document: text(search.document),
    agent: text(search.agent),
    run: text(search.run),
    page: text(search.page),
    severity: severities.length > 0 ? severities : undefined,
    rule: text(search.rule),
    decision: oneOf(search.decision, [...DECISIONS, 'all']),
    state: oneOf(search.state, [...STATES, 'all']),
    text: text(search.text)?.slice(0, 500),
    days: Number.isInteger(days) && days > 0 && days <= 3650 ? days : undefined,
    group: oneOf(search.group, ['none']),
    finding: text(search.finding),
  };
  if (found.organization === undefined) found.document = undefined;
  if (found.page !== undefined && !URL.canParse(found.page)) found.page = undefined;
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The request for the findings of an address. `since` is rounded, so that the same address has the same request. */
export function requestOf(search: InboxSearch, now = Date.now()): AgentsFindingsListRequest {
  const { organization, document, agent, run, page, severity, rule, decision, state, days } = search;
  return {
    ...(organization !== undefined && { organizationId: organization }),
    ...(document !== undefined && { documentId: document }),
    ...(agent !== undefined && { agentId: agent }),
    ...(run !== undefined && { executionId: run }),
    ...(page !== undefined && { pageUrl: page }),
    ...(severity && { severity }),
    ...(rule !== undefined && { issueType: [rule] }),
    ...(decision && { decision: decision === 'all' ? [...DECISIONS] : [decision] }),
    ...(state && { state: state === 'all' ? [...STATES] : [state] }),
    ...(search.text !== undefined && { text: search.text }),
    ...(days !== undefined && { since: Math.floor(now / 3_600_000) * 3_600_000 - days * DAY_MS }),
  };
}

/** True if a finding with this decision belongs into the list. */
export function hasDecision({ decision = undefined }: InboxSearch, decided: Decision): boolean {
  if (decision === 'all') return true;
  return decision === undefined ? OPEN.includes(decided) : decision === decided;
}

/** The fields that narrow the list, for the chips that remove them. */
export const NARROWING = [
  'organization',
  'document',
  'agent',
  'run',
  'page',
  'rule',
  'state',
  'days',
] as const satisfies readonly (keyof InboxSearch)[];

/** True if the list shows less than all open findings. */
export const isNarrowed = (search: InboxSearch): boolean =>
  NARROWING.some((field) => search[field] !== undefined) ||
  search.severity !== undefined ||
  search.text !== undefined ||
  search.decision !== undefined;
