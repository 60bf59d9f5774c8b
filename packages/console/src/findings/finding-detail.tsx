import type { FindingRecord, PageScreenshot } from '@redpen/client';
import { ExternalLink, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useKeyQuery } from '../data/use-key-query.ts';
import { useKeyPath } from '../shell/key-path.ts';
import { AssistantBadge } from '../ui/badge.tsx';
import { LinkButton } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Time } from '../ui/time.ts';
import { type Decision, useDecisions } from './decide.ts';
import { DecideBar } from './decide-bar.tsx';
import { FindingCrop } from './finding-crop.tsx';
import { FindingHistory } from './finding-history.tsx';
import { FindingWords } from './finding-words.tsx';
import styles from './findings.module.css';
import { PrecedentNote } from './precedent-note.tsx';
import { useRule } from './use-rule.ts';

export interface FindingDetailProps {
  finding: FindingRecord;
  /** The findings of other agents about the same fault, which are decided with it. */
  same?: readonly FindingRecord[];
  /** How many findings people see in them; 1 by default. Of several, the places are listed elsewhere. */
  count?: number;
  /** Where the whole page is in view already, its picture is not shown again. */
  hidesPicture?: boolean;
  onDecided?: ((decision: Decision) => void) | undefined;
  /** Further buttons beside those that decide. */
  children?: ReactNode;
}

/** All that is known about a finding, and the decisions on it. */
export function FindingDetail(props: FindingDetailProps) {
  const { finding, same = [], count = 1, hidesPicture, onDecided, children } = props;
  const { data: known } = useKeyQuery(['finding', finding.id, finding.lastSeenAt], (redpen, signal) =>
    redpen.findings.get({ findingId: finding.id }, { signal }),
  );
  return (
    <div className={styles.detail}>
      <p className={styles.description}>{finding.description}</p>
      {count === 1 && (
        <Evidence finding={finding} screenshot={hidesPicture ? undefined : known?.screenshot} />
      )}
      <Fix finding={finding} />
      <Decided finding={finding} />
      <div className={styles.buttons}>
        <DecideBar findings={[finding, ...same]} count={count} onDecided={onDecided} />
        {children}
        <ThreadLink finding={finding} />
      </div>
      {finding.precedent && <PrecedentNote precedent={finding.precedent} isReported />}
      <Facts finding={finding} same={same} count={count} />
      {count === 1 && <Technical finding={finding} />}
      {count === 1 && known && known.history.length > 1 && <FindingHistory history={known.history} />}
    </div>
  );
}

function Evidence({
  finding,
  screenshot,
}: {
  finding: FindingRecord;
  screenshot: PageScreenshot | undefined;
}) {
  const { targetText, quoteFound, url, statusCode } = finding;
  return (
    <>
      {screenshot && <FindingCrop screenshot={screenshot} finding={finding} />}
      {targetText !== '' && (
        <blockquote className={styles.quote}>
          <FindingWords finding={finding} />
        </blockquote>
      )}
      {quoteFound === false && (
        <p className={styles.note}>
          A model quoted these words, but the text of the page does not have them.
        </p>
      )}
      {url !== undefined && (
        <p className={styles.address}>
          <a href={url} target="_blank" rel="noreferrer">
            {url} <ExternalLink size={13} aria-hidden />
          </a>
          {statusCode !== undefined && ` answers ${statusCode}`}
        </p>
      )}
    </>
  );
}

const isCode = (text: string): boolean => /^\s*<|\n\s*</.test(text);

/** What the words of the finding say already is not said again. */
const says = (text: string, help: string): boolean => text.includes(help.slice(0, 40));

function Fix({ finding: { suggestion, issueType, description } }: { finding: FindingRecord }) {
  const rule = useRule(issueType);
  if (suggestion === '' && !rule) return null;
  return (
    <section className={styles.fix}>
      <p className={styles.label}>Fix</p>
      {suggestion !== '' &&
        (isCode(suggestion) ? <CodeBlock label="Suggested fix" code={suggestion} /> : <p>{suggestion}</p>)}
      {rule && !says(`${description}\n${suggestion}`, rule.help) && (
        <p className={styles.help}>{rule.help}</p>
      )}
      {rule?.helpUrl && (
        <a href={rule.helpUrl} target="_blank" rel="noreferrer">
          More on this rule <ExternalLink size={13} aria-hidden />
        </a>
      )}
    </section>
  );
}

/** Who decided what, and why. */
function Decided({ finding }: { finding: FindingRecord }) {
  const { decision, reason, decidedBy, isPending, assistant } = useDecisions().shown(finding);
  if (decision === 'undecided') return null;
  return (
    <p className={styles.decided}>
      <b>{decision.charAt(0).toUpperCase() + decision.slice(1)}</b>
      {decidedBy && ` by ${decidedBy === 'system' ? 'a program' : decidedBy}`}
      {!isPending && finding.decidedAt !== undefined && (
        <>
          {' '}
          <Time at={finding.decidedAt} />
        </>
      )}
      {reason && `: “${reason}”`}
      {assistant !== undefined && (
        <>
          {' '}
          <AssistantBadge name={assistant} />
        </>
      )}
    </p>
  );
}

function ThreadLink({ finding: { organizationId, documentId, annotationId } }: { finding: FindingRecord }) {
  const to = useKeyPath();
  if (organizationId === undefined || documentId === undefined || annotationId === undefined) return null;
  const path = `/documents/${encodeURIComponent(organizationId)}/${encodeURIComponent(documentId)}`;
  return (
    <LinkButton size="small" variant="quiet" to={to(path)} search={{ annotation: annotationId } as never}>
      <MessageSquare /> Open the thread
    </LinkButton>
  );
}

function Facts({
  finding,
  same,
  count,
}: {
  finding: FindingRecord;
  same: readonly FindingRecord[];
  count: number;
}) {
  const { confidence, issueType, pageUrl, firstSeenAt, seenCount, fixedAt, knowledgeSection } = finding;
  const agents = [...new Set([finding, ...same].map(({ agentName }) => agentName))];
  const facts: [string, ReactNode][] = [
    [agents.length > 1 ? 'Agents' : 'Agent', agents.join(', ')],
    ['Rule', <code key="rule">{issueType}</code>],
    ['Confidence', `${confidence} %`],
    [
      'First seen',
      <span key="first">
        <Time at={firstSeenAt} />
        {seenCount > 1 && `, in ${seenCount} runs`}
      </span>,
    ],
  ];
  if (count === 1)
    facts.unshift([
      'Page',
      <a key="page" href={pageUrl} target="_blank" rel="noreferrer">
        {pageUrl}
      </a>,
    ]);
  if (fixedAt !== undefined) facts.push(['Fixed', <Time key="fixed" at={fixedAt} />]);
  if (knowledgeSection) facts.push(['Based on', knowledgeSection]);
  return (
    <dl className={styles.list}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Technical({ finding: { htmlSelector, htmlSnippet } }: { finding: FindingRecord }) {
  if (htmlSelector === '' && !htmlSnippet) return null;
  return (
    <details className={styles.technical}>
      <summary>Element</summary>
      {htmlSelector !== '' && <CodeBlock label="Selector" code={htmlSelector} />}
      {htmlSnippet && <CodeBlock label="HTML" code={htmlSnippet} />}
    </details>
  );
}
