import type { Tx } from '../../db/tables.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import {
  type FindingRecordRow,
  fixRecords,
  type PageOfFindings,
  recordsOfPage,
  type SeenFinding,
  seeFindings,
} from '../../store/agents/finding-records.ts';
import type { Run } from '../core/run-state.ts';
import type { IssueFilter } from './compare-with-previous-run.ts';
import { anchorOf } from './finding-anchor.ts';
import { fingerprintBase, newFingerprint } from './finding-fingerprint.ts';
import { type FindingsWithPrecedents, pageUrlOf } from './finding-to-annotation.ts';
import { matchAnchors } from './match-anchors.ts';
import { type WrittenSuggestions, writeSuggestions } from './write-suggestions.ts';

/**
 * Writes the suggestions for a page's findings, and the findings themselves over all runs. Findings that people decided
 * on when they had no suggestion get none.
 */
export async function writeFindings(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  found: FindingsWithPrecedents,
  isOwnIssue: IssueFilter,
): Promise<WrittenSuggestions> {
  const { findings, page, gone } = await trackFindings(tx, run, document, url, found, isOwnIssue);
  const undecided = findings.filter(({ decision }) => decision === undefined);
  const written = await writeSuggestions(
    tx,
    run,
    document,
    url,
    { ...found, findings: undecided },
    isOwnIssue,
  );
  const byId = new Map(written.findings.map((finding) => [finding.id, finding]));
  const reported = findings.flatMap((finding) =>
    finding.decision === undefined ? (byId.get(finding.id) ?? []) : finding,
  );
  await seeFindings(tx, page, reported.map(seen));
  await fixRecords(tx, page, gone);
  return { ...written, findings: reported };
}

/** Findings of a page with their fingerprints. */
interface TrackedFindings {
  findings: Finding[];
  page: PageOfFindings;
  /** Records of earlier runs that this run did not find again. */
  gone: FindingRecordRow[];
}

/**
 * Gives the findings of a page the fingerprints under which earlier runs saw them, and what people decided about those
 * that have no suggestion. The records are read without a lock: changes of suggestions lock the annotation first.
 */
async function trackFindings(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  { findings, unjudged = new Set() }: { findings: Finding[]; unjudged?: ReadonlySet<string> | undefined },
  isOwnIssue: IssueFilter,
): Promise<TrackedFindings> {
  const { agentId, executionId } = run.row;
  const page = {
    apiKeyId: run.scope.apiKeyId,
    agentId,
    executionId,
    pageUrl: pageUrlOf(url),
    ...(document.documentId !== '' && { document }),
  };
  const all = await recordsOfPage(tx, page);
  const known = all.filter(({ issueType }) => isOwnIssue(issueType));
  const matches = matchAnchors(
    known.map(({ body }) => anchorOf(body)),
    findings.map(anchorOf),
  );
  const matched = new Set(matches.values());
  const left = Map.groupBy(
    known.filter((_, index) => !matched.has(index)),
    ({ body }) => fingerprintBase(agentId, url, body),
  );
  const taken = new Set(all.map(({ fingerprint }) => fingerprint));
  const records = findings.map((finding, index) => {
    const match = matches.get(index);
    // Findings in other words may still have the cause of a finding that is gone.
    return match === undefined ? left.get(fingerprintBase(agentId, url, finding))?.shift() : known[match];
  });
  const found = new Set(records);
  return {
    findings: findings.map((finding, index) => {
      const record = records[index];
      const fingerprint =
        record?.fingerprint ??
        newFingerprint(fingerprintBase(agentId, url, finding), (one) => taken.has(one));
      taken.add(fingerprint);
      return { ...finding, fingerprint, ...decisionOf(record) };
    }),
    page,
    gone: known.filter((one) => !found.has(one) && !unjudged.has(one.body.url ?? '')),
  };
}

/** The decision on a finding without a suggestion. `withDecisions` adds those on suggestions. */
function decisionOf(record: FindingRecordRow | undefined): Partial<Finding> {
  if (!record || record.decision === null || record.annotationId !== null) return {};
  const { decision, decidedAt, decided } = record;
  return { decision, ...(decidedAt !== null && { decidedAt }), ...decided };
}

function seen(finding: Finding): SeenFinding {
  const { decision, decidedBy: _by, reason: _reason, decidedAt, comparison: _, commentId, ...body } = finding;
  return { body, decision, decidedAt, annotationId: commentId };
}
