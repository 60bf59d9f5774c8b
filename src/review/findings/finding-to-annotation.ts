import { randomInt } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';
import { safeAgent } from '../../annotations/comment-draft.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { AnnotationStrategy } from '../../shapes/agents/agent-behavior.ts';
import {
  type DraftFinding,
  type Finding,
  type HeldBack,
  type Precedent,
  severities,
} from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import type { AgentAnnotation } from '../../store/annotations/agent-annotations.ts';
import { causeIdOf } from '../causes/cause-of.ts';
import type { Run } from '../core/run-state.ts';
import { INJECTION_ISSUE } from '../injection/injection-findings.ts';

/*
 * The shapes of a finding, from a strategy's answer to a suggestion on the document:
 *
 *   DraftFinding ─ completeFindings ─▶ Finding ─┬─ annotationsOf ─▶ AgentAnnotation
 *                                               └─ heldBackOf ────▶ HeldBack
 *
 * In between, `filter-findings.ts`, `review/memory/apply-precedents.ts` and `compare-with-previous-run.ts` drop findings
 * or add fields; `write-suggestions.ts` stores the result.
 */

/** Id of the finding that sums up a page. */
export const PAGE_FINDING_ID = 'page';

/** Findings of a page, with the earlier decisions of people that speak against reporting some of them. */
export interface FindingsWithPrecedents {
  findings: Finding[];
  /** By finding id: the rejections because of which the finding is held back. */
  precedents: ReadonlyMap<string, Precedent>;
  /** Addresses that could not be judged this time: what earlier runs found about them is not gone. */
  unjudged?: ReadonlySet<string> | undefined;
}

/** Numbers the findings of a page and fills the fields that a strategy left out. */
export const completeFindings = (drafts: DraftFinding[], url: string, byModel: boolean): Finding[] =>
  drafts.map(({ cause, ...draft }, index) => ({
    targetText: '',
    occurrence: 1,
    sourceUrl: url,
    suggestion: '',
    htmlSelector: '',
    targetElementXpath: '',
    isPageLevel: false,
    findingType: draft.targetText ? 'text' : draft.htmlSelector ? 'pin' : 'page',
    source: 'instructions',
    ...draft,
    // A service reports what it measured; a model may guess.
    confidence: draft.confidence ?? (byModel ? 50 : 100),
    id: `finding-${index + 1}`,
    causeId: causeIdOf({ cause, ...draft }, url),
  }));

/** The entry of a held-back finding in the execution; empty if the finding has no precedent. */
export function heldBackOf(finding: Finding, precedents: FindingsWithPrecedents['precedents']): HeldBack[] {
  const precedent = precedents.get(finding.id);
  if (!precedent) return [];
  const { id, title, description, severity, issueType, targetText, sourceUrl, url } = finding;
  const fields = { id, title, description, severity, issueType, targetText, sourceUrl };
  return [{ ...fields, ...(url !== undefined && { url }), precedent }];
}

/** The suggestions that a page's findings would be, and the findings with the ids of these suggestions. */
export interface Prepared {
  annotations: AgentAnnotation[];
  findings: Finding[];
  /** True if the suggestions serve only to find those of earlier runs, since causes are annotated later. */
  deferred: boolean;
}

/**
 * Turns the findings of a page into suggestions: one for each finding (`findings`), one for each finding that quotes
 * words (`word-level`), or one for the page that lists all findings (`page-level`). Returns the findings with
 * `commentId`, which despite its name in the API is the id of the annotation.
 */
export function annotationsOf(
  findings: Finding[],
  url: string,
  strategy: AnnotationStrategy,
  run: Run,
  document: DocumentRef,
): Prepared {
  const deferred = strategy === 'causes';
  if (strategy === 'none' || findings.length === 0) return { annotations: [], findings, deferred };
  const injected = findings.some(({ issueType }) => issueType === INJECTION_ISSUE);
  if (strategy === 'page-level') {
    const annotation = annotationOf(pageFinding(findings, url), url, run, document, injected);
    return {
      deferred,
      annotations: [annotation],
      findings: findings.map((finding) => ({ ...finding, commentId: annotation.annotationId })),
    };
  }
  const annotations: AgentAnnotation[] = [];
  const annotated = findings.map((finding) => {
    if (strategy === 'word-level' && finding.targetText === '') return finding;
    const annotation = annotationOf(finding, url, run, document, injected);
    annotations.push(annotation);
    return { ...finding, commentId: annotation.annotationId };
  });
  return { annotations, findings: annotated, deferred };
}

