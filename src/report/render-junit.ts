import { shorten } from '../lib/text/cut-text.ts';
import { fileAndLine, whyIgnored } from './describe-finding.ts';
import { readablePath, webAddress } from './page-address.ts';
import { oneLine, sentences } from './plain-text.ts';
import type { Report, ReportFinding, ReportPage } from './report.ts';
import { xmlAttributes, xmlText } from './xml-text.ts';

/** A test case: passed without an outcome. */
interface Case {
  className: string;
  name: string;
  seconds?: number;
  outcome?: { kind: 'failure' | 'error' | 'skipped'; type?: string; message: string; text?: string };
}

interface Suite {
  name: string;
  cases: Case[];
}

const LONGEST_MESSAGE = 300;

/**
 * JUnit's XML, as the schemas of Jenkins and its xUnit plugin describe it. A suite is a page, since a finding has one
 * page but may have several agents: suites of agents would repeat it, or hide who else reports it. A further suite has
 * a test case for each agent.
 *
 * Jenkins and GitLab follow a test case through builds by its class and name, so these contain nothing that may change
 * while the fault is there: the class is the page, and the name is the issue type with the id of the finding. The
 * words of a finding are in the message. Pages have a test case of their own, so that a page without findings passes.
 */
export function renderJunit(report: Report): string {
  const findings = Map.groupBy(report.findings, ({ pageUrl }) => pageUrl);
  const known = new Set(report.pages.map(({ url }) => url));
  const suites = [
    ...report.pages.map((page) => suiteOfPage(page, findings.get(page.url) ?? [], report)),
    ...Array.from(findings)
      .filter(([url]) => !known.has(url))
      .map(([url, members]) => suiteOfPage({ url, status: 'reviewed', problems: [] }, members, report)),
    ...(report.agents.length > 0 ? [suiteOfAgents(report)] : []),
  ];
  withUniqueNames(suites);
  const seconds = Math.max(0, report.completedAt - report.startedAt) / 1_000;
  const all = suites.flatMap(({ cases }) => cases);
  const root = { name: 'Redpen', time: seconds.toFixed(3), ...totals(all) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${xmlAttributes(root)}>`,
    ...suites.map((suite) => printSuite(suite, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOfPage(page: ReportPage, findings: readonly ReportFinding[], report: Report): Suite {
  const className = classOf(page.url);
  const agents = new Map(report.agents.map(({ agentId, name }) => [agentId, name]));
  const nameOf = (agentId: string) => oneLine(agents.get(agentId) ?? agentId);
  const problems = page.problems.map(({ agentId, message }) => ({ agent: nameOf(agentId), message }));
  const account = sentences(...problems.map(({ agent, message }) => `${agent}: ${message}`));
  const own: Case = {
    className,
    name: 'The page is reviewed',
    ...(page.status === 'failed' && {
      outcome: { kind: 'error', type: 'page-failed', message: account || 'The page could not be reviewed.' },
    }),
    ...(page.status === 'skipped' && {
      outcome: { kind: 'skipped', message: account || 'No agent reviews this page.' },
    }),
  };
  const unread: Case[] =
    page.status === 'reviewed'
      ? problems.map(({ agent, message }) => ({
          className,
          name: `${agent} reviews the page`,
          outcome: { kind: 'error', type: 'agent-failed', message: sentences(message) || 'It failed.' },
        }))
      : [];
  return {
    name: oneLine(page.url) || 'page',
    cases: [own, ...unread, ...findings.map((finding) => caseOf(finding, className, report))],
  };
}

/**
 * The page as the name of a class. Jenkins takes what is before the last dot for a package, so the host is the package
 * and the path the class, and all other dots are replaced.
 */
function classOf(url: string): string {
  const address = webAddress(url);
  const undotted = (text: string) => text.replaceAll('.', '_');
  if (!address) return undotted(oneLine(url)) || 'page';
  return `${undotted(address.host)}.${undotted(readablePath(url))}`;
}

function caseOf(finding: ReportFinding, className: string, { rules }: Report): Case {
  const { issueType, id, severity, title } = finding;
  const rule = Object.hasOwn(rules, issueType) ? rules[issueType]?.title : undefined;
  const ignored = whyIgnored(finding);
  const message = shorten(`${severity}: ${oneLine(title) || issueType}`, LONGEST_MESSAGE);
  return {
    className,
    name: `${oneLine(rule ?? issueType) || 'Finding'} [${oneLine(id)}]`,
    outcome: ignored
      ? { kind: 'skipped', message: `${message} — ${shorten(ignored, LONGEST_MESSAGE)}` }
      : { kind: 'failure', type: oneLine(issueType) || 'finding', message, text: detailsOf(finding) },
  };
}

const detailsOf = (finding: ReportFinding): string =>
  [
    ['', `${finding.severity}: ${oneLine(finding.title)}`],
    ['', finding.description === finding.title ? '' : finding.description],
    ['Fix', finding.suggestion],
    ['Page', finding.pageUrl],
    ['Source', finding.source && fileAndLine(finding.source)],
    ['Text', finding.targetText],
    ['Address', finding.url],
    ['Status', finding.statusCode === undefined ? undefined : String(finding.statusCode)],
    ['Element', finding.htmlSelector],
    ['HTML', finding.htmlSnippet],
    ['Agents', finding.agents.join(', ')],
  ]
    .filter(([, value]) => value)
    .map(([label, value]) => (label ? `${label}: ${value}` : value))
    .join('\n');

const suiteOfAgents = ({ agents }: Report): Suite => ({
  name: 'Agents',
  cases: agents.map(({ agentId, name, durationMs, error }) => ({
    className: 'redpen.agents',
    name: oneLine(name) || oneLine(agentId) || 'agent',
    seconds: durationMs / 1_000,
    ...(error !== undefined && {
      outcome: {
        kind: 'error',
        type: 'agent-failed',
        message: oneLine(error) || 'It ended without a result.',
      },
    }),
  })),
});

/** GitLab shows only the first of several test cases with one class and name. */
function withUniqueNames(suites: readonly Suite[]): void {
  const taken = new Set<string>();
  for (const item of suites.flatMap(({ cases }) => cases)) {
    const name = item.name;
    for (let number = 2; taken.has(`${item.className}\n${item.name}`); number++)
      item.name = `${name} (${number})`;
    taken.add(`${item.className}\n${item.name}`);
  }
}

const having = (cases: readonly Case[], kind: NonNullable<Case['outcome']>['kind']): number =>
  cases.filter(({ outcome }) => outcome?.kind === kind).length;

const totals = (cases: readonly Case[]) => ({
  tests: cases.length,
  failures: having(cases, 'failure'),
  errors: having(cases, 'error'),
});

function printSuite({ name, cases }: Suite, { startedAt }: Report): string {
  const attributes = {
    name,
    ...totals(cases),
    skipped: having(cases, 'skipped'),
    time: cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0).toFixed(3),
    // Jenkins reads times without a zone, as UTC.
    timestamp: new Date(startedAt).toISOString().slice(0, 19),
  };
  return [`  <testsuite${xmlAttributes(attributes)}>`, ...cases.map(printCase), '  </testsuite>'].join('\n');
}

function printCase({ className, name, seconds = 0, outcome }: Case): string {
  const opening = `    <testcase${xmlAttributes({ name, classname: className, time: seconds.toFixed(3) })}`;
  if (!outcome) return `${opening}/>`;
  const { kind, type, message, text } = outcome;
  const tag = `${kind}${xmlAttributes({ type, message })}`;
  const body = text ? `      <${tag}>${xmlText(text)}</${kind}>` : `      <${tag}/>`;
  return [`${opening}>`, body, '    </testcase>'].join('\n');
}
