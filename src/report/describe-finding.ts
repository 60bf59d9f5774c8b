import { plural } from '../lib/text/plural.ts';
import type { FaultGroup } from './group-findings.ts';
import { oneLine } from './plain-text.ts';
import type { Report, ReportFinding, ReportPage } from './report.ts';

/** The place of a finding in the source, on the page or in its markup, as far as it is known. */
export interface PlaceParts {
  file?: string;
  /** The words that it is about. */
  quote?: string;
  /** The address that it is about, with the status of the answer. */
  address?: string;
  selector?: string;
}

export function placeOf({ source, targetText, url, statusCode, htmlSelector }: ReportFinding): PlaceParts {
  const status = statusCode === undefined ? '' : ` (${statusCode})`;
  return {
    ...(source && { file: fileAndLine(source) }),
    ...(oneLine(targetText) && { quote: oneLine(targetText) }),
    ...(url && { address: `${oneLine(url)}${status}` }),
    ...(oneLine(htmlSelector) && { selector: oneLine(htmlSelector) }),
  };
}

export const fileAndLine = ({ file, line }: NonNullable<ReportFinding['source']>): string =>
  line === undefined ? oneLine(file) : `${oneLine(file)}:${line}`;

/** For example `12 places on 4 pages: /, /about and 2 more`; undefined for a single place. */
export function describePlaces(
  { findings, pages }: FaultGroup,
  nameOf: (url: string) => string,
  most: number,
): string | undefined {
  if (findings.length === 1) return undefined;
  const places = plural(findings.length, 'place');
  if (pages.length === 1) return `${places} on this page`;
  const named = pages.slice(0, most).map(nameOf).join(', ');
  const rest = pages.length - most;
  return `${places} on ${plural(pages.length, 'page')}: ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** One way in the list with which axe-core begins its advice. */
const ONLY_WAY = /^Fix (?:any|all) of the following: ([^;]+)$/;

/** The suggestion on one line, with a label; lists of axe-core begin with one. Empty if there is none. */
export function fixOf({ suggestion }: Pick<ReportFinding, 'suggestion'>): string {
  const text = oneLine(suggestion).replace(ONLY_WAY, '$1');
  return text === '' || text.startsWith('Fix any of ') || text.startsWith('Fix all of ')
    ? text
    : `Fix: ${text}`;
}

/** Why a finding does not count, as a sentence; undefined if it counts. */
export function whyIgnored({ ignored, decision, decidedBy, reason }: ReportFinding): string | undefined {
  if (ignored === undefined) return undefined;
  if (ignored === 'baseline') return 'It is in the baseline.';
  const verb = decision === 'resolved' ? 'resolved' : 'rejected';
  const by = decidedBy ? `${oneLine(decidedBy)} ${verb} it` : `It was ${verb}`;
  return reason ? `${by}: ${oneLine(reason)}` : `${by}.`;
}

/** Something that the review could not do, or left out. */
export interface Problem {
  kind: 'agent' | 'failed' | 'skipped' | 'note';
  /** Name of the agent or address of the page; empty for a note. */
  subject: string;
  message: string;
}

/** A message about a page, with the names of the agents that report it; empty if all of them do. */
export interface PageProblem {
  agents: string[];
  message: string;
}

/** The problems of a page, each message once. */
export function problemsOfPage({ problems }: ReportPage, { agents }: Report): PageProblem[] {
  const nameOf = (id: string) => agents.find(({ agentId }) => agentId === id)?.name ?? id;
  return [...Map.groupBy(problems, ({ message }) => message)].map(([message, own]) => {
    const ids = new Set(own.map(({ agentId }) => agentId));
    const isOfAll = agents.length > 1 && agents.every(({ agentId }) => ids.has(agentId));
    return { message, agents: isOfAll ? [] : [...ids].map(nameOf) };
  });
}

/** Agents that ended without result, unless a page says why. */
export function failedAgents({ agents, pages }: Report): Report['agents'] {
  const said = new Set(
    pages.flatMap(({ problems }) => problems.map((one) => `${one.agentId} ${one.message}`)),
  );
  return agents.filter(({ agentId, error }) => error !== undefined && !said.has(`${agentId} ${error}`));
}

export function problemsOf(report: Report): Problem[] {
  const ofPages = report.pages.flatMap((page): Problem[] => {
    const { url: subject, status, problems } = page;
    const kind = status === 'skipped' ? 'skipped' : 'failed';
    if (problems.length === 0)
      return status === 'reviewed' ? [] : [{ kind, subject, message: 'No agent could review it.' }];
    return problemsOfPage(page, report).map(({ agents, message }) => ({
      kind,
      subject,
      message: [...(agents.length > 0 ? [oneLine(agents.join(', '))] : []), oneLine(message)].join(': '),
    }));
  });
  return [
    ...failedAgents(report).map(({ name, error = '' }) => ({
      kind: 'agent' as const,
      subject: name,
      message: oneLine(error) || 'It ended without a result.',
    })),
    ...ofPages.filter(({ kind }) => kind === 'failed'),
    ...ofPages.filter(({ kind }) => kind === 'skipped'),
    ...report.notes.map((note) => ({ kind: 'note' as const, subject: '', message: oneLine(note) })),
  ];
}