/** URL of the page that an annotation is about. A fragment names a place on the page, not another page. */
export function pageUrlOf(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** One finding that sums up all findings of a page, with the highest of their severities. */
function pageFinding(findings: Finding[], url: string): Finding {
  const worst = [...findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )[0]!;
  const noun = findings.length === 1 ? 'issue' : 'issues';
  return {
    ...worst,
    id: PAGE_FINDING_ID,
    title: `${findings.length} ${noun} on this page`,
    description: findings.map((finding) => `${finding.title}: ${finding.description}`).join('\n'),
    suggestion: findings
      .map((finding) => finding.suggestion)
      .filter(Boolean)
      .join('\n'),
    targetText: '',
    occurrence: 1,
    htmlSelector: '',
    targetElementXpath: '',
    isPageLevel: true,
    findingType: 'page',
    sourceUrl: url,
    position: undefined,
    fingerprint: undefined,
  };
}

/** The cause of a site-wide suggestion, as its `agent.reason.cause`. */
interface CauseSize {
  id: string;
  places: number;
  pages: number;
}

/** The suggestion for a cause as a whole, in the words of its first place. */
export function siteWideAnnotationOf(
  first: Finding,
  cause: CauseSize,
  run: Run,
  document: DocumentRef,
  injected: boolean,
): AgentAnnotation {
  const finding = { ...first, description: [first.description, extentOf(cause)].filter(Boolean).join(' ') };
  const annotation = annotationOf(finding, first.sourceUrl, run, document, injected);
  const agent = annotation.body.agent as { reason: object };
  const withCause = { ...agent, reason: { ...agent.reason, cause } };
  return {
    ...annotation,
    body: { ...annotation.body, agent: withCause },
    comment: { ...annotation.comment, body: { ...annotation.comment.body, agent: withCause } },
  };
}

/** The reach of a cause as a sentence; empty for a single place. */
function extentOf({ places, pages }: CauseSize): string {
  const number = (count: number) => count.toLocaleString('en');
  if (pages > 1) {
    const others = `and on ${number(pages - 1)} other ${pages === 2 ? 'page' : 'pages'}`;
    return `It is so on this page ${others}${places > pages ? `, in ${number(places)} places` : ''}.`;
  }
  return places > 1 ? `It is so in ${number(places)} places of this page.` : '';
}

const escaped = (text: string): string =>
  sanitizeHtml(text, { allowedTags: [], disallowedTagsMode: 'escape' });

function annotationOf(
  finding: Finding,
  url: string,
  run: Run,
  { organizationId, documentId }: DocumentRef,
  injected: boolean,
): AgentAnnotation {
  const { agentId, agentName, executionId } = run.row;
  const from = { userId: agentId, name: agentName };
  const pageUrl = pageUrlOf(url);
  const { pathname, search, origin } = new URL(url);
  const agent = safeAgent({
    agentId,
    agentType: run.agentType,
    agentSource: 'platform',
    executionId,
    agentName,
    url: pageUrl,
    // Decisions on findings of a page with prompt injections must not become precedents.
    ...(injected && { injected }),
    reason: reasonOf(finding),
  });
  const commentText = [finding.title, finding.description, finding.suggestion].filter(Boolean).join('\n');
  return {
    annotationId: newTimedId('ann'),
    agentId,
    executionId,
    agentUrl: pageUrl,
    ...(finding.id !== PAGE_FINDING_ID && { causeId: finding.causeId }),
    injected,
    body: {
      type: 'suggestion',
      commentType: 'manual',
      sourceType: 'agent',
      from,
      status: { id: 'OPEN', name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' },
      suggestion: { status: 'pending', summary: finding.suggestion },
      agent,
      visibilityConfig:
        run.request.annotationVisibility === 'public'
          ? { type: 'public' }
          : { type: 'organizationPrivate', organizationId },
      metadata: { apiKey: run.scope.apiKeyId, organizationId, documentId },
      pageInfo: {
        url: pageUrl,
        path: pathname,
        queryParams: search,
        baseUrl: origin,
        deviceInfo: { deviceType: run.request.deviceType },
      },
      isPageAnnotation: finding.isPageLevel || finding.findingType === 'page',
      ...(finding.targetText !== '' && {
        targetElement: { targetText: finding.targetText, occurrence: finding.occurrence },
      }),
      ...(finding.position && {
        positionX: finding.position.x,
        positionY: finding.position.y,
        elementWidth: finding.position.width,
        elementHeight: finding.position.height,
      }),
    },
    comment: {
      // The only comment of a new annotation, so its id cannot clash.
      commentId: randomInt(100_000, 1_000_000),
      body: {
        type: 'text',
        status: 'added',
        sourceType: 'agent',
        from,
        commentText,
        commentHtml: commentText
          .split('\n')
          .map((line) => `<p>${escaped(line)}</p>`)
          .join(''),
        isCommentTextAvailable: true,
        agent,
      },
    },
  };
}

/** `agent.reason` of an annotation; `anchorOfSuggestion` reads it back. */
const reasonOf = (finding: Finding) => ({
  title: finding.title,
  description: finding.description,
  severity: finding.severity,
  findingId: finding.id,
  findingType: finding.findingType,
  issueType: finding.issueType,
  confidence: finding.confidence,
  suggestion: finding.suggestion,
  suggestedFix: finding.suggestion,
  htmlSnippet: finding.htmlSnippet ?? '',
  htmlSelector: finding.htmlSelector,
  ...(finding.targetElementXpath !== '' && { targetElementXpath: finding.targetElementXpath }),
  ...(finding.context && { textBefore: finding.context.before, textAfter: finding.context.after }),
  source: finding.source,
  ...(finding.knowledgeSection !== undefined && { knowledgeSection: finding.knowledgeSection }),
  ...(finding.groundedBy && { groundedBy: finding.groundedBy }),
  ...(finding.precedent && { precedent: finding.precedent }),
  ...(finding.url !== undefined && { url: finding.url }),
  ...(finding.artifactId !== undefined && { artifactId: finding.artifactId }),
  ...(finding.fingerprint !== undefined && { fingerprint: finding.fingerprint }),
});
