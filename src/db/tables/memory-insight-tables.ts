import type { Generated } from 'kysely';

/** Numbers and ids on which an alert is based. */
export interface AlertEvidence {
  metric: 'approvalRate' | 'volume' | 'staleReferences' | 'enforcementRate' | 'violationRate';
  baseline: number;
  current: number;
  /** Such as `7 days against the 30 days before`. */
  window: string;
  sourceRecordIds: string[];
  knowledgeSourceId: string | null;
  /** The pattern that the alert is about. */
  ruleRef: string | null;
}

/** The profile of a reviewer, as on the wire. */
export interface ReviewerProfile {
  userId: string;
  name: string;
  email: string;
  totalJudgments: number;
  approvalRate: number;
  avgReviewTimeSeconds: number;
  topFlags: { issue: string; count: number }[];
  contentTypes: string[];
  peakHours: number[];
  orgBreakdown: Record<
    string,
    {
      organizationId: string;
      clientOrganizationId: string;
      judgments: number;
      approvals: number;
      approvalRate: number;
    }
  >;
  lastActive: number;
  twinEligible: boolean;
  twinAccuracy: number | null;
  evolvedStandards?: { topic: string; shiftDate: number; oldPattern: string; newPattern: string }[];
}

export interface MemoryInsightTables {
  memoryPatterns: {
    apiKeyId: string;
    patternId: string;
    /** Empty if the pattern applies to the whole API key; the content type is empty if it is unknown. */
    organizationId: string;
    contentType: string;
    side: 'approve' | 'reject' | 'split';
    sourceCount: number;
    /** Number of sources on the leading side. */
    leadingCount: number;
    uniqueReviewers: number;
    confidence: number;
    /** Its most typical judgments, the most typical first; enough to recognize the pattern later. */
    recordIds: string[];
    /** More than 70 % of its judgments are older than this. */
    mostlyBefore: number;
    discoveredAt: number;
    updatedAt: number;
  };
  memoryProfiles: { apiKeyId: string; userId: string; profile: ReviewerProfile; updatedAt: number };
  memoryAlerts: {
    apiKeyId: string;
    alertId: string;
    organizationId: string;
    alertType: 'anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift';
    severity: 'high' | 'medium' | 'low';
    title: string;
    description: string;
    evidence: AlertEvidence;
    suggestedAction: string | null;
    status: 'active' | 'dismissed' | 'actioned' | 'expired';
    dedupKey: string;
    createdAt: number;
    endedAt: number | null;
    endedBy: string | null;
  };
  memoryConsolidations: {
    apiKeyId: string;
    organizationId: string;
    /** Changes if the judgments of the organization have changed. */
    mark: Generated<string>;
    completedAt: Generated<number>;
    leaseId: Generated<string>;
    leaseUntil: Generated<number>;
  };
}
