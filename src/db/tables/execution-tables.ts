import type { Generated } from 'kysely';
import type { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
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
  };
  /** One page of a run: planned while `processedAt` is null, and otherwise its result. */
  executionPages: {
    apiKeyId: string;
    executionId: string;
    urlHash: string;
    url: string;
    position: number;
    status: 'planned' | 'completed' | 'failed' | 'skipped';
    findings: Finding[];
    annotationsCreated: number;
    detail: PageDetail;
    processedAt: number | null;
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
