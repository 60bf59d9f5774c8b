import { randomInt } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';
import { safeAgent } from '../../annotations/comment-draft.ts';
import { newId } from '../../lib/ids.ts';
import { type Finding, severities } from '../../shapes/agents/execution.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { AgentAnnotation } from '../../store/annotations/agent-annotations.ts';
import { INJECTION_ISSUE } from '../injection/injection-findings.ts';

export const annotationStrategies = ['findings', 'word-level', 'page-level', 'none'] as const;
export type AnnotationStrategy = (typeof annotationStrategies)[number];

export interface AnnotatedRun {
  agentId: string;
  agentName: string;
  agentType: 'built-in' | 'custom';
  executionId: string;
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  deviceType: DeviceType;
  visibility: 'public' | 'private';
}

/**
 * Turns a page's findings into suggestions: one each (`findings`), one for each that is about words
 * (`word-level`), or one for the whole page that lists them (`page-level`).
 * The findings come back with the id of the annotation that tells of them.
 */
export function annotationsOf(
  findings: Finding[],
  url: string,
  strategy: AnnotationStrategy,
  run: AnnotatedRun,
): { annotations: AgentAnnotation[]; findings: Finding[] } {
  if (strategy === 'none' || findings.length === 0) return { annotations: [], findings };
  const injected = findings.some(({ issueType }) => issueType === INJECTION_ISSUE);
  if (strategy === 'page-level') {
    const annotation = annotationOf(pageFinding(findings, url), url, run, injected);
    return {
      annotations: [annotation],
      findings: findings.map((finding) => ({ ...finding, commentId: annotation.annotationId })),
    };
  }
  const annotations: AgentAnnotation[] = [];
  const annotated = findings.map((finding) => {
    if (strategy === 'word-level' && finding.targetText === '') return finding;
    const annotation = annotationOf(finding, url, run, injected);
    annotations.push(annotation);
    return { ...finding, commentId: annotation.annotationId };
  });
  return { annotations, findings: annotated };
}

/** The page an annotation is about: what comes behind # is a place in it, not another page. */
export function pageOf(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

function pageFinding(findings: Finding[], url: string): Finding {
  const gravest = [...findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  )[0]!;
  const noun = findings.length === 1 ? 'issue' : 'issues';
  return {
    ...gravest,
    id: 'page',
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
  };
}

const escaped = (text: string): string =>
  sanitizeHtml(text, { allowedTags: [], disallowedTagsMode: 'escape' });

function annotationOf(finding: Finding, url: string, run: AnnotatedRun, injected: boolean): AgentAnnotation {
  const annotationId = newId('ann');
  const from = { userId: run.agentId, name: run.agentName };
  const page = new URL(url);
  const agent = safeAgent({
    agentId: run.agentId,
    agentType: run.agentType,
    agentSource: 'platform',
    executionId: run.executionId,
    agentName: run.agentName,
    url: pageOf(url),
    // What becomes of it is then no example for others.
    ...(injected && { injected }),
    reason: {
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
    },
  });
  const commentText = [finding.title, finding.description, finding.suggestion].filter(Boolean).join('\n');
  return {
    annotationId,
    agentId: run.agentId,
    executionId: run.executionId,
    agentUrl: pageOf(url),
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
        run.visibility === 'public'
          ? { type: 'public' }
          : { type: 'organizationPrivate', organizationId: run.organizationId },
      metadata: { apiKey: run.apiKeyId, organizationId: run.organizationId, documentId: run.documentId },
      pageInfo: {
        url: pageOf(url),
        path: page.pathname,
        queryParams: page.search,
        baseUrl: page.origin,
        deviceInfo: { deviceType: run.deviceType },
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
