import type { Severity } from '../../shapes/agents/execution.ts';
import type { Report, ReportFinding } from '../report.ts';
import { html, type Markup } from './markup.ts';

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

/** A shape and a word, so that the severity does not depend on its color. */
export const severityLabel = (severity: Severity): Markup =>
  html`<span class="severity k-${severity}"><i class="shape"></i>${SEVERITY_NAMES[severity]}</span>`;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For example `26 Nov 2026, 12:02 UTC`. */
export function dateOf(at: number): Markup {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return html`<time datetime="${date.toISOString()}">${day}, ${time} UTC</time>`;
}

/** For example `3.4 s`, `47 s` or `2 min 5 s`. */
export function durationOf(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** Host and path of an address; an address that no browser understands remains as it is. */
export function splitAddress(address: string): { host: string; path: string } {
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return { host: '', path: address };
  return { host: parsed.host, path: readable(`${parsed.pathname}${parsed.search}${parsed.hash}`) };
}

function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The address with its host toned down. */
export const addressMarkup = (address: string): Markup => {
  const { host, path } = splitAddress(address);
  return html`<span class="address">${host !== '' && html`<span class="host">${host}</span>`}${path}</span>`;
};

/** Names of the agents with these ids. */
export const agentNames = ({ agents }: Report, ids: readonly string[]): string =>
  ids.map((id) => agents.find(({ agentId }) => agentId === id)?.name ?? id).join(', ');

const DECISIONS = { accepted: 'Accepted', rejected: 'Rejected', resolved: 'Resolved' } as const;

/** For example `Rejected by Ines: a name.`; empty if no person has decided. */
export function decisionOf({ decision, decidedBy, reason }: ReportFinding): string {
  if (decision === undefined) return '';
  const by = decidedBy ? ` by ${decidedBy}` : '';
  return reason ? `${DECISIONS[decision]}${by}: ${reason}` : `${DECISIONS[decision]}${by}`;
}
