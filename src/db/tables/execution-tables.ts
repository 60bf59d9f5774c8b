import type { Generated } from 'kysely';
import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { Cause, Finding } from '../../shapes/agents/execution.ts';
import type { ranBy } from '../../shapes/agents/execution-record.ts';
import type { PageDetail, RunOutcome, RunRequest } from '../../shapes/agents/run.ts';

export interface ExecutionTables {
  executions: {
    apiKeyId: string;
    executionId: string;
    agentId: string;
    agentName: string;
    agentVersion: number;
    /** Empty if the run has no document, as on the wire. */
    organizationId: string;
    documentId: string;
    status: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
    seedUrl: string;
    /** The caller's request: `config` on the wire, and the inputs of the run. */
    request: RunRequest;
    trigger: 'standalone' | 'workflow';
    ranBy: z.infer<typeof ranBy> | null;
    outcome: RunOutcome;
    startedAt: number;
    completedAt: number | null;
    /** The process that runs it, and the time at which its lease expires unless it is renewed. */
    leaseOwner: string | null;
    leaseUntil: number;
    attempts: number;
    /** The review that it belongs to; null for a run on its own. */
    reviewId: string | null;
  };
  /** One page of a run: planned while `processedAt` is null, and otherwise its result. */
  executionPages: {
    apiKeyId: string;
    executionId: string;
    urlHash: string;
    url: string;
    position: number;
    status: 'planned' | 'completed' | 'failed' | 'skipped';
    findingCount: number;
    annotationsCreated: number;
    detail: PageDetail;
    processedAt: number | null;
  };
  /** Findings in the order of the pages and, on a page, of their numbers, which count from 0. */
  executionFindings: {
    apiKeyId: string;
    executionId: string;
    pagePosition: number;
    number: number;
    causeId: string;
    severity: Finding['severity'];
    comparison: Finding['comparison'] | null;
    decision: Finding['decision'] | null;
    fingerprint: string;
    body: Finding;
  };
  /** Findings over all runs that saw them, for each document and for runs without one. */
  findingRecords: {
    apiKeyId: string;
    findingId: string;
    /** Null, like the document, for runs without a document. */
    organizationId: string | null;
    documentId: string | null;
    fingerprint: string;
    agentId: string;
    pageHash: string;
    /** Without fragment. */
    pageUrl: string;
    severity: Finding['severity'];
    issueType: string;
    state: 'new' | 'still_there' | 'fixed';
    /** Changes with the suggestion, in its transaction, while there is an annotation. */
    decision: Finding['decision'] | null;
    decidedAt: number | null;
    /** The person and the reason of a decision; null if the annotation and the memory have them. */
    decided: Pick<Finding, 'decidedBy' | 'reason'> | null;
    annotationId: string | null;
    firstSeenAt: number;
    lastSeenAt: number;
    seenCount: number;
    firstExecutionId: string;
    lastExecutionId: string;
    fixedAt: number | null;
    /** The run that no longer found it. */
    fixedExecutionId: string | null;
    /** As last seen, without decision and comparison. */
    body: Finding;
  };
  /** Causes of the findings of an ended run, the gravest first. */
  executionCauses: {
    apiKeyId: string;
    executionId: string;
    causeId: string;
    position: number;
    severity: Finding['severity'];
    places: number;
    openPlaces: number;
    newPlaces: number;
    /** Places of the previous run that are gone. */
    fixedPlaces: number;
    pages: number;
    annotationId: string | null;
    body: Cause;
  };
  /** Words of the site of a run in progress, as `collectSiteWords` stores them. */
  executionSiteWords: {
    apiKeyId: string;
    executionId: string;
    words: string;
  };
  executionLog: {
    apiKeyId: string;
    executionId: string;
    lineId: string;
    /** Increases in the order of commits, within an execution. */
    seq: Generated<number>;
    at: number;
    level: 'info' | 'warn' | 'error';
    /** The kind of the line, by which clients choose what to show. */
    kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
    message: string;
    data: Fields;
  };
  artifacts: {
    apiKeyId: string;
    artifactId: string;
    executionId: string;
    name: string;
    mimeType: string;
    sizeBytes: number;
    blobKey: string;
    createdAt: number;
  };
}
