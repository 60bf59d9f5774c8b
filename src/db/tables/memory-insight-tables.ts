import type { Generated } from 'kysely';

/** Numbers and ids that an alert rests on. */
export interface AlertEvidence {
  metric: 'approvalRate' | 'volume' | 'staleReferences' | 'enforcementRate' | 'violationRate';
  baseline: number;
  current: number;
  /** In words, such as `7 days against the 30 days before`. */
  window: string;
  sourceRecordIds: string[];
  knowledgeSourceId: string | null;
  /** The pattern that it is about. */
  ruleRef: string | null;
}

/** The profile of a reviewer, as it is on the wire. */
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
    /** Empty where it holds across the API key; so is the content type of content of no known kind. */
    organizationId: string;
    contentType: string;
    side: 'approve' | 'reject' | 'split';
    sourceCount: number;
    /** Number of them on the leading side. */
    leadingCount: number;
    uniqueReviewers: number;
    confidence: number;
    /** Its judgments, the most typical first; no more than are needed to know it again. */
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
    /** Tells whether the judgments of the place changed since. */
    mark: Generated<string>;
    completedAt: Generated<number>;
    leaseId: Generated<string>;
    leaseUntil: Generated<number>;
  };
}
