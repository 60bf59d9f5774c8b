import type { Generated } from 'kysely';

export interface ExecutionTables {
  executions: {
    apiKeyId: string;
    executionId: string;
    agentId: string;
    agentName: string;
    agentVersion: number;
    /** Empty where the run has no document, as on the wire. */
    organizationId: string;
    documentId: string;
    status: 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';
    seedUrl: string;
    /** What the caller asked for: `config` of the wire and the inputs of the run. */
    request: Record<string, unknown>;
    trigger: 'standalone' | 'workflow';
    ranBy: Record<string, unknown> | null;
    /** Summary, error, model and usage, once there are any. */
    outcome: Record<string, unknown>;
    startedAt: number;
    completedAt: number | null;
    /** Which process works on it, and until when that holds without a renewal. */
    leaseOwner: string | null;
    leaseUntil: number;
    attempts: number;
  };
  /** One page of a run: planned when `processedAt` is null, its result else. */
  executionPages: {
    apiKeyId: string;
    executionId: string;
    urlHash: string;
    url: string;
    position: number;
    status: 'planned' | 'completed' | 'failed' | 'skipped';
    findings: Record<string, unknown>[];
    annotationsCreated: number;
    /** Summary, data, error and notes of the page. */
    detail: Record<string, unknown>;
    processedAt: number | null;
  };
  executionLog: {
    apiKeyId: string;
    executionId: string;
    lineId: string;
    /** Grows in the order of commits, within an execution. */
    seq: Generated<number>;
    at: number;
    level: 'info' | 'warn' | 'error';
    /** What the line is about. */
    kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
    message: string;
    data: Record<string, unknown>;
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
