// Generated from the OpenAPI document: `npm run docs` writes this file.

/** The operations, by path: `data` is what they take, `result` what the client returns. */
export interface Operations {
  '/v2/workspace/create': {
    data: WorkspaceCreateRequest;
    result: Workspace;
  };
  '/v2/workspace/get': {
    data: WorkspaceGetRequest;
    result: Workspace;
  };
  '/v2/workspace/update': {
    data: WorkspaceUpdateRequest;
    result: {
      id: string;
      name: string;
    };
  };
  '/v2/workspace/token/reset': {
    data: WorkspaceTokenResetRequest;
    result: {
      id: string;
      /** Secret that authenticates all workspace-level requests. */
      newAuthToken: string;
    };
  };
  '/v2/workspace/apikey/create': {
    data: WorkspaceApikeyCreateRequest;
    result: {
      /** Id of the new key. workspace/authtokens/get returns its token. */
      apiKey: string;
    };
  };
  '/v2/workspace/apikey/update': {
    data: WorkspaceApikeyUpdateRequest;
    result: null;
  };
  '/v2/workspace/apikeys/get': {
    data: WorkspaceApikeysGetRequest;
    result: ApiKey[];
    item: NonNullable<Operations['/v2/workspace/apikeys/get']['result'][number]>;
  };
  '/v2/workspace/usage/get': {
    data: WorkspaceUsageGetRequest;
    result: StorageUsage[];
    item: NonNullable<Operations['/v2/workspace/usage/get']['result'][number]>;
  };
  '/v2/workspace/authtoken/reset': {
    data: WorkspaceAuthtokenResetRequest;
    result: {
      apiKey: string;
      newAuthToken: ApiKeyToken;
    };
  };
  '/v2/workspace/authtokens/get': {
    data: WorkspaceAuthtokensGetRequest;
    result: {
      apiKey: string;
      authTokens: ApiKeyToken[];
    };
    item: NonNullable<Operations['/v2/workspace/authtokens/get']['result']['authTokens']>[number];
  };
  '/v2/workspace/domains/add': {
    data: WorkspaceDomainsAddRequest;
    result: {
      domainsAdded: string[];
    };
  };
  '/v2/workspace/domains/get': {
    data: WorkspaceDomainsGetRequest;
    result: {
      allowedDomains: string[];
    };
    item: NonNullable<Operations['/v2/workspace/domains/get']['result']['allowedDomains']>[number];
  };
  '/v2/workspace/domains/delete': {
    data: WorkspaceDomainsDeleteRequest;
    result: {
      domainsRemoved: string[];
    };
  };
  '/v2/workspace/apikeyconfig/get': {
    data: WorkspaceApikeyconfigGetRequest;
    result: ApiKeyConfig;
  };
  '/v2/workspace/apikeyconfig/update': {
    data: WorkspaceApikeyconfigUpdateRequest;
    result: {
      /** Stored for clients; it does not change how the service works. */
      enablePrivateComments?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireJwtToken?: boolean;
      /** Stored for clients; it does not change how the service works. */
      requireAutoOrgUser?: boolean;
      defaultDocumentAccessType?: AccessType;
      /** Words that spell-check takes for right, in any case of letters. */
      spellCheckWords?: string[];
      /** Keyed by model provider. Absent if no key is set. */
      aiModelsConfig?: Record<string, {
        /** The provider's API key, masked. */
        displayText: string;
      }>;
    };
  };
  '/v2/workspace/emailconfig/get': {
    data: WorkspaceEmailconfigGetRequest;
    result: EmailConfig;
  };
  '/v2/workspace/emailconfig/update': {
    data: WorkspaceEmailconfigUpdateRequest;
    result: EmailConfig;
  };
  '/v2/workspace/notificationconfig/get': {
    data: WorkspaceNotificationconfigGetRequest;
    result: NotificationConfig;
  };
  '/v2/workspace/notificationconfig/update': {
    data: WorkspaceNotificationconfigUpdateRequest;
    result: NotificationConfig;
  };
  '/v2/workspace/permissionproviderconfig/get': {
    data: WorkspacePermissionproviderconfigGetRequest;
    result: PermissionProviderConfig;
  };
  '/v2/workspace/permissionproviderconfig/update': {
    data: WorkspacePermissionproviderconfigUpdateRequest;
    result: undefined;
  };
  '/v2/workspace/activityconfig/get': {
    data: WorkspaceActivityconfigGetRequest;
    result: {
      activityServiceConfig: ActivityConfig;
    };
  };
  '/v2/workspace/activityconfig/update': {
    data: WorkspaceActivityconfigUpdateRequest;
    result: {
      activityServiceConfig: ActivityConfig;
    };
  };
  '/v2/workspace/webhookconfig/get': {
    data: WorkspaceWebhookconfigGetRequest;
    result: WebhookConfig;
  };
  '/v2/workspace/webhookconfig/update': {
    data: WorkspaceWebhookconfigUpdateRequest;
    result: WebhookConfig;
  };
  '/v2/workspace/advancedwebhookconfig/get': {
    data: WorkspaceAdvancedwebhookconfigGetRequest;
    result: AdvancedWebhookConfig;
  };
  '/v2/workspace/advancedwebhookconfig/update': {
    data: WorkspaceAdvancedwebhookconfigUpdateRequest;
    result: AdvancedWebhookConfig;
  };
  '/v2/workspace/advancedwebhook/endpoints/create': {
    data: WorkspaceAdvancedwebhookEndpointsCreateRequest;
    result: WebhookEndpoint;
  };
  '/v2/workspace/advancedwebhook/endpoints/get': {
    data: WorkspaceAdvancedwebhookEndpointsGetRequest;
    result: {
      endpoints: WebhookEndpoint[];
      /** Cursor of the next page; null on the last page. */
      iterator: string | null;
      /** Cursor of the previous page; null on the first page. */
      prevIterator: string | null;
      /** True on the last page. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/endpoints/get']['result']['endpoints']>[number];
  };
  '/v2/workspace/advancedwebhook/endpoints/update': {
    data: WorkspaceAdvancedwebhookEndpointsUpdateRequest;
    result: WebhookEndpoint;
  };
  '/v2/workspace/advancedwebhook/endpoints/delete': {
    data: WorkspaceAdvancedwebhookEndpointsDeleteRequest;
    result: {
      endpointId: string;
      deleted: true;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/secret/get': {
    data: WorkspaceAdvancedwebhookEndpointsSecretGetRequest;
    result: {
      endpointId: string;
      secret: string;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/secret/rotate': {
    data: WorkspaceAdvancedwebhookEndpointsSecretRotateRequest;
    result: {
      endpointId: string;
      secret: string;
      /** Null if no previous secret signs. */
      previousSecretExpiresAt: string | null;
    };
  };
  '/v2/workspace/advancedwebhook/endpoints/test': {
    data: WorkspaceAdvancedwebhookEndpointsTestRequest;
    result: {
      endpointId: string;
      webhookId: string;
      delivered: boolean;
      attempt: DeliveryAttempt;
    };
  };
  '/v2/workspace/advancedwebhook/deliveries/get': {
    data: WorkspaceAdvancedwebhookDeliveriesGetRequest;
    result: {
      deliveries: Delivery[];
      /** Cursor of the next page; null on the last page. */
      iterator: string | null;
      /** Cursor of the previous page; null on the first page. */
      prevIterator: string | null;
      /** True on the last page. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/deliveries/get']['result']['deliveries']>[number];
  };
  '/v2/workspace/advancedwebhook/deliveries/replay': {
    data: WorkspaceAdvancedwebhookDeliveriesReplayRequest;
    result: {
      endpointId: string;
      /** Number of messages that this request delivers again. */
      replayed: number;
    };
  };
  '/v2/workspace/advancedwebhook/eventtypes/get': {
    data: WorkspaceAdvancedwebhookEventtypesGetRequest;
    result: {
      eventTypes: {
        eventType: string;
        description: string;
        source: string;
        /** True if endpoints without `filterTypes` receive it. */
        sentByDefault: boolean;
        /** JSON Schema of the message. */
        schema: Record<string, unknown>;
        /** Sample message. */
        sample: Record<string, unknown>;
      }[];
    };
    item: NonNullable<Operations['/v2/workspace/advancedwebhook/eventtypes/get']['result']['eventTypes']>[number];
  };
  '/v2/workspace/audit/get': {
    data: WorkspaceAuditGetRequest;
    result: {
      entries: AuditEntry[];
    };
    item: NonNullable<Operations['/v2/workspace/audit/get']['result']['entries']>[number];
  };
  '/v2/workspace/audit/export': {
    data: WorkspaceAuditExportRequest;
    result: {
      format: 'ndjson' | 'csv';
      /** Number of entries in this part. */
      count: number;
      text: string;
    };
    item: Operations['/v2/workspace/audit/export']['result'];
  };
  '/v2/workspace/audit/verify': {
    data: WorkspaceAuditVerifyRequest;
    result: {
      /** True if this part of the chain is whole. */
      isWhole: boolean;
      /** Number of entries in this part that are as they were written. */
      checked: number;
      /** Number of entries among them of which a person was erased. */
      erased: number;
      /** The first entry that is not as it was written. */
      brokenAt: {
        seq: number;
        entryId: string | null;
        reason: string;
      } | null;
      /** The newest entry of the chain. */
      head: {
        seq: number;
        hash: string;
      };
      /** The last entry that was removed because of its age; number 0 if none was. */
      anchor: {
        seq: number;
        hash: string;
      };
      /** Number of entries that are new and not chained yet. */
      unchained: number;
    };
    item: Operations['/v2/workspace/audit/verify']['result'];
  };
  '/v2/session/start': {
    data: SessionStartRequest;
    result: ConsoleSession;
  };
  '/v2/session/mail': {
    data: SessionMailRequest;
    result: undefined;
  };
  '/v2/session/get': {
    data: SessionGetRequest;
    result: ConsoleSession;
  };
  '/v2/session/list': {
    data: SessionListRequest;
    result: {
      sessions: OpenSession[];
    };
    item: NonNullable<Operations['/v2/session/list']['result']['sessions']>[number];
  };
  '/v2/session/end': {
    data: SessionEndRequest;
    result: undefined;
  };
  '/v2/session/revoke': {
    data: SessionRevokeRequest;
    result: undefined;
  };
  '/v2/account/update': {
    data: AccountUpdateRequest;
    result: Account;
  };
  '/v2/members/list': {
    data: MembersListRequest;
    result: {
      members: WorkspaceMember[];
    };
    item: NonNullable<Operations['/v2/members/list']['result']['members']>[number];
  };
  '/v2/members/invite': {
    data: MembersInviteRequest;
    result: {
      invitation: Invitation;
      /** The link. Anyone with it may join. */
      url: string;
    };
  };
  '/v2/members/update': {
    data: MembersUpdateRequest;
    result: {
      member: WorkspaceMember;
    };
  };
  '/v2/members/remove': {
    data: MembersRemoveRequest;
    result: undefined;
  };
  '/v2/members/invitations/list': {
    data: MembersInvitationsListRequest;
    result: {
      invitations: Invitation[];
    };
    item: NonNullable<Operations['/v2/members/invitations/list']['result']['invitations']>[number];
  };
  '/v2/members/invitations/revoke': {
    data: MembersInvitationsRevokeRequest;
    result: undefined;
  };
  '/v2/tokens/create': {
    data: TokensCreateRequest;
    result: {
      /** The token, beginning with `rp_`. */
      token: string;
      personalToken: PersonalToken;
    };
  };
  '/v2/tokens/list': {
    data: TokensListRequest;
    result: {
      tokens: PersonalToken[];
    };
    item: NonNullable<Operations['/v2/tokens/list']['result']['tokens']>[number];
  };
  '/v2/tokens/revoke': {
    data: TokensRevokeRequest;
    result: undefined;
  };
  '/v2/oauth/request/get': {
    data: OauthRequestGetRequest;
    result: ConsentRequest;
  };
  '/v2/oauth/request/allow': {
    data: OauthRequestAllowRequest;
    result: {
      /** The address to which the page sends the browser, with the answer for the client. */
      redirectUrl: string;
    };
  };
  '/v2/oauth/request/deny': {
    data: OauthRequestDenyRequest;
    result: {
      /** The address to which the page sends the browser, with the answer for the client. */
      redirectUrl: string;
    };
  };
  '/v2/auth/generate_token': {
    data: AuthGenerateTokenRequest;
    result: {
      /** A signed JWT. */
      token: string;
    };
  };
  '/v2/auth/permissions/add': {
    data: AuthPermissionsAddRequest;
    result: undefined;
  };
  '/v2/auth/permissions/get': {
    data: AuthPermissionsGetRequest;
    result: Record<string, {
      folders: Record<string, {
        accessRole: AccessRole;
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      documents: Record<string, {
        accessRole: AccessRole;
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      organization: Record<string, {
        accessRole: AccessRole;
        /** Effective access type; a document in a folder has that of the folder. */
        accessType?: string;
        /** Unix seconds. */
        expiresAt?: number;
      } | {
        error: string;
        errorCode: 'does_not_exist' | 'permission_denied' | 'something_went_wrong';
        accessType?: string;
      }>;
      context?: {
        accessFields: string[];
      };
    }>;
  };
  '/v2/auth/permissions/remove': {
    data: AuthPermissionsRemoveRequest;
    result: undefined;
  };
  '/v2/auth/permissions/explain': {
    data: AuthPermissionsExplainRequest;
    result: AccessExplanation;
  };
  '/v2/auth/generate_signature': {
    data: AuthGenerateSignatureRequest;
    result: {
      /** 64 hex digits. */
      signature: string;
    };
  };
  '/v2/agents/create': {
    data: AgentsCreateRequest;
    result: {
      agentId: string;
    };
  };
  '/v2/agents/update': {
    data: AgentsUpdateRequest;
    result: {
      agentId: string;
    };
  };
  '/v2/agents/delete': {
    data: AgentsDeleteRequest;
    result: {
      agentId: string;
    };
  };
  '/v2/agents/get': {
    data: AgentsGetRequest;
    result: Operations['/v2/agents/get']['forms'][number][1];
    forms: [[{ agentId: string }, {
      agent: Agent;
    }], [{ agentId?: undefined }, {
      agents: AgentSummary[];
      nextPageToken?: string;
    }]];
    item: NonNullable<Operations['/v2/agents/get']['forms'][1][1]['agents']>[number];
  };
  '/v2/agents/extract': {
    data: AgentsExtractRequest;
    result: {
      extractionResult: {
        /** Can be sent to agents/create. */
        agents: AgentDraft[];
        summary: string;
        /** Parts of the file that no agent was made from. */
        skipped: {
          originalText: string;
          reason: string;
        }[];
      };
    };
  };
  '/v2/agents/version/update': {
    data: AgentsVersionUpdateRequest;
    result: {
      version: number;
    };
  };
  '/v2/agents/versions/create': {
    data: AgentsVersionsCreateRequest;
    result: {
      version: number;
    };
  };
  '/v2/agents/versions/list': {
    data: AgentsVersionsListRequest;
    result: {
      versions: AgentVersion[];
    };
    item: NonNullable<Operations['/v2/agents/versions/list']['result']['versions']>[number];
  };
  '/v2/agents/versions/get': {
    data: AgentsVersionsGetRequest;
    result: {
      version: ShownAgentVersion;
    };
  };
  '/v2/agents/versions/restore': {
    data: AgentsVersionsRestoreRequest;
    result: {
      version: number;
    };
  };
  '/v2/agents/groups/create': {
    data: AgentsGroupsCreateRequest;
    result: {
      group: AgentGroup;
    };
  };
  '/v2/agents/groups/get': {
    data: AgentsGroupsGetRequest;
    result: {
      group: AgentGroup;
    };
  };
  '/v2/agents/groups/list': {
    data: AgentsGroupsListRequest;
    result: {
      groups: AgentGroupSummary[];
    };
    item: NonNullable<Operations['/v2/agents/groups/list']['result']['groups']>[number];
  };
  '/v2/agents/groups/update': {
    data: AgentsGroupsUpdateRequest;
    result: {
      group: AgentGroup;
    };
  };
  '/v2/agents/groups/delete': {
    data: AgentsGroupsDeleteRequest;
    result: {
      groupId: string;
    };
  };
  '/v2/agents/groups/add-agents': {
    data: AgentsGroupsAddAgentsRequest;
    result: {
      group: AgentGroup;
    };
  };
  '/v2/agents/groups/remove-agents': {
    data: AgentsGroupsRemoveAgentsRequest;
    result: {
      group: AgentGroup;
    };
  };
  '/v2/agents/execution/run': {
    data: AgentsExecutionRunRequest;
    result: {
      executionId: string;
    };
  };
  '/v2/agents/execution/get': {
    data: AgentsExecutionGetRequest;
    result: {
      execution: Execution;
      results?: PageResult[];
      /** Absent if there are no more results. */
      nextPageToken?: string;
      /** Stored files; only with the first part of the results. */
      artifacts?: Artifact[];
      log?: LogLine[];
    };
    item: NonNullable<Operations['/v2/agents/execution/get']['result']['results']>[number];
  };
  '/v2/agents/execution/list': {
    data: AgentsExecutionListRequest;
    result: {
      executions: Execution[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/list']['result']['executions']>[number];
  };
  '/v2/agents/execution/count': {
    data: AgentsExecutionCountRequest;
    result: Operations['/v2/agents/execution/count']['forms'][number][1];
    forms: [[{ agentIds: string | string[] }, {
      /** Keyed by agent id. */
      counts: Record<string, number>;
    }], [{ agentIds?: undefined }, {
      total: number;
    }]];
  };
  '/v2/agents/execution/causes': {
    data: AgentsExecutionCausesRequest;
    result: {
      causes: Cause[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/causes']['result']['causes']>[number];
  };
  '/v2/agents/execution/findings': {
    data: AgentsExecutionFindingsRequest;
    result: {
      findings: Finding[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/execution/findings']['result']['findings']>[number];
  };
  '/v2/agents/execution/cancel': {
    data: AgentsExecutionCancelRequest;
    result: {
      execution: Execution;
    };
  };
  '/v2/agents/execution/events': {
    data: AgentsExecutionEventsRequest;
    result: {
      events: LogEvent[];
      /** Position to continue from; null if nothing has been returned yet. */
      next: string | null;
      /** True if the run has ended and all its events have been returned. */
      done: boolean;
    };
    item: NonNullable<Operations['/v2/agents/execution/events']['result']['events']>[number];
  };
  '/v2/agents/execution/share': {
    data: AgentsExecutionShareRequest;
    result: {
      /** The report as HTML. With `&format=`, it is returned in another format: `text`, `json`, `junit`, `sarif`, `markdown`, `csv` or `codequality`. */
      url: string;
      /** End of the link in epoch milliseconds. */
      expiresAt: number;
    };
  };
  '/v2/agents/findings/list': {
    data: AgentsFindingsListRequest;
    result: {
      findings: FindingRecord[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/findings/list']['result']['findings']>[number];
  };
  '/v2/agents/findings/count': {
    data: AgentsFindingsCountRequest;
    result: {
      total: number;
      byDecision: {
        undecided: number;
        accepted: number;
        rejected: number;
        resolved: number;
      };
      bySeverity: {
        critical: number;
        high: number;
        medium: number;
        low: number;
        info: number;
      };
    };
  };
  '/v2/agents/findings/get': {
    data: AgentsFindingsGetRequest;
    result: {
      finding: FindingRecord;
      /** Picture of the page in the last run that saw it, in whose coordinates its position is. */
      screenshot?: PageScreenshot;
      /** The runs that saw it, newest first, up to 50. */
      history: {
        executionId: string;
        /** Epoch milliseconds. */
        startedAt: number;
        agentVersion: number;
        severity: Severity;
        comparison?: 'new' | 'still_there';
        /** As of that run. */
        decision?: 'accepted' | 'rejected' | 'resolved';
      }[];
    };
  };
  '/v2/agents/findings/picture': {
    data: AgentsFindingsPictureRequest;
    result: {
      picture: FindingPicture;
    };
  };
  '/v2/agents/findings/decide': {
    data: FindingDecision;
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      id?: string;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `not-found`, `failed-precondition`. */
      code?: string;
      /** The suggestion that was decided with it. */
      annotationId?: string;
    }>;
  };
  '/v2/agents/analytics/get': {
    data: AgentsAnalyticsGetRequest;
    result: {
      analytics: {
        tokenUsage: {
          allTime: ModelUsage;
          /** Keyed by year. */
          yearly: Record<string, Record<string, ModelUsage>>;
          /** Keyed by month, from `01` to `12`. Present if a year is sent. */
          monthly?: Record<string, Record<string, ModelUsage>>;
          /** Keyed by model: `provider_model` with every dot and slash replaced by `_`. */
          byModel: Record<string, ModelUsage>;
        };
        /** Keyed by agent id. */
        executionCounts: Record<string, {
          executionCount: number;
          /** Epoch milliseconds; null if the agent never ran. */
          lastExecutedAt: number | null;
        }>;
      };
    };
  };
  '/v2/agents/analytics/series': {
    data: AgentsAnalyticsSeriesRequest;
    result: {
      timeZone: string;
      from: string;
      to: string;
      days: AgentAnalyticsDay[];
    };
  };
  '/v2/agents/rules': {
    data: AgentsRulesRequest;
    result: {
      rules: AgentRule[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/agents/rules']['result']['rules']>[number];
  };
  '/v2/agents/builtin': {
    data: AgentsBuiltinRequest;
    result: {
      agents: BuiltinAgentDescription[];
    };
  };
  '/v2/agents/schema': {
    data: AgentsSchemaRequest;
    result: AgentSchema;
  };
  '/v2/agents/config/resolve': {
    data: AgentsConfigResolveRequest;
    result: {
      resolvedConfig: {
        /** Value for `contextGathering.strategies`. */
        extraction_strategies: string[];
        execution_strategy: 'ai' | 'service' | 'service+ai' | 'stagehand-agent';
        /** Value for `execution.serviceId`, if a service fits. */
        service_id?: string;
        reasoning: string;
        /** Value for `contextGathering.strategyOptions`. */
        strategy_options?: {
          'computed-styles': {
            selectors: string[];
            properties?: string[];
          };
        };
      };
    };
  };
  '/v2/agents/prompt/enhance': {
    data: AgentsPromptEnhanceRequest;
    result: {
      enhancedPrompt: {
        /** Question about the most important gap in the prompt. */
        requirement: string;
        /** Why the question matters. */
        context: string;
        /** Suggested answers. */
        suggestion: string[];
        suggestion_type: 'boolean' | 'single-select' | 'multi-select' | 'info';
      } | {
        /** Null: nothing is missing. */
        requirement: null;
      };
    };
  };
  '/v2/agents/prompt/validate': {
    data: AgentsPromptValidateRequest;
    result: {
      validationResult: {
        /** The structured prompt as Markdown: Objective, Scope, Detection Logic, Output Format. */
        analysis_prompt: string;
        /** `TOOL_TEXT_EXTRACTOR` if the visible text of a page is needed. */
        requires_tool: 'TOOL_TEXT_EXTRACTOR' | 'NONE';
        /** Value for `execution.responseDescriptions`. */
        response_descriptions: Record<string, string>;
        demos: {
          /** Aspects in which the cases differ. */
          detection_dimensions: string[];
          cases: {
            id: string;
            title: string;
            /** How plain the case is, such as `obvious_match`, `subtle_match`, `obvious_non_match`. */
            tier: string;
            /** Which of the dimensions it tries. */
            dimension_tested: string;
            /** A page, or a piece of one. */
            html: string;
            /** `detected` or `not_detected`. */
            expected: string;
            reason: string;
          }[];
        };
        /** Inputs that a run should require. */
        suggested_required_inputs: {
          name: string;
          description: string;
          example: string;
          reason: string;
        }[];
      };
    };
  };
  '/v2/agents/prompt/refine': {
    data: AgentsPromptRefineRequest;
    result: {
      refinerResult: {
        analysis_prompt: string;
        /** Value for `execution.responseDescriptions`. */
        response_descriptions: Record<string, string>;
      };
    };
  };
  '/v2/reviews/run': {
    data: ReviewsRunRequest;
    result: {
      reviewId: string;
      /** One for each URL and agent, in their order. */
      executionIds: string[];
    };
  };
  '/v2/reviews/get': {
    data: ReviewsGetRequest;
    result: {
      review: Review;
    };
  };
  '/v2/reviews/list': {
    data: ReviewsListRequest;
    result: {
      reviews: Review[];
      nextPageToken?: string;
    };
    item: NonNullable<Operations['/v2/reviews/list']['result']['reviews']>[number];
  };
  '/v2/reviews/cancel': {
    data: ReviewsCancelRequest;
    result: {
      review: Review;
    };
  };
  '/v2/reviews/share': {
    data: ReviewsShareRequest;
    result: {
      /** The report as HTML. With `&format=`, it is returned in another format: `text`, `json`, `junit`, `sarif`, `markdown`, `csv` or `codequality`. */
      url: string;
      /** End of the link in epoch milliseconds. */
      expiresAt: number;
    };
  };
  '/v2/reviews/schedules/create': {
    data: ReviewsSchedulesCreateRequest;
    result: {
      schedule: ReviewSchedule;
    };
  };
  '/v2/reviews/schedules/get': {
    data: ReviewsSchedulesGetRequest;
    result: {
      schedule: ReviewSchedule;
    };
  };
  '/v2/reviews/schedules/list': {
    data: ReviewsSchedulesListRequest;
    result: {
      schedules: ReviewSchedule[];
    };
  };
  '/v2/reviews/schedules/update': {
    data: ReviewsSchedulesUpdateRequest;
    result: {
      schedule: ReviewSchedule;
    };
  };
  '/v2/reviews/schedules/start': {
    data: ReviewsSchedulesStartRequest;
    result: {
      reviewId: string;
      /** One for each URL and agent, in their order. */
      executionIds: string[];
    };
  };
  '/v2/reviews/schedules/delete': {
    data: ReviewsSchedulesDeleteRequest;
    result: {
      scheduleId: string;
    };
  };
  '/v2/organizations/add': {
    data: OrganizationsAddRequest;
    result: BatchResult;
  };
  '/v2/organizations/get': {
    data: OrganizationsGetRequest;
    result: Organization[];
    item: NonNullable<Operations['/v2/organizations/get']['result'][number]>;
  };
  '/v2/organizations/update': {
    data: OrganizationsUpdateRequest;
    result: BatchResult;
  };
  '/v2/organizations/delete': {
    data: OrganizationsDeleteRequest;
    result: BatchResult;
  };
  '/v2/organizations/access/disablestate/update': {
    data: OrganizationsAccessDisablestateUpdateRequest;
    result: BatchResult;
  };
  '/v2/organizations/folders/add': {
    data: OrganizationsFoldersAddRequest;
    result: BatchResult;
  };
  '/v2/organizations/folders/get': {
    data: OrganizationsFoldersGetRequest;
    result: Folder[];
    item: NonNullable<Operations['/v2/organizations/folders/get']['result'][number]>;
  };
  '/v2/organizations/folders/update': {
    data: OrganizationsFoldersUpdateRequest;
    result: BatchResult;
  };
  '/v2/organizations/folders/delete': {
    data: OrganizationsFoldersDeleteRequest;
    result: null;
  };
  '/v2/organizations/folders/access/update': {
    data: OrganizationsFoldersAccessUpdateRequest;
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      /** Null if the folder inherits that of its parent. */
      accessType: AccessType | null;
      inheritFromParent?: boolean;
    }>;
  };
  '/v2/organizations/documents/add': {
    data: OrganizationsDocumentsAddRequest;
    result: BatchResult;
  };
  '/v2/organizations/documents/get': {
    data: OrganizationsDocumentsGetRequest;
    result: (Document | MissingDocument)[];
    item: NonNullable<Operations['/v2/organizations/documents/get']['result'][number]>;
  };
  '/v2/organizations/documents/count': {
    data: OrganizationsDocumentsCountRequest;
    result: {
      count: number;
      /** Number of filters that were applied. */
      filtersApplied?: number;
    };
  };
  '/v2/organizations/documents/update': {
    data: OrganizationsDocumentsUpdateRequest;
    result: BatchResult;
  };
  '/v2/organizations/documents/move': {
    data: OrganizationsDocumentsMoveRequest;
    result: undefined;
  };
  '/v2/organizations/documents/delete': {
    data: OrganizationsDocumentsDeleteRequest;
    result: BatchResult;
  };
  '/v2/organizations/documents/access/update': {
    data: OrganizationsDocumentsAccessUpdateRequest;
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      /** Null if the document inherits that of its folder or API key. */
      accessType: AccessType | null;
    }>;
  };
  '/v2/organizations/documents/access/disablestate/update': {
    data: OrganizationsDocumentsAccessDisablestateUpdateRequest;
    result: Record<string, {
      /** True if the item was processed. */
      success: boolean;
      /** Result for the item, as a sentence. */
      message: string;
      /** Machine-readable error code: `already-exists`, `not-found`. */
      code?: string;
      disabled: boolean;
    }>;
  };
  '/v2/organizations/documents/migrate': {
    data: OrganizationsDocumentsMigrateRequest;
    result: {
      migrationId: string;
    };
  };
  '/v2/organizations/documents/migrate/status': {
    data: OrganizationsDocumentsMigrateStatusRequest;
    result: {
      migrationId: string;
      status: 'pending' | 'in_progress' | 'completed' | 'failed';
      /** Reason of the failure. */
      error?: string;
    };
  };
  '/v2/organizations/usergroups/add': {
    data: OrganizationsUsergroupsAddRequest;
    result: BatchResult;
  };
  '/v2/organizations/usergroups/get': {
    data: OrganizationsUsergroupsGetRequest;
    result: UserGroup[];
    item: NonNullable<Operations['/v2/organizations/usergroups/get']['result'][number]>;
  };
  '/v2/organizations/usergroups/delete': {
    data: OrganizationsUsergroupsDeleteRequest;
    result: BatchResult;
  };
  '/v2/organizations/usergroups/users/add': {
    data: OrganizationsUsergroupsUsersAddRequest;
    result: Record<string, {
      success: boolean;
      organizationUserGroupId: string;
      message: string;
    }>;
  };
  '/v2/organizations/usergroups/users/get': {
    data: OrganizationsUsergroupsUsersGetRequest;
    result: Contact[];
    item: NonNullable<Operations['/v2/organizations/usergroups/users/get']['result'][number]>;
  };
  '/v2/organizations/usergroups/users/delete': {
    data: OrganizationsUsergroupsUsersDeleteRequest;
    result: Record<string, {
      success: boolean;
      organizationUserGroupId: string;
      message: string;
    }>;
  };
  '/v2/users/add': {
    data: UsersAddRequest;
    result: BatchResult;
  };
  '/v2/users/get': {
    data: UsersGetRequest;
    result: Operations['/v2/users/get']['forms'][number][1];
    forms: [[{ groupByDocumentId: true }, Record<string, Contact[]>], [{ groupByDocumentId?: false | undefined }, Contact[]]];
    item: NonNullable<Operations['/v2/users/get']['forms'][1][1][number]>;
  };
  '/v2/users/count': {
    data: UsersCountRequest;
    result: {
      count: number;
    };
  };
  '/v2/users/documents/get': {
    data: UsersDocumentsGetRequest;
    result: {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      /** Role in the requested place; absent if several places are requested. */
      accessRole?: 'viewer' | 'editor';
      /** Present with includeInvolvedDocuments. */
      involvedDocumentIds?: string[];
      [key: string]: unknown;
    }[];
    item: NonNullable<Operations['/v2/users/documents/get']['result'][number]>;
  };
  '/v2/users/organizations/get': {
    data: UsersOrganizationsGetRequest;
    result: OrganizationOfUser[];
    item: NonNullable<Operations['/v2/users/organizations/get']['result'][number]>;
  };
  '/v2/users/update': {
    data: UsersUpdateRequest;
    result: BatchResult;
  };
  '/v2/users/delete': {
    data: UsersDeleteRequest;
    result: BatchResult;
  };
  '/v2/users/data/get': {
    data: UsersDataGetRequest;
    result: {
      comments: UserComment[];
      reactions: UserReaction[];
      /** Always empty: recordings are not stored. */
      recordings: Record<string, unknown>[];
      notifications: UserNotification[];
    };
    item: Operations['/v2/users/data/get']['result'];
  };
  '/v2/users/data/delete': {
    data: UsersDataDeleteRequest;
    result: UsersDataDeleteResult;
  };
  '/v2/users/data/delete/status': {
    data: UsersDataDeleteStatusRequest;
    result: {
      isDeleteCompleted: boolean;
      tasksLeft: number;
      /** Epoch milliseconds; null before the first task is completed. */
      lastTaskCompletedTime: number | null;
    };
  };
  '/v2/activities/add': {
    data: ActivitiesAddRequest;
    result: {
      success: boolean;
      message: string;
    };
  };
  '/v2/activities/get': {
    data: ActivitiesGetRequest;
    result: Activity[];
    item: NonNullable<Operations['/v2/activities/get']['result'][number]>;
  };
  '/v2/activities/update': {
    data: ActivitiesUpdateRequest;
    result: BatchResult;
  };
  '/v2/activities/delete': {
    data: ActivitiesDeleteRequest;
    result: BatchResult;
  };
  '/v2/presence/add': {
    data: PresenceAddRequest;
    result: {
      success: true;
    };
  };
  '/v2/presence/get': {
    data: PresenceGetRequest;
    result: Presence[];
    item: NonNullable<Operations['/v2/presence/get']['result'][number]>;
  };
  '/v2/presence/update': {
    data: PresenceUpdateRequest;
    result: {
      success: true;
    };
  };
  '/v2/presence/delete': {
    data: PresenceDeleteRequest;
    result: {
      success: true;
    };
  };
  '/v2/livestate/broadcast': {
    data: LivestateBroadcastRequest;
    result: {
      success: true;
    };
  };
  '/v2/livestate/get': {
    data: LivestateGetRequest;
    result: LiveState[];
    item: NonNullable<Operations['/v2/livestate/get']['result'][number]>;
  };
  '/v2/crdt/add': {
    data: CrdtAddRequest;
    result: undefined;
  };
  '/v2/crdt/update': {
    data: CrdtUpdateRequest;
    result: undefined;
  };
  '/v2/crdt/get': {
    data: CrdtGetRequest;
    result: Editor[];
    item: NonNullable<Operations['/v2/crdt/get']['result'][number]>;
  };
  '/v2/crdt/delete': {
    data: CrdtDeleteRequest;
    result: undefined;
  };
  '/v2/crdt/snapshots/create': {
    data: CrdtSnapshotsCreateRequest;
    result: Snapshot;
  };
  '/v2/crdt/snapshots/list': {
    data: CrdtSnapshotsListRequest;
    result: Snapshot[];
    item: NonNullable<Operations['/v2/crdt/snapshots/list']['result'][number]>;
  };
  '/v2/crdt/snapshots/get': {
    data: CrdtSnapshotsGetRequest;
    result: SnapshotWithContent;
  };
  '/v2/crdt/snapshots/restore': {
    data: CrdtSnapshotsRestoreRequest;
    result: undefined;
  };
  '/v2/crdt/snapshots/delete': {
    data: CrdtSnapshotsDeleteRequest;
    result: undefined;
  };
  '/v2/commentannotations/add': {
    data: CommentannotationsAddRequest;
    result: Record<string, AddedAnnotation>;
  };
  '/v2/commentannotations/get': {
    data: CommentannotationsGetRequest;
    result: Operations['/v2/commentannotations/get']['forms'][number][1];
    forms: [[{ groupByDocumentId: true; fields: 'anchors' }, Record<string, AnnotationAnchor[]>], [{ groupByDocumentId: true; fields?: 'all' | undefined }, Record<string, Annotation[]>], [{ groupByDocumentId?: false | undefined; fields: 'anchors' }, (AnnotationAnchor | null)[]], [{ groupByDocumentId?: false | undefined; fields?: 'all' | undefined }, (Annotation | null)[]]];
    item: NonNullable<Operations['/v2/commentannotations/get']['forms'][3][1][number]>;
  };
  '/v2/commentannotations/update': {
    data: CommentannotationsUpdateRequest;
    result: BatchResult;
  };
  '/v2/commentannotations/delete': {
    data: CommentannotationsDeleteRequest;
    result: BatchResult;
  };
  '/v2/commentannotations/count/get': {
    data: CommentannotationsCountGetRequest;
    result: Record<string, {
      total: number;
      unread: number;
    }>;
  };
  '/v2/commentannotations/unread/get': {
    data: CommentannotationsUnreadGetRequest;
    result: {
      /** Annotations that the user has not viewed since their last change. */
      annotations: number;
      /** Comments of others in them that are new or changed since the last view. */
      comments: number;
      /** Documents with unread annotations, the last changed first. */
      documents: {
        documentId: string;
        annotations: number;
        comments: number;
        /** Last change of an unread annotation, in epoch milliseconds. */
        lastUpdated: number;
      }[];
    };
    item: NonNullable<Operations['/v2/commentannotations/unread/get']['result']['documents']>[number];
  };
  '/v2/commentannotations/unread/clear': {
    data: CommentannotationsUnreadClearRequest;
    result: {
      /** Number of annotations that were unread. */
      marked: number;
    };
  };
  '/v2/commentannotations/comments/add': {
    data: CommentannotationsCommentsAddRequest;
    result: number[];
  };
  '/v2/commentannotations/comments/get': {
    data: CommentannotationsCommentsGetRequest;
    result: (Comment | null)[];
    item: NonNullable<Operations['/v2/commentannotations/comments/get']['result'][number]>;
  };
  '/v2/commentannotations/comments/update': {
    data: CommentannotationsCommentsUpdateRequest;
    result: Record<string, CommentResult>;
  };
  '/v2/commentannotations/comments/delete': {
    data: CommentannotationsCommentsDeleteRequest;
    result: Record<string, CommentResult>;
  };
  '/v2/commentannotations/reactions/add': {
    data: CommentannotationsReactionsAddRequest;
    result: {
      reactionId: string;
      /** False if the user had the reaction already. */
      added: boolean;
      /** Number of users who have the reaction now. */
      count: number;
    };
  };
  '/v2/commentannotations/reactions/get': {
    data: CommentannotationsReactionsGetRequest;
    result: Reaction[];
    item: NonNullable<Operations['/v2/commentannotations/reactions/get']['result'][number]>;
  };
  '/v2/commentannotations/reactions/delete': {
    data: CommentannotationsReactionsDeleteRequest;
    result: {
      reactionId: string;
      /** False if the user did not have the reaction. */
      removed: boolean;
      /** Number of users who still have the reaction. */
      count: number;
    };
  };
  '/v2/attachments/create': {
    data: AttachmentsCreateRequest;
    result: {
      /** Id from attachments/create. */
      attachmentId: string;
      uploadUrl: string;
      /** End of `uploadUrl` in epoch milliseconds. */
      expiresAt: number;
    };
  };
  '/v2/attachments/get': {
    data: AttachmentsGetRequest;
    result: StoredAttachment;
  };
  '/v2/attachments/list': {
    data: AttachmentsListRequest;
    result: StoredAttachment[];
    item: NonNullable<Operations['/v2/attachments/list']['result'][number]>;
  };
  '/v2/attachments/delete': {
    data: AttachmentsDeleteRequest;
    result: {
      /** Id from attachments/create. */
      attachmentId: string;
    };
  };
  '/v2/notifications/add': {
    data: NotificationsAddRequest;
    result: {
      success: boolean;
      message: string;
    };
  };
  '/v2/notifications/get': {
    data: NotificationsGetRequest;
    result: Notification[];
    item: NonNullable<Operations['/v2/notifications/get']['result'][number]>;
  };
  '/v2/notifications/update': {
    data: NotificationsUpdateRequest;
    result: Record<string, {
      success: boolean;
      message: string;
    }>;
  };
  '/v2/notifications/delete': {
    data: NotificationsDeleteRequest;
    result: Record<string, {
      success: boolean;
      message: string;
    }>;
  };
  '/v2/notifications/config/get': {
    data: NotificationsConfigGetRequest;
    result: {
      /** Additional channels of your own are allowed. */
      config: {
        inbox?: 'ALL' | 'MINE' | 'NONE';
        email?: 'ALL' | 'MINE' | 'NONE';
        slack?: 'ALL' | 'MINE' | 'NONE';
        [key: string]: unknown;
      };
      metadata: {
        apiKey: string;
        organizationId: string;
        /** Absent for organization-wide preferences. */
        documentId?: string;
        userId: string;
      };
    }[];
  };
  '/v2/notifications/config/set': {
    data: NotificationsConfigSetRequest;
    result: Record<string, {
      success: boolean;
      userId: string;
      /** Present if exactly one documentId was sent. */
      documentId?: string;
      message: string;
    }>;
  };
  '/v2/rewriter/ask-ai': {
    data: RewriterAskAiRequest;
    result: RewriterAskAiResult;
  };
  '/v2/memory/judgments/add': {
    data: MemoryJudgmentsAddRequest;
    result: MemoryJudgmentsAddResult;
  };
  '/v2/memory/judgments/query': {
    data: MemoryJudgmentsQueryRequest;
    result: MemoryJudgmentsQueryResult;
    item: NonNullable<Operations['/v2/memory/judgments/query']['result']['results']>[number];
  };
  '/v2/memory/judgments/delete': {
    data: MemoryJudgmentsDeleteRequest;
    result: MemoryJudgmentsDeleteResult;
  };
  '/v2/memory/judgments/backfill': {
    data: MemoryJudgmentsBackfillRequest;
    result: MemoryJudgmentsBackfillResult;
    item: Operations['/v2/memory/judgments/backfill']['result'];
  };
  '/v2/memory/search': {
    data: MemorySearchRequest;
    result: MemorySearchResult;
  };
  '/v2/memory/suggest': {
    data: MemorySuggestRequest;
    result: MemorySuggestResult;
  };
  '/v2/memory/ask': {
    data: MemoryAskRequest;
    result: MemoryAskResult;
  };
  '/v2/memory/patterns/get': {
    data: MemoryPatternsGetRequest;
    result: MemoryPatternsGetResult;
    item: NonNullable<Operations['/v2/memory/patterns/get']['result'][number]>;
  };
  '/v2/memory/profiles/get': {
    data: MemoryProfilesGetRequest;
    result: MemoryProfilesGetResult;
  };
  '/v2/memory/stats/get': {
    data: MemoryStatsGetRequest;
    result: MemoryStatsGetResult;
  };
  '/v2/memory/alerts/list': {
    data: MemoryAlertsListRequest;
    result: MemoryAlertsListResult;
    item: NonNullable<Operations['/v2/memory/alerts/list']['result'][number]>;
  };
  '/v2/memory/alerts/dismiss': {
    data: MemoryAlertsDismissRequest;
    result: MemoryAlertsDismissResult;
  };
  '/v2/memory/alerts/action': {
    data: MemoryAlertsActionRequest;
    result: MemoryAlertsActionResult;
  };
  '/v2/memory/alerts/config/get': {
    data: MemoryAlertsConfigGetRequest;
    result: MemoryAlertsConfigGetResult;
  };
  '/v2/memory/alerts/config/update': {
    data: MemoryAlertsConfigUpdateRequest;
    result: MemoryAlertsConfigUpdateResult;
  };
  '/v2/memory/consolidate': {
    data: MemoryConsolidateRequest;
    result: MemoryConsolidateResult;
  };
  '/v2/memory/knowledge/ingest': {
    data: MemoryKnowledgeIngestRequest;
    result: undefined;
  };
  '/v2/memory/knowledge/upload-url': {
    data: MemoryKnowledgeUploadUrlRequest;
    result: MemoryKnowledgeUploadUrlResult;
  };
  '/v2/memory/knowledge/ingest-status': {
    data: MemoryKnowledgeIngestStatusRequest;
    result: MemoryKnowledgeIngestStatusResult;
  };
  '/v2/memory/knowledge/list': {
    data: MemoryKnowledgeListRequest;
    result: MemoryKnowledgeListResult;
    item: NonNullable<Operations['/v2/memory/knowledge/list']['result'][number]>;
  };
  '/v2/memory/knowledge/rules': {
    data: MemoryKnowledgeRulesRequest;
    result: MemoryKnowledgeRulesResult;
    item: NonNullable<Operations['/v2/memory/knowledge/rules']['result'][number]>;
  };
  '/v2/memory/knowledge/download': {
    data: MemoryKnowledgeDownloadRequest;
    result: MemoryKnowledgeDownloadResult;
  };
  '/v2/memory/knowledge/update': {
    data: MemoryKnowledgeUpdateRequest;
    result: MemoryKnowledgeUpdateResult;
  };
  '/v2/memory/knowledge/delete': {
    data: MemoryKnowledgeDeleteRequest;
    result: MemoryKnowledgeDeleteResult;
  };
  '/v2/memory/knowledge/search': {
    data: MemoryKnowledgeSearchRequest;
    result: MemoryKnowledgeSearchResult;
  };
}

/** Operations under their earlier paths. */
export interface EarlierOperations {
  '/v1/auth/token/get': {
    data: AuthTokenGetV1Request;
    result: {
      /** A signed JWT. */
      token: string;
    };
  };
  '/v1/organizations/add': Operations['/v2/organizations/add'];
  '/v1/organizations/get': Operations['/v2/organizations/get'];
  '/v1/organizations/update': Operations['/v2/organizations/update'];
  '/v1/organizations/delete': Operations['/v2/organizations/delete'];
  '/v1/organizations/access/disablestate/update': Operations['/v2/organizations/access/disablestate/update'];
  '/v1/organizations/folders/add': Operations['/v2/organizations/folders/add'];
  '/v1/organizations/folders/get': Operations['/v2/organizations/folders/get'];
  '/v1/organizations/folders/update': Operations['/v2/organizations/folders/update'];
  '/v1/organizations/folders/delete': Operations['/v2/organizations/folders/delete'];
  '/v1/organizations/folders/access/update': Operations['/v2/organizations/folders/access/update'];
  '/v1/organizations/documents/add': Operations['/v2/organizations/documents/add'];
  '/v1/organizations/documents/get': Operations['/v2/organizations/documents/get'];
  '/v1/organizations/documents/update': Operations['/v2/organizations/documents/update'];
  '/v1/organizations/documents/move': Operations['/v2/organizations/documents/move'];
  '/v1/organizations/documents/delete': Operations['/v2/organizations/documents/delete'];
  '/v1/organizations/documents/access/update': Operations['/v2/organizations/documents/access/update'];
  '/v1/organizations/documents/access/disablestate/update': Operations['/v2/organizations/documents/access/disablestate/update'];
  '/v1/organizations/documents/locations/update': {
    data: OrganizationsDocumentsLocationsUpdateV1Request;
    result: null;
  };
  '/v1/organizations/documents/locations/data/delete': {
    data: OrganizationsDocumentsLocationsDataDeleteV1Request;
    result: null;
  };
  '/v1/organizations/usergroups/add': Operations['/v2/organizations/usergroups/add'];
  '/v1/organizations/usergroups/users/add': Operations['/v2/organizations/usergroups/users/add'];
  '/v1/organizations/usergroups/users/delete': Operations['/v2/organizations/usergroups/users/delete'];
  '/v1/users/add': {
    data: UsersAddV1Request;
    result: BatchResult;
  };
  '/v1/users/get': {
    data: UsersGetV1Request;
    result: {
      userId: string;
      name?: string;
      email?: string;
      initial?: string;
      organizationId: string;
      [key: string]: unknown;
    }[];
    item: NonNullable<EarlierOperations['/v1/users/get']['result'][number]>;
  };
  '/v1/users/update': {
    data: UsersUpdateV1Request;
    result: BatchResult;
  };
  '/v1/users/delete': Operations['/v2/users/delete'];
  '/v1/commentannotations/add': Operations['/v2/commentannotations/add'];
  '/v1/commentannotations/get': Operations['/v2/commentannotations/get'];
  '/v1/commentannotations/update': Operations['/v2/commentannotations/update'];
  '/v1/commentannotations/delete': Operations['/v2/commentannotations/delete'];
  '/v1/commentannotations/count/get': Operations['/v2/commentannotations/count/get'];
  '/v1/commentannotations/comments/add': Operations['/v2/commentannotations/comments/add'];
  '/v1/commentannotations/comments/get': {
    data: CommentannotationsCommentsGetV1Request;
    result: (Comment | null)[];
    item: NonNullable<EarlierOperations['/v1/commentannotations/comments/get']['result'][number]>;
  };
  '/v1/commentannotations/comments/update': Operations['/v2/commentannotations/comments/update'];
  '/v1/commentannotations/comments/delete': Operations['/v2/commentannotations/comments/delete'];
  '/v1/notifications/add': Operations['/v2/notifications/add'];
  '/v1/notifications/get': Operations['/v2/notifications/get'];
  '/v1/notifications/update': Operations['/v2/notifications/update'];
  '/v1/notifications/delete': Operations['/v2/notifications/delete'];
  '/v1/notifications/config/get': Operations['/v2/notifications/config/get'];
  '/v1/notifications/config/set': Operations['/v2/notifications/config/set'];
}

/** Access values of the user by field, for notifications that are limited to certain values. */
export interface AccessContext {
  access: Record<string, string | string[]>;
}

export interface AccessExplanation {
  /** A viewer reads; an editor also comments and changes live documents. */
  accessRole: 'none' | 'viewer' | 'editor';
  /** The rule that decided, as a sentence. */
  reason: string;
  exists: boolean;
  /** True if the resource or its organization is disabled. */
  disabled: boolean;
  /** The access type in force, of its own or of a folder or of the API key. */
  accessType?: AccessType;
  /** The folders around a document, or a folder and those around it; nearest first. */
  folderIds: string[];
  /** True if the token says so. */
  isAdmin: boolean;
  /** What was looked at, in the order of the rules. */
  grants: AccessGrant[];
}

export interface AccessGrant {
  /** `token`: in the user token; `stored`: by an operation. */
  source: 'token' | 'stored';
  type: 'organization' | 'folder' | 'document';
  id: string;
  accessRole: 'viewer' | 'editor';
  /** Unix seconds; null if it does not expire. */
  expiresAt: number | null;
  /** Expired grants do not count. */
  expired: boolean;
  /** True for the grant that decided. */
  decided: boolean;
}

/** `viewer` may read; `editor` may also write. */
export type AccessRole = 'viewer' | 'editor';

/** `public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it. */
export type AccessType = 'public' | 'organizationPrivate' | 'restricted';

export interface Account {
  accountId: string;
  name: string;
  email: string | null;
}

export interface AccountUpdateRequest {
  name: string;
}

export interface ActivitiesAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  activities: NewActivity[];
}

export interface ActivitiesDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  activityIds?: string[];
  /** Target of the action, such as an annotation. */
  targetEntityId?: string;
}

export interface ActivitiesGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Returns only activities on this document. */
  documentId?: string;
  /** Target of the action, such as an annotation. */
  targetEntityId?: string;
  featureTypes?: ('comment' | 'reaction' | 'recorder' | 'crdt' | 'custom')[];
  actionTypes?: string[];
  /** Returns only activities of this user. */
  userId?: string;
  activityIds?: string[];
  /** Order by time. */
  order?: 'asc' | 'desc';
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface ActivitiesUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Fields that are not sent keep their values. */
  activities: {
    /** Activity id, assigned by the caller. */
    id: string;
    featureType?: 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';
    /** Type of the action, such as `comment.add`. */
    actionType?: string;
    /** User who did it. */
    actionUser?: {
      /** User id, assigned by the caller. */
      userId: string;
      name?: string;
      email?: string;
      [key: string]: unknown;
    };
    /** Target of the action, such as an annotation. */
    targetEntityId?: string;
    /** Part of the target, such as a comment. */
    targetSubEntityId?: string;
    /** Old and new values by field. */
    changes?: Record<string, {
      from?: unknown;
      to?: unknown;
    }>;
    entityData?: Record<string, unknown>;
    entityTargetData?: Record<string, unknown>;
    /** May contain variables as `{{name}}`. */
    displayMessageTemplate?: string;
    /** Values of the variables. */
    displayMessageTemplateData?: Record<string, unknown>;
    actionIcon?: string;
    /** True if the caller stores the content and clients fetch it from there. */
    isActivityResolverUsed?: boolean;
  }[];
}

export interface Activity {
  id: string;
  featureType: string;
  actionType: string;
  actionUser: User;
  targetEntityId?: string;
  /** Part of the target, such as a comment. */
  targetSubEntityId?: string;
  /** Old and new values by field. */
  changes?: Record<string, {
    from?: unknown;
    to?: unknown;
  }>;
  entityData?: Record<string, unknown>;
  entityTargetData?: Record<string, unknown>;
  /** May contain variables as `{{name}}`. */
  displayMessageTemplate?: string;
  /** Values of the variables. */
  displayMessageTemplateData?: Record<string, unknown>;
  actionIcon?: string;
  /** True if the caller stores the content and clients fetch it from there. */
  isActivityResolverUsed?: boolean;
  metadata: {
    apiKey: string;
    organizationId: string;
    documentId?: string;
  };
  /** True if the activity cannot be changed. */
  immutable: boolean;
  /** Epoch milliseconds. */
  timestamp: number;
  [key: string]: unknown;
}

export interface ActivityConfig {
  isEnabled?: boolean;
  /** When logging was enabled, in epoch milliseconds. */
  enabledTime?: number;
  /** True if activities cannot be changed once written. */
  immutable?: boolean;
  /** Comment events that the service logs: `{ comment: { <event>: true } }` for comment_annotation.add, comment_annotation.delete, comment_annotation.assign, comment_annotation.status_change, comment_annotation.priority_change, comment_annotation.suggestion_accept, comment_annotation.suggestion_reject, comment.add, comment.update, comment.delete. Reactions are logged only if `{ reaction: { <event>: true } }` is sent, for comment.reaction_add, comment.reaction_delete. */
  triggers?: Record<string, Record<string, boolean>>;
}

export interface AddedAnnotation {
  success: boolean;
  /** Absent if the annotation was rejected before it got an id. */
  annotationId?: string;
  commentIds?: number[];
  message: string;
  /** Machine-readable error code: `already-exists`, `permission-denied`. */
  code?: string;
  /** Copied from the agent's reason. */
  findingId?: string;
}

export interface AdvancedWebhookConfig {
  isEnabled: boolean;
  /** Encrypts every body with `publicKey`. */
  encryptData: boolean;
  /** Sends every body as base64. An encrypted body is encoded after encryption. */
  encodeData: boolean;
  /** Empty if no key is set. */
  publicKey: string;
  /** Removes texts written by users, and their names, addresses and attachments, from every body. */
  enableDataProtection: boolean;
}

export type Agent = BuiltinAgent | CustomAgent;

export interface AgentAnalyticsDay {
  /** The day, such as `2026-11-30`. */
  date: string;
  /** Runs that started on that day. */
  runs: {
    total: number;
    byStatus: {
      running: number;
      passed: number;
      failed: number;
      partial: number;
      error: number;
      skipped: number;
    };
  };
  findings: {
    /** Findings that the previous run did not have; all of them in a first run. */
    new: {
      total: number;
      bySeverity: CountsBySeverity;
    };
    /** Findings of previous runs that are gone. The severity of the first 50 of a run is known. */
    fixed: {
      total: number;
      bySeverity: CountsBySeverity;
    };
    /** Findings at the end of the day, of today those so far. Each counts from the day on which a run first saw it until it is fixed, rejected or resolved. */
    open: {
      total: number;
      bySeverity: CountsBySeverity;
    };
  };
  /** Median and 95th percentile of ended runs; null if there was none. */
  duration: {
    p50Ms: number | null;
    p95Ms: number | null;
  };
  /** By model. A run that asked several models counts for the last of them. */
  tokens: {
    model: string;
    promptTokens: number;
    completionTokens: number;
    thoughtsTokens: number;
    totalTokens: number;
    requestCount: number;
    /** By the prices in REDPEN_MODEL_PRICES, in their currency, to a millionth. Null if the model has no price there. */
    cost: number | null;
  }[];
}

export interface AgentBlock {
  /** `platform`: an agent of this service; `external`: any other agent. */
  agentSource: 'platform' | 'external';
  /** Required for an agent of this service. */
  agentId?: string;
  /** Id of one run of an agent. */
  executionId?: string;
  /** Required for an external agent. */
  agentName?: string;
  /** URL of the page that the comment is about. */
  url?: string;
  reason: AgentReason;
}

export interface AgentContextGathering {
  /** Defaults to none. */
  strategies?: ('robots-txt' | 'sitemap-data' | 'rest-api' | 'lighthouse' | 'web-page-text' | 'web-page-html' | 'web-page-css' | 'web-page-links' | 'web-page-accessibility' | 'computed-styles' | 'web-page-screenshot' | 'none')[];
  /** Keyed by strategy name. */
  strategyOptions?: {
    'robots-txt'?: Record<string, unknown>;
    'sitemap-data'?: {
      maxEntries?: number;
      [key: string]: unknown;
    };
    'rest-api'?: {
      endpoints: {
        /** Stable id of the endpoint. */
        id?: string;
        name?: string;
        /** Shown in the prompt next to the URL and the response. */
        description: string;
        /** May contain {{variables}}. The address is checked when it is fetched. */
        url: string;
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
        /** Headers without secrets. Values may contain {{variables}}. */
        headers?: Record<string, string>;
        /** Query parameters. Values may contain {{variables}}. */
        query?: Record<string, string | number | boolean>;
        /** Body for write methods. May contain {{variables}}. */
        body?: string | Record<string, unknown>;
        auth?: RemoteCredentials;
        cacheTtlSeconds?: number;
        timeoutMs?: number;
        /** Dot path of the part of the JSON response to use. */
        responsePath?: string;
        [key: string]: unknown;
      }[];
      /** Maximum response size of each endpoint, in bytes. */
      maxResponseBytes?: number;
      [key: string]: unknown;
    };
    lighthouse?: {
      /** Audit categories to run. Defaults to all. */
      categories?: ('performance' | 'accessibility' | 'best-practices' | 'seo')[];
      /** Defaults to the device type of the run. */
      formFactor?: 'mobile' | 'desktop';
      [key: string]: unknown;
    };
    'web-page-text'?: {
      deviceType?: 'mobile' | 'desktop';
      excludeIframes?: boolean;
      [key: string]: unknown;
    };
    'web-page-html'?: {
      includeHead?: boolean;
      includeBody?: boolean;
      excludeIframes?: boolean;
      waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
      [key: string]: unknown;
    };
    'web-page-css'?: {
      /** Includes the style attributes of elements. */
      includeInlineStyles?: boolean;
      [key: string]: unknown;
    };
    'web-page-links'?: Record<string, unknown>;
    'web-page-accessibility'?: {
      /** Checks only axe-core rules with one of these tags, such as `wcag2aa`. */
      tags?: string[];
      /** Enables or disables axe-core rules by rule id. */
      rules?: Record<string, {
        enabled: boolean;
        [key: string]: unknown;
      }>;
      deviceType?: 'mobile' | 'desktop';
      [key: string]: unknown;
    };
    'computed-styles'?: {
      /** CSS selectors of the elements to inspect. */
      selectors: string[];
      /** Properties to read instead of the default ones. */
      properties?: string[];
      deviceType?: 'mobile' | 'desktop';
      [key: string]: unknown;
    };
    'web-page-screenshot'?: {
      /** Scrolls through the whole page first, so that lazy content is loaded. */
      scrollBeforeCapture?: boolean;
      /** Maximum height of the screenshot in pixels; at most 16384. */
      maxPageHeightPx?: number;
      waitUntil?: 'domcontentloaded' | 'load' | 'networkidle' | 'networkidle0' | 'networkidle2' | 'commit';
      deviceType?: 'mobile' | 'desktop';
      [key: string]: unknown;
    };
    [key: string]: unknown;
  };
  aiConfig?: AiConfig;
  [key: string]: unknown;
}

export interface AgentDraft {
  name: string;
  description?: string;
  /** Defaults to true. */
  enabled?: boolean;
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  [key: string]: unknown;
}

export interface AgentExecution {
  /** Defaults to ai. */
  executionStrategy?: 'ai' | 'service' | 'service+ai' | 'stagehand-agent' | 'mcp-tools';
  /** Required with service and service+ai. */
  serviceId?: 'broken-links' | 'crawler' | 'screenshot' | 'accessibility-checker' | 'og-image-checker';
  aiConfig?: AiConfig;
  /** At least one is required with mcp-tools. */
  mcpServers?: McpServer[];
  responseDescriptions?: ResponseDescriptions;
  strategyOptions?: {
    'stagehand-agent'?: BrowserAgentOptions;
    'broken-links'?: BrokenLinksOptions;
    'spell-check'?: SpellCheckOptions;
    [key: string]: unknown;
  };
  knowledge?: AgentKnowledge;
  [key: string]: unknown;
}

export interface AgentGroup {
  id: string;
  name: string;
  description?: string;
  metadata: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
  /** Ids of the members, in order. */
  agentIds: string[];
}

export interface AgentGroupSummary {
  id: string;
  name: string;
  description?: string;
  metadata: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
  agentCount: number;
}

export interface AgentKnowledge {
  /** Fills {{memoryContext}} with what the memory knows about the page. */
  useMemory?: boolean;
  /** Maximum number of entries to include. */
  maxChunks?: number;
  /** Maximum number of entries to include. */
  maxPatterns?: number;
  /** Maximum number of entries to include. */
  maxActivities?: number;
}

export interface AgentPostProcess {
  /** Drops exact duplicates and findings with a confidence below 50. */
  guardrails?: {
    /** Defaults to true. */
    enabled?: boolean;
    [key: string]: unknown;
  };
  /** Resolves the pending suggestions of earlier runs on the page, except those that are found again. If disabled, each run adds its suggestions anew. */
  deletePreviousSuggestions?: {
    /** Defaults to true. */
    enabled?: boolean;
    [key: string]: unknown;
  };
  /** Determines the position of each finding on the page. */
  pinResolution?: {
    /** Defaults to true. */
    enabled?: boolean;
    [key: string]: unknown;
  };
  annotations?: {
    /** Defaults to true. */
    enabled?: boolean;
    /** An annotation for each finding, each finding that quotes words, each page, each cause across all pages, or none. Defaults to `causes` for built-in agents that review several pages, and otherwise to `findings`. */
    strategy?: 'findings' | 'word-level' | 'page-level' | 'causes' | 'none';
    [key: string]: unknown;
  };
  /** Keeps a screenshot of no page, of pages with findings (the default), or of all pages that are loaded in a browser. A run may choose otherwise. */
  screenshots?: 'none' | 'findings' | 'all';
  analytics?: {
    /** Defaults to true. */
    enabled?: boolean;
    [key: string]: unknown;
  };
  /** Accepted without effect. */
  matchAndMerge?: {
    /** Defaults to true. */
    enabled?: boolean;
    [key: string]: unknown;
  };
  /** Accepted without effect. */
  customProcessors?: string[];
  [key: string]: unknown;
}

export interface AgentReason {
  title: string;
  description: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  findingId?: string;
  findingType?: 'text' | 'pin' | 'page';
  issueType?: string;
  confidence?: number;
  suggestion?: string;
  suggestedFix?: string;
  /** Scripts and anything that loads resources are stored as text. */
  htmlSnippet?: string;
  htmlSelector?: string;
  source?: 'instructions' | 'knowledge';
  knowledgeSection?: string;
  [key: string]: unknown;
}

export interface AgentRequirements {
  /** Variables that the caller of a run must provide. */
  variableKeys?: string[];
  userContextFields?: UserContextField[];
  inputRequirements?: {
    requires?: string[];
    requiresOneOf?: string[];
    [key: string]: unknown;
  };
  /** Template variables that the agent may use. */
  supportedVariables?: string[];
  [key: string]: unknown;
}

export interface AgentRule {
  /** The `issueType` of findings. */
  issueType: string;
  title: string;
  /** What the rule is about, and how to fix what it finds. */
  help: string;
  /** A page with more on it. */
  helpUrl?: string;
  defaultSeverity: Severity;
  /** Severities of some findings in place of the default. */
  otherSeverities: {
    severity: Severity;
    /** The case in which it applies, as a sentence. */
    when: string;
  }[];
  category: 'accessibility' | 'links' | 'seo' | 'sharing' | 'spelling' | 'placeholders' | 'privacy' | 'secrets' | 'language' | 'performance' | 'best-practices' | 'consistency' | 'security';
  /** Ids of the built-in agents that report it. A custom agent reports what its service does; see `agentId`. */
  agents: string[];
}

export interface AgentSchema {
  /** Changes whenever one of the schemas does. */
  version: string;
  /** Schema of the request of agents/create. */
  agent: Record<string, unknown>;
  /** Schemas of the options in `contextGathering.strategyOptions`, by strategy. */
  gatherStrategies: Record<string, Record<string, unknown>>;
  /** Schemas of the options in `execution.strategyOptions`, by strategy or service. */
  executionOptions: Record<string, Record<string, unknown>>;
}

export interface AgentScope {
  /** URL globs of the pages to review. */
  pageScope?: string[];
  /** URL globs of the pages to exclude. */
  pageScopeExclude?: string[];
  /** Media types of the pages to review, such as `text/html` or `text/*`. Other values have no effect. */
  contentTypes?: string[];
  crossPage?: CrossPage;
  [key: string]: unknown;
}

export interface AgentSetup {
  setupSamples?: SetupSample[];
  checklistOrigin?: ChecklistOrigin;
  [key: string]: unknown;
}

export interface AgentSummary {
  id: string;
  name: string;
  description?: string;
  enabled: boolean;
  /** `customer` for agents created over the API, `redpen` for built-in agents. */
  managedBy: string;
  metadata: Record<string, unknown>;
  /** Only for custom agents. */
  version?: number;
  /** Only for built-in agents. */
  system?: true;
  executionCount: number;
  /** Epoch milliseconds; null if the agent never ran. */
  lastExecutedAt: number | null;
}

export interface AgentVersion {
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  /** For example `v3`. */
  id: string;
  version: number;
  /** Epoch milliseconds. */
  createdAt: number;
  [key: string]: unknown;
}

export interface AgentsAnalyticsGetRequest {
  /** Defaults to all agents together. */
  agentId?: string;
  /** Limits `yearly` to this year and includes its months. */
  year?: string;
  /** Limits `monthly` to this month of the year. */
  month?: string;
  /** Limits `byModel` to this model, as `provider/model`. */
  model?: string;
}

export interface AgentsAnalyticsSeriesRequest {
  /** First day. Defaults to 29 days before `to`. */
  from?: string;
  /** Last day. Defaults to today. */
  to?: string;
  /** Name of the time zone in which days begin and end. */
  timeZone?: string;
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Needs organizationId. */
  documentId?: string;
}

export interface AgentsBuiltinRequest {
  /** Returns only this agent. */
  agentId?: string;
}

export interface AgentsConfigResolveRequest {
  instructions: string;
  rawInstructions?: string;
  provider?: 'claude' | 'openai' | 'gemini';
}

export interface AgentsCreateRequest {
  name: string;
  description?: string;
  /** Defaults to true. */
  enabled?: boolean;
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  [key: string]: unknown;
}

export interface AgentsDeleteRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
}

export interface AgentsExecutionCancelRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** Appended to the error message. */
  reason?: string;
}

export interface AgentsExecutionCausesRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsExecutionCountRequest {
  /** With it, `shape` is `counts`; otherwise `total`. */
  agentIds?: string | string[];
  status?: ExecutionStatus;
}

export interface AgentsExecutionEventsRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** `next` of the previous response. Defaults to the beginning. */
  after?: string | null;
  /** Maximum time to wait for new events, in milliseconds. */
  waitMs?: number;
  limit?: number;
}

export interface AgentsExecutionFindingsRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** Only the places of this cause. */
  causeId?: string;
  /** Only findings on this page. */
  url?: string;
  severity?: Severity;
  comparison?: 'new' | 'still_there';
  /** Only findings that no person has rejected or resolved. */
  open?: true;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsExecutionGetRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** Includes the findings of each page, and the stored files. */
  includeResults?: boolean;
  /** Includes the log of the run. */
  includeLog?: boolean;
  /** Maximum number of pages in `results`. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsExecutionListRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  /** Lists the executions of the whole API key, where neither agent nor document is given. */
  scope?: 'apiKey';
  /** One status, or several. */
  status?: ExecutionStatus | ExecutionStatus[];
  /** Epoch milliseconds. Only executions that started later. */
  startedAfter?: number;
  /** Epoch milliseconds. Only executions that started earlier. */
  startedBefore?: number;
  /** Only executions that start on this page or review it. */
  url?: string;
  trigger?: 'standalone' | 'workflow';
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsExecutionRunRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  url: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document on which findings become comment annotations. */
  documentId?: string;
  /** If true, also reviews pages of the same site that can be reached from the URL. */
  crossPageExecute?: boolean;
  maxUrlsToProcess?: number;
  /** Globs of the pages that are reviewed, such as `/docs/**`. The links of other pages are followed nevertheless. */
  pages?: string[];
  /** If true, also reviews the pages of the site that its sitemap lists. */
  sitemap?: boolean;
  deviceType?: 'mobile' | 'desktop';
  /** Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`. */
  screenshots?: 'none' | 'findings' | 'all';
  /** Options of the service of the agent, each in place of that of the agent. */
  strategyOptions?: ServiceOptions;
  /** Severities by issue type, each in place of that of the rule; `off` drops the findings. agents/rules lists the issue types. */
  severities?: Record<string, Severity | 'off'>;
  annotationVisibility?: 'public' | 'private';
  ranBy?: {
    userId: string;
    name?: string;
    email?: string;
  };
  userContext?: Record<string, string | number | boolean>;
  variables?: Record<string, string | number | boolean>;
  aiConfig?: ModelChoice;
  /** Credentials for the reviewed pages, in place of those of the agent. Never returned. */
  auth?: PageAuth;
  trigger?: 'standalone' | 'workflow';
  workflowExecutionId?: string;
  [key: string]: unknown;
}

export interface AgentsExecutionShareRequest {
  /** Id of one run of an agent. */
  executionId: string;
  /** Hours until the link ends; a week by default. */
  validForHours?: number;
}

export interface AgentsExtractRequest {
  /** Content of the file, in base64. */
  fileBase64: string;
  /** application/pdf, text/csv, text/plain, text/markdown or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet. */
  mimeType: string;
  /** Provider whose language model reads the file. Defaults to the provider of the installation. */
  provider?: 'claude' | 'openai' | 'gemini';
  /** Stored in the metadata of the agents. */
  fileName?: string;
}

export interface AgentsFindingsCountRequest {
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Only findings that this run saw. */
  executionId?: string;
  /** Only findings that the runs of this review saw. */
  reviewId?: string;
  /** Only findings on this page; a fragment makes no difference. */
  pageUrl?: string;
  severity?: Severity | Severity[];
  issueType?: string | string[];
  /** Defaults to findings that are open: `undecided` and `accepted` ones. */
  decision?: 'undecided' | 'accepted' | 'rejected' | 'resolved' | ('undecided' | 'accepted' | 'rejected' | 'resolved')[];
  /** Defaults to findings that are there: `new` and `still_there` ones. */
  state?: 'new' | 'still_there' | 'fixed' | ('new' | 'still_there' | 'fixed')[];
  /** Only findings with this fingerprint, by default of every decision and state. */
  fingerprint?: string;
  /** Words in the title, quote, suggestion or address, in any letter case. */
  text?: string;
  /** Only findings that were last seen then or later, in epoch milliseconds. */
  since?: number;
  /** Only findings that were last seen then or earlier. */
  until?: number;
}

export interface AgentsFindingsGetRequest {
  /** Finding id, as agents/findings/list returns it. */
  findingId: string;
}

export interface AgentsFindingsListRequest {
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Only findings that this run saw. */
  executionId?: string;
  /** Only findings that the runs of this review saw. */
  reviewId?: string;
  /** Only findings on this page; a fragment makes no difference. */
  pageUrl?: string;
  severity?: Severity | Severity[];
  issueType?: string | string[];
  /** Defaults to findings that are open: `undecided` and `accepted` ones. */
  decision?: 'undecided' | 'accepted' | 'rejected' | 'resolved' | ('undecided' | 'accepted' | 'rejected' | 'resolved')[];
  /** Defaults to findings that are there: `new` and `still_there` ones. */
  state?: 'new' | 'still_there' | 'fixed' | ('new' | 'still_there' | 'fixed')[];
  /** Only findings with this fingerprint, by default of every decision and state. */
  fingerprint?: string;
  /** Words in the title, quote, suggestion or address, in any letter case. */
  text?: string;
  /** Only findings that were last seen then or later, in epoch milliseconds. */
  since?: number;
  /** Only findings that were last seen then or earlier. */
  until?: number;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsFindingsPictureRequest {
  /** Finding id, as agents/findings/list returns it. */
  findingId: string;
  /** True to draw a red outline around the element. */
  outline?: boolean;
}

export interface AgentsGetRequest {
  /** With it, `shape` is `agent`; otherwise `agents`. */
  agentId?: string;
  /** Ignored if agentId is sent. */
  filter?: 'defaultOnly' | 'customOnly';
  /** Ignored if agentId is sent. */
  groupId?: string;
  /** Maximum number of agents in one response. Defaults to all. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface AgentsGroupsAddAgentsRequest {
  /** Agent group id. */
  groupId: string;
  agentIds: string[];
}

export interface AgentsGroupsCreateRequest {
  name: string;
  description?: string;
  agentIds?: string[];
  /** Cannot be changed later. */
  metadata?: Record<string, unknown>;
}

export interface AgentsGroupsDeleteRequest {
  /** Agent group id. */
  groupId: string;
}

export interface AgentsGroupsGetRequest {
  /** Agent group id. */
  groupId: string;
}

export type AgentsGroupsListRequest = Record<string, never>;

export interface AgentsGroupsRemoveAgentsRequest {
  /** Agent group id. */
  groupId: string;
  agentIds: string[];
}

export interface AgentsGroupsUpdateRequest {
  /** Agent group id. */
  groupId: string;
  name?: string;
  description?: string;
}

export interface AgentsPromptEnhanceRequest {
  prompt: string;
  provider?: 'claude' | 'openai' | 'gemini';
  userContextFields?: PromptField[];
}

export interface AgentsPromptRefineRequest {
  analysisPrompt: string;
  demoFeedback: {
    /** As returned by agents/prompt/validate. */
    demoId: string;
    demoTitle: string;
    demoHtml: string;
    demoExpected: string;
    feedback: string;
  }[];
  provider?: 'claude' | 'openai' | 'gemini';
}

export interface AgentsPromptValidateRequest {
  prompt: string;
  provider?: 'claude' | 'openai' | 'gemini';
  userContextFields?: PromptField[];
}

export interface AgentsRulesRequest {
  /** Returns only what this agent finds by rule; a custom agent finds what its service does. */
  agentId?: string;
  category?: 'accessibility' | 'links' | 'seo' | 'sharing' | 'spelling' | 'placeholders' | 'privacy' | 'secrets' | 'language' | 'performance' | 'best-practices' | 'consistency' | 'security';
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export type AgentsSchemaRequest = Record<string, unknown>;

export interface AgentsUpdateRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  name?: string;
  description?: string;
  enabled?: boolean;
  [key: string]: unknown;
}

export interface AgentsVersionUpdateRequest {
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  [key: string]: unknown;
}

export interface AgentsVersionsCreateRequest {
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  [key: string]: unknown;
}

export interface AgentsVersionsGetRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  /** Defaults to the current version. */
  version?: number;
}

export interface AgentsVersionsListRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
}

export interface AgentsVersionsRestoreRequest {
  /** Agent id; built-in agents have readable ids. */
  agentId: string;
  /** The version to restore. Defaults to the one before the current version. */
  version?: number;
}

export interface AiConfig {
  /** Defaults to the provider of the installation. */
  provider?: 'gemini' | 'claude' | 'openai';
  /** Model name, as the provider defines it. */
  model?: string;
  responseMimeType?: string;
  /** Maximum number of tool-call turns with mcp-tools. Capped at run time. */
  maxToolTurns?: number;
}

export interface Annotation {
  annotationId: string;
  /** Sequential number within the document. Numbers are never reused. */
  annotationNumber: number;
  type?: 'comment' | 'suggestion';
  /** `agent` if an agent created it, otherwise `rest-api`. */
  sourceType?: string;
  from?: User;
  status?: Status;
  /** Present in annotations of the type `suggestion`. */
  suggestion?: Suggestion;
  /** The agent that created it, with the page and the reason. */
  agent?: AnnotationAgent;
  visibilityConfig: Visibility;
  /** Ids of its API key, organization, document and folder, and data of the caller. */
  metadata: AnnotationMetadata;
  /** The web page of the annotation. */
  pageInfo?: {
    url?: string | null;
    baseUrl?: string | null;
    commentUrl?: string | null;
    path?: string;
    queryParams?: string;
    /** The viewport in which an agent loaded the page. */
    deviceInfo?: {
      deviceType?: string;
      [key: string]: unknown;
    };
    [key: string]: unknown;
  };
  targetElement?: TargetElement;
  /** Reactions by kind, in the order of their first use. Absent without any. */
  reactions?: ReactionSummary[];
  /** Oldest first. */
  comments: Comment[];
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  lastUpdated: number;
  /** `manual`, `chart` or `suggestion`. */
  commentType?: string;
  /** The AI assistants that made the latest decision on the suggestion, and the latest change of the status, for the person who is named there. A person who decides takes the place of the assistant. Set by the service alone. */
  decidedByAssistant?: {
    /** Name of the assistant. */
    suggestion?: string;
    /** Name of the assistant. */
    status?: string;
  };
  assignedTo?: User;
  priority?: Priority;
  location?: Location;
  /** Number that stands for the id of the location. */
  locationId?: number;
  /** Arbitrary data of the caller. `accessFields` are the pairs of `access`. */
  context?: Record<string, unknown>;
  /** True if it is about the page as a whole. */
  isPageAnnotation?: boolean;
  /** CSS pixels from the left of the page. */
  positionX?: number | null;
  /** CSS pixels from the top of the page. */
  positionY?: number | null;
  /** Width of the element, in CSS pixels. */
  elementWidth?: number;
  /** Height of the element, in CSS pixels. */
  elementHeight?: number;
  screenWidth?: number | null;
  screenHeight?: number | null;
  screenScrollHeight?: number | null;
  screenScrollTop?: number | null;
  /** Same as annotationNumber. */
  annotationIndex: number;
  isDraft?: boolean;
  hasDraftComments?: boolean;
  /** True if the user of the token, or that of `unreadFor`, has not viewed it since its last change. */
  isUnread?: boolean;
  /** Authors and assignees. */
  involvedUserIds?: string[];
  mentionedUserIds?: string[];
  /** Keyed by the MD5 hash of the userId. */
  subscribedUsers?: Record<string, {
    user: User;
    type?: string;
    [key: string]: unknown;
  }>;
  /** Keyed by the MD5 hash of the userId. */
  unsubscribedUsers?: Record<string, {
    user: User;
    type?: string;
    [key: string]: unknown;
  }>;
  viewedByUserIds?: string[];
  resolvedByUserId?: string;
  statusUpdatedByUserId?: string;
  [key: string]: unknown;
}

export interface AnnotationAgent {
  agentId?: string;
  agentName?: string;
  /** `platform`: an agent of this service. */
  agentSource: 'platform' | 'external';
  agentType?: 'built-in' | 'custom' | 'external';
  executionId?: string;
  /** URL of the page. */
  url?: string;
  /** True if the page contains instructions to models. */
  injected?: boolean;
  reason: AnnotationReason;
  [key: string]: unknown;
}

/** An annotation without its comments, as a pin needs it. */
export interface AnnotationAnchor {
  annotationId: string;
  /** Absent if the request names one document. */
  documentId?: string;
  annotationNumber: number;
  /** `comment` or `suggestion`. */
  type: string;
  status: {
    id: string;
    /** `default`, `ongoing` or `terminal`. */
    type?: string;
  };
  /** Present if an agent wrote it. */
  severity?: string;
  /** `pending`, `accepted` or `rejected`. */
  suggestionStatus?: string;
  commentCount: number;
  /** Present for users. */
  isUnread?: boolean;
  /** Where it is. */
  place: {
    /** The page that an agent reviewed or a person commented on. */
    pageUrl?: string;
    location?: {
      id: string;
      locationName?: string;
    };
    /** The text or element that it is about. */
    targetElement?: Record<string, unknown>;
    /** True if it is about the whole page. */
    isPageAnnotation?: true;
    positionX?: number;
    positionY?: number;
    elementWidth?: number;
    elementHeight?: number;
    screenWidth?: number;
    screenHeight?: number;
    screenScrollHeight?: number;
    screenScrollTop?: number;
  };
}

export interface AnnotationMetadata {
  apiKey: string;
  organizationId: string;
  documentId: string;
  folderId?: string;
  [key: string]: unknown;
}

export interface AnnotationReason {
  title: string;
  description: string;
  severity: Severity;
  /** Id of the finding in its execution. */
  findingId?: string;
  findingType?: 'text' | 'pin' | 'page';
  /** Lower-case, hyphenated tag, such as `broken-link`. */
  issueType?: string;
  /** From 0 to 100. */
  confidence?: number;
  suggestion?: string;
  suggestedFix?: string;
  htmlSnippet?: string;
  /** CSS selector of the element; empty if there is none. */
  htmlSelector?: string;
  targetElementXpath?: string;
  /** Text of the page before the target text. */
  textBefore?: string;
  /** Text of the page after the target text. */
  textAfter?: string;
  source?: 'instructions' | 'knowledge';
  knowledgeSection?: string;
  groundedBy?: Grounding[];
  precedent?: Precedent;
  /** The address that the finding is about. */
  url?: string;
  /** Stored file that shows the finding. */
  artifactId?: string;
  /** The cause that the annotation is about, with the number of its places and pages. */
  cause?: {
    id: string;
    places: number;
    pages: number;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export interface ApiKey {
  apiKeyName: string;
  id: string;
  type: 'testing' | 'production';
}

export interface ApiKeyConfig {
  ownerEmail: string;
  planInfo: {
    type: string;
  };
  defaultDocumentAccessType: AccessType;
  isPrivateCommentsEnabled: boolean;
  requireJwtToken: boolean;
  requireAutoOrgUser: boolean;
  /** Words that spell-check takes for right, in any case of letters. */
  spellCheckWords?: string[];
  /** Keyed by model provider. Absent if no key is set. */
  aiModelsConfig?: Record<string, {
    /** The provider's API key, masked. */
    displayText: string;
  }>;
}

export interface ApiKeyToken {
  /** Secret that authenticates requests of the API key. */
  token: string;
  name: string;
  domains: string[];
}

export interface Artifact {
  /** GET /v2/blobs/{artifactId} with the same headers returns the content. */
  artifactId: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
  /** In answers to a user token: a link to the file that an `<img>` can load, for at least 45 minutes. */
  url?: string;
}

/** A file that is stored elsewhere, or one that was uploaded. */
export interface Attachment {
  /** A number for a file that is stored elsewhere; otherwise the id from attachments/create. */
  attachmentId: number | string;
  name?: string;
  bucketPath?: string;
  /** In bytes. */
  size?: number;
  /** For example `image`, `video`, `document`. */
  type?: string;
  url?: string;
  thumbnail?: string;
  thumbnailWithPlayIconUrl?: string;
  mimeType?: string;
  metadata?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface AttachmentsCreateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Name under which the file is saved, without a path. */
  fileName: string;
  /** Media type without parameters, such as `image/png`; `application/octet-stream` if it is unknown. */
  mimeType: string;
  /** In bytes. The service sets the maximum, by default 10 MiB. */
  size: number;
}

export interface AttachmentsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Id from attachments/create. */
  attachmentId: string;
}

export interface AttachmentsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Id from attachments/create. */
  attachmentId: string;
}

export interface AttachmentsListRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Returns only attachments of its comments. */
  annotationId?: string;
  /** Returns only attachments of comments with this id. */
  commentId?: number;
  /** True returns only attachments of comments, false only those that are in no comment yet. */
  attached?: boolean;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export type AuditAction = 'workspace.created' | 'workspace.renamed' | 'workspace.plan_changed' | 'workspace.token_reset' | 'key.created' | 'key.renamed' | 'key.config_changed' | 'token.reset' | 'personal_token.created' | 'personal_token.revoked' | 'oauth.allowed' | 'session.started' | 'session.failed' | 'console_link.created' | 'member.invited' | 'member.invitation_revoked' | 'member.joined' | 'member.role_changed' | 'member.removed' | 'access.granted' | 'access.revoked' | 'user_group.deleted' | 'user_group.member_added' | 'user_group.member_removed' | 'organization.disabled' | 'organization.enabled' | 'organization.deleted' | 'folder.created' | 'folder.access_changed' | 'folder.moved' | 'folder.deleted' | 'document.created' | 'document.access_changed' | 'document.disabled' | 'document.enabled' | 'document.moved' | 'document.migrated' | 'document.deleted' | 'agent.created' | 'agent.updated' | 'agent.version_created' | 'agent.version_restored' | 'agent.deleted' | 'agent_group.created' | 'agent_group.updated' | 'agent_group.deleted' | 'webhook.config_changed' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rotated' | 'domain.added' | 'domain.removed' | 'email.config_changed' | 'notification.config_changed' | 'activity.config_changed' | 'permission_provider.config_changed' | 'memory.config_changed' | 'finding.decided' | 'suggestion.decided' | 'user_data.erasure_started' | 'user_data.exported' | 'report.exported' | 'report.shared' | 'audit.exported' | 'master_key.rotated' | 'signing_key.rotated' | 'backup.written' | 'backup.restored' | 'database.move_started' | 'data.pruned' | 'allowed_host.added' | 'allowed_host.removed';

export interface AuditEntry {
  entryId: string;
  /** Number in the chain of the workspace; null for the first seconds, until the entry is chained. */
  seq: number | null;
  at: number;
  action: AuditAction;
  actor: {
    /** `workspace` and `apiKey` are their tokens, `member` a person in the console or with a personal token, `account` one who signs in, `link` a person with a link, `unknown` one whose credentials were wrong. */
    kind: 'workspace' | 'apiKey' | 'user' | 'member' | 'account' | 'link' | 'operator' | 'unknown';
    /** Id of the workspace, API key, user, member or account; null if unknown or erased. */
    id: string | null;
    name: string | null;
    /** The AI assistant through which the actor acted. */
    assistant: string | null;
  };
  /** Path of the operation, or the command of the operator. */
  via: string;
  /** IP address of the client. */
  address: string | null;
  /** At most 300 characters. */
  userAgent: string | null;
  /** `x-request-id` of the answer. */
  requestId: string | null;
  /** null for acts on the workspace. */
  apiKeyId: string | null;
  target: {
    type: 'service' | 'workspace' | 'apiKey' | 'personalToken' | 'oauthClient' | 'member' | 'invitation' | 'account' | 'user' | 'userGroup' | 'organization' | 'folder' | 'document' | 'annotation' | 'finding' | 'agent' | 'agentGroup' | 'webhookEndpoint' | 'review' | 'execution';
    id: string | null;
    organizationId: string | null;
    documentId: string | null;
  };
  /** What was before, without secrets, if it is small. Absent if it is not known. */
  before?: unknown;
  /** What the act asked for, without secrets, if it is small. */
  after?: unknown;
  /** True if what named a person was erased. The chain holds a digest of it. */
  isErased: boolean;
  /** `hash` of the entry before in the chain. */
  previousHash: string | null;
  hash: string | null;
}

export interface AuthGenerateSignatureRequest {
  permissions: {
    /** User id, assigned by the caller. */
    userId: string;
    resourceId: string;
    type: 'document' | 'folder' | 'organization';
    hasAccess: boolean;
    /** Applies to documents. */
    accessRole?: AccessRole;
    /** Epoch milliseconds. */
    expiresAt?: number;
  }[];
}

export interface AuthGenerateTokenRequest {
  /** User id, assigned by the caller. */
  userId: string;
  /** Properties of the user. */
  userProperties: {
    /** True makes the user an editor of every granted organization. */
    isAdmin?: boolean;
    name: string;
    email: string;
    /** Rejected here: grant the organization as a resource. */
    organizationId?: unknown;
  };
  /** Only pages of this origin may use the token, such as `https://app.example.com`. Requests without an `Origin` header are refused too, except for those that a browser sends to its own origin. */
  origin?: string;
  permissions: {
    resources: ResourceGrant[];
  };
}

export interface AuthPermissionsAddRequest {
  user: {
    /** User id, assigned by the caller. */
    userId: string;
  };
  permissions: {
    resources: ResourceGrant[];
  };
}

export interface AuthPermissionsExplainRequest {
  /** User id, assigned by the caller. */
  userId: string;
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  /** Ask about a folder, or about a document, or about neither. */
  folderId?: string;
  /** A token of the user, whose grants then count too. */
  userToken?: string;
}

export interface AuthPermissionsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  userIds: string[];
  folderIds?: string[];
  documentIds?: string[];
  /** If true, resources that do not exist are reported in the result instead of failing the request. */
  skipResourceExistenceValidation?: boolean;
}

export interface AuthPermissionsRemoveRequest {
  /** User id, assigned by the caller. */
  userId: string;
  permissions: {
    resources: ResourceRef[];
  };
}

export interface AuthTokenGetV1Request {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
  authToken: string;
  /** User id, assigned by the caller. */
  userId: string;
  userProperties: {
    /** Organization id, assigned by the caller. */
    organizationId: string;
    isAdmin?: boolean;
    name?: string;
    email?: string;
  };
}

export type BatchResult = Record<string, ItemResult>;

export interface BrokenLinksOptions {
  /** If true, links to other hosts are not checked. */
  internalOnly?: boolean;
  /** URL globs of addresses that are not checked. */
  skip?: string[];
  /** Maximum number of findings on a page, the gravest first; further ones are only counted. */
  maxFindings?: number;
}

export interface BrowserAgentOptions {
  mode?: 'dom' | 'hybrid' | 'cua';
  /** Maximum number of actions in the browser. */
  maxSteps?: number;
  model?: string;
  systemPrompt?: string;
  useStructuredOutput?: boolean;
  waitUntil?: 'domcontentloaded' | 'load' | 'networkidle2';
  /** In milliseconds. */
  navigationTimeout?: number;
  [key: string]: unknown;
}

export interface BuiltinAgent {
  id: string;
  name: string;
  description?: string;
  enabled: boolean;
  /** `customer` for agents created over the API, `redpen` for built-in agents. */
  managedBy: string;
  metadata: Record<string, unknown>;
  system: true;
  inputRequirements: Record<string, unknown>;
  userContextFields: Record<string, unknown>[];
  executionCount: number;
  /** Epoch milliseconds; null if the agent never ran. */
  lastExecutedAt: number | null;
}

export interface BuiltinAgentDescription {
  id: string;
  name: string;
  description: string;
  category: string;
  /** True for agents that serve other agents; agents/get does not list them. */
  internal: boolean;
  /** False if this API key has disabled the agent. */
  enabled: boolean;
  /** True if a run can start now, as far as this process can tell. */
  available: boolean;
  /** The reason, as a sentence, if it cannot. */
  unavailableBecause?: string;
  /** True if the pages of a run are read in a browser. */
  needsBrowser: boolean;
  /** `optional`: without a language model, the agent reports what it finds by rule. */
  needsModel: 'none' | 'optional' | 'required';
  /** Built-in agents have instructions of their own. */
  needsInstructions: false;
  /** Inputs that a run needs. */
  inputRequirements: Record<string, unknown>;
  /** Variables that the caller of a run must provide. */
  variables: string[];
  gatherStrategies: string[];
  executionStrategy: string;
  /** The service that examines the page by rule. */
  serviceId?: string;
  /** JSON Schema of `strategyOptions[serviceId]` of a run; absent if there are no options. */
  options?: Record<string, unknown>;
  /** What it finds by rule; agents/rules explains them. */
  issueTypes: string[];
  /** True if a model may add issue types of its own. */
  addsOwnIssueTypes: boolean;
  /** `short`: by rule, the agent ends soon after a page is loaded; `long`: it requests many addresses, audits the page, or waits for a model. */
  duration: 'short' | 'long';
}

export interface Cause {
  title: string;
  description: string;
  severity: Severity;
  /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
  issueType: string;
  /** Suggested fix. */
  suggestion: string;
  confidence: number;
  /** The address that the finding is about, such as that of a broken link. */
  url?: string;
  /** What a person decided about it earlier. Rejected and resolved findings are not open. */
  decision?: 'accepted' | 'rejected' | 'resolved';
  /** The person who decided; `system` for an API key that named no user. */
  decidedBy?: Decider;
  /** The reason that the person gave. */
  reason?: string;
  id: string;
  /** Number of places, that is, of findings. */
  places: number;
  /** Number of pages with such a place. */
  pages: number;
  /** Number of places that no person has rejected or resolved. */
  openPlaces: number;
  /** Number of places that the previous run did not have. */
  newPlaces: number;
  /** Number of places of the previous run that are gone. */
  fixedPlaces: number;
  /** `new` if all places are. Absent if there was no previous run. */
  comparison?: 'new' | 'still_there';
  /** The id of its annotation. */
  commentId?: string;
  /** The first places; agents/execution/findings returns all of them. */
  examples: Place[];
}

export interface ChecklistOrigin {
  checklistId: string;
  checklistVersion: number;
  sectionRefs: string[];
  memoryRuleIds: string[];
  deduplicatedFrom?: number;
  [key: string]: unknown;
}

export interface Comment {
  commentId: number;
  /** `text` or `voice`. */
  type?: string;
  /** `added` or `updated`. */
  status?: string;
  /** `agent` if an agent wrote it. */
  sourceType?: string;
  commentText?: string;
  commentHtml?: string;
  from?: User;
  /** The mentioned users. */
  to?: User[];
  /** Reactions by kind, in the order of their first use. Absent without any. */
  reactions?: ReactionSummary[];
  /** Epoch milliseconds. */
  createdAt: number;
  /** ISO 8601. */
  lastUpdated: string;
  isDraft?: boolean;
  isEdited?: boolean;
  /** Epoch milliseconds. */
  editedAt?: number;
  /** True if the text is stored elsewhere. */
  isCommentResolverUsed?: boolean;
  /** False if there is no text. */
  isCommentTextAvailable?: boolean;
  replaceContentText?: string;
  replaceContentHtml?: string;
  /** Arbitrary data of the caller. */
  context?: Record<string, unknown>;
  attachments?: CommentAttachment[];
  /** The mentioned users, with the text that mentions them. */
  taggedUserContacts?: Mention[];
  /** The agent that wrote it, with its reason. */
  agent?: AnnotationAgent;
  /** The AI assistant that wrote or edited it for the person in `from`. Set by the service alone. */
  assistant?: {
    name: string;
  };
  [key: string]: unknown;
}

export interface CommentAttachment {
  /** A number for a file that is stored elsewhere; otherwise the id from attachments/create. */
  attachmentId: number | string;
  name?: string;
  bucketPath?: string;
  /** In bytes. */
  size?: number;
  /** For example `image`, `video`, `document`. */
  type?: string;
  url?: string;
  thumbnail?: string;
  thumbnailWithPlayIconUrl?: string;
  mimeType?: string;
  metadata?: Record<string, unknown>;
  /** Of a file that the service stores. */
  fileName?: string;
  /** Of a picture that the service stores, in pixels. */
  width?: number;
  height?: number;
  /** End of `url` in epoch milliseconds, for a file that the service stores. */
  expiresAt?: number;
  [key: string]: unknown;
}

export interface CommentChanges {
  /** Plain text. `{{userId}}` stands for a mentioned user. */
  commentText?: string;
  /** The comment as HTML. Scripts and anything that loads resources are removed before it is stored. */
  commentHtml?: string;
  replaceContentText?: string;
  replaceContentHtml?: string;
  /** Arbitrary data of the caller, returned unchanged. */
  context?: Record<string, unknown>;
  /** True if the text is stored elsewhere, and clients fetch it from there. */
  isCommentResolverUsed?: boolean;
  /** False for a comment with attachments only. Defaults to whether there is a text. */
  isCommentTextAvailable?: boolean;
  /** Files that are stored elsewhere, and files that were uploaded after attachments/create. */
  attachments?: Attachment[];
  /** Notifies other users. Always true for requests with a user token. */
  triggerNotification?: boolean;
  /** The author. Required unless the caller is a user. */
  from?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** The mentioned users. */
  taggedUserContacts?: {
    text: string;
    /** User id, assigned by the caller. */
    userId: string;
    contact: {
      /** User id, assigned by the caller. */
      userId: string;
      name: string;
      email: string;
      [key: string]: unknown;
    };
    [key: string]: unknown;
  }[];
}

export interface CommentResult {
  success: boolean;
  id: number;
  message: string;
}

export interface CommentannotationsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Creates the organization if it does not exist. */
  createOrganization?: boolean;
  /** Creates the document if it does not exist. */
  createDocument?: boolean;
  /** Rejects authors whose stored grants do not allow them to write on the document. */
  verifyUserPermissions?: boolean;
  /** Additional fields of each entry are stored with the annotation. */
  commentAnnotations: {
    /** Generated by default. */
    annotationId?: string;
    location?: Location;
    targetElement?: TargetElement;
    /** `OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name, type and colors. */
    status?: NewStatus;
    assignedTo?: Person;
    /** Arbitrary data of the caller, returned unchanged. */
    context?: {
      /** Only users who have a matching value in one of these fields see the annotation. */
      access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
      [key: string]: unknown;
    };
    /** Epoch milliseconds. */
    createdAt?: number;
    /** Epoch milliseconds. */
    lastUpdated?: number;
    priority?: Priority;
    /** Defaults to `comment`. */
    type?: 'comment' | 'suggestion';
    suggestion?: NewSuggestion;
    commentType?: 'manual' | 'chart' | 'suggestion';
    visibility?: Visibility;
    /** Same as `visibility`, under its name in records. */
    visibilityConfig?: Visibility;
    pageInfo?: PageInfo;
    isPageAnnotation?: boolean;
    positionX?: number | null;
    positionY?: number | null;
    screenWidth?: number | null;
    screenHeight?: number | null;
    screenScrollHeight?: number | null;
    screenScrollTop?: number | null;
    metadata?: Record<string, unknown>;
    /** The author of the first comment is the author of the annotation. */
    commentData: NewComment[];
    [key: string]: unknown;
  }[];
}

export interface CommentannotationsCommentsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  commentData: NewComment[];
  /** Rejects comments of authors who may not write on the document. */
  verifyUserPermissions?: boolean;
  /** Accepted without effect: the annotation must exist. */
  createOrganization?: boolean;
  /** Accepted without effect: the annotation must exist. */
  createDocument?: boolean;
}

export interface CommentannotationsCommentsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Defaults to all comments. */
  commentIds?: number[];
}

export interface CommentannotationsCommentsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Returns these entries in this order, with `null` for those that do not exist. */
  commentIds?: number[];
  /** Returns only comments of these authors. */
  userIds?: string[];
}

export interface CommentannotationsCommentsGetV1Request {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Returns these entries in this order, with `null` for those that do not exist. */
  commentIds?: number[];
  /** Returns only comments of these authors. */
  userIds?: string[];
}

export interface CommentannotationsCommentsUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  commentIds: number[];
  /** Fields that are not sent keep their values. */
  updatedData: CommentChanges;
}

export interface CommentannotationsCountGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  documentIds: string[];
  /** User whose annotations are counted. Required unless the caller is a user. */
  userId?: string;
  /** Counts also annotations that the user may not see, as an API key may. */
  allAnnotations?: true;
  statusIds?: string[];
  /** URL of the page that an agent reviewed or a person commented on. Its fragment is ignored, and so are the case of the host, a default port and a missing slash after the host. */
  pageUrl?: string;
  /** Alternative to pageUrl. */
  pageUrls?: string[];
  /** One or several. Leaves out all but suggestions. */
  suggestionStatus?: 'pending' | 'accepted' | 'rejected' | ('pending' | 'accepted' | 'rejected')[];
  /** One or several. Leaves out all but what agents wrote. */
  severity?: 'critical' | 'high' | 'medium' | 'low' | 'info' | ('critical' | 'high' | 'medium' | 'low' | 'info')[];
  /** One or several kinds of findings. Leaves out all but what agents wrote. */
  issueType?: string | string[];
  /** Beginnings of words, which must all be in one comment, or in the suggestion and the title of its finding. Case and punctuation are ignored. The first 20,000 characters of a text are searched. */
  text?: string;
}

export interface CommentannotationsDeleteRequest {
  /** Omit it for documents that were created without an organization. */
  organizationId?: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  annotationIds?: string[];
  locationIds?: (string | number)[];
  /** Ids of the annotations' authors. */
  userIds?: string[];
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Deletes only suggestions of agents. */
  agentSuggestions?: boolean;
  /** Deletes only annotations that agents created on these pages. URL fragments are ignored. */
  agentUrls?: string[];
}

export interface CommentannotationsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  /** Alternative to documentId. Without either, annotations on all documents are returned. */
  documentIds?: string[];
  /** Returns only annotations on documents in this folder. */
  folderId?: string;
  /** Returns these entries in this order, with `null` for those that do not exist. */
  annotationIds?: string[];
  locationIds?: (string | number)[];
  /** Ids of the annotations' authors. */
  userIds?: string[];
  mentionedUserIds?: string[];
  /** User id, assigned by the caller. */
  resolvedBy?: string;
  statusIds?: string[];
  /** Agent id; built-in agents have readable ids. */
  agentId?: string;
  /** Id of one run of an agent. */
  executionId?: string;
  agentType?: 'built-in' | 'custom' | 'external';
  agentSource?: 'platform' | 'external';
  agentSuggestions?: true;
  agentComments?: true;
  /** URL of the page that an agent reviewed or a person commented on. Its fragment is ignored, and so are the case of the host, a default port and a missing slash after the host. */
  pageUrl?: string;
  /** Alternative to pageUrl. */
  pageUrls?: string[];
  /** One or several. Leaves out all but suggestions. */
  suggestionStatus?: 'pending' | 'accepted' | 'rejected' | ('pending' | 'accepted' | 'rejected')[];
  /** One or several. Leaves out all but what agents wrote. */
  severity?: 'critical' | 'high' | 'medium' | 'low' | 'info' | ('critical' | 'high' | 'medium' | 'low' | 'info')[];
  /** One or several kinds of findings. Leaves out all but what agents wrote. */
  issueType?: string | string[];
  /** Beginnings of words, which must all be in one comment, or in the suggestion and the title of its finding. Case and punctuation are ignored. The first 20,000 characters of a text are searched. */
  text?: string;
  /** Epoch milliseconds. */
  updatedAfter?: number;
  /** Epoch milliseconds. */
  updatedBefore?: number;
  /** Epoch milliseconds. */
  createdAfter?: number;
  /** Epoch milliseconds. */
  createdBefore?: number;
  /** Order by last update. */
  order?: 'asc' | 'desc';
  /** Groups the annotations by documentId: `shape` is then `byDocument` or `anchorsByDocument`. */
  groupByDocumentId?: boolean;
  /** `anchors` returns only what pins need, without comments: `shape` is then `anchors` or `anchorsByDocument`. */
  fields?: 'all' | 'anchors';
  /** Adds `isUnread` for this user. For API keys: with a user token it is that of its user in any case. */
  unreadFor?: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface CommentannotationsReactionsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Without it, the reaction is to the annotation itself. */
  commentId?: number;
  /** An emoji, or a name that the caller gives to a reaction, such as `agree`. */
  reactionId: string;
  /** The user who reacts. Required unless the caller is a user or `userId` is sent. */
  from?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Id of the user who reacts, instead of `from`. */
  userId?: string;
}

export interface CommentannotationsReactionsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Without it, the reaction is to the annotation itself. */
  commentId?: number;
  /** An emoji, or a name that the caller gives to a reaction, such as `agree`. */
  reactionId: string;
  /** The user who reacts. Required unless the caller is a user or `userId` is sent. */
  from?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Id of the user who reacts, instead of `from`. */
  userId?: string;
}

export interface CommentannotationsReactionsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Comment annotation id. */
  annotationId: string;
  /** Returns only reactions to this comment. */
  commentId?: number;
  /** An emoji, or a name that the caller gives to a reaction, such as `agree`. */
  reactionId?: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface CommentannotationsUnreadClearRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** The user who reads. Required for API keys. Users can only name themselves; for members of a workspace, it defaults to themselves. */
  userId?: string;
}

export interface CommentannotationsUnreadGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The user who reads. Required for API keys. Users can only name themselves; for members of a workspace, it defaults to themselves. */
  userId?: string;
  /** Counts only on these documents. Defaults to all documents of the organization. */
  documentIds?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface CommentannotationsUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  annotationIds?: string[];
  locationIds?: (string | number)[];
  /** Ids of the annotations' authors. */
  userIds?: string[];
  /** Additional fields are stored with the annotations. */
  updatedData?: {
    location?: Location | null;
    targetElement?: TargetElement | null;
    /** The new author. */
    from?: Person;
    /** `OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name and type. */
    status?: NewStatus;
    statusUpdatedByUserId?: string | null;
    /** Applies only to a terminal status; any other status clears it. */
    resolvedByUserId?: string | null;
    assignedTo?: Person | null;
    context?: {
      /** Only users who have a matching value in one of these fields see the annotation. */
      access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
      [key: string]: unknown;
    } | null;
    priority?: Priority | null;
    suggestion?: SuggestionChange;
    visibility?: Visibility;
    /** Same as `visibility`, under its name in records. */
    visibilityConfig?: Visibility;
    pageInfo?: PageInfo;
    isPageAnnotation?: boolean;
    positionX?: number | null;
    positionY?: number | null;
    screenWidth?: number | null;
    screenHeight?: number | null;
    screenScrollHeight?: number | null;
    screenScrollTop?: number | null;
    metadata?: Record<string, unknown>;
    /** Marks the annotations as read for these users. */
    viewedByUserIds?: string[];
    /** Marks the annotations as unread for these users. */
    unviewedByUserIds?: string[];
    [key: string]: unknown;
  };
  /** Replaces each old user, as author and in all other roles, with the new user. */
  updateUsers?: {
    oldUser: Person;
    newUser: Person;
  }[];
}

export interface Comparison {
  /** The run that this run is compared with. */
  previousExecutionId: string;
  /** Number of findings that the previous run did not have. */
  new: number;
  /** Number of findings that the previous run had too. */
  stillThere: number;
  /** Number of findings of the previous run that are gone, on pages that both runs reviewed. */
  fixed: number;
  /** Up to 50 of the fixed findings. */
  fixedFindings: FixedFinding[];
}

export interface ConsentRequest {
  client: OAuthClient;
  /** The host that gets the answer. */
  redirectHost: string;
  /** True if the answer goes to a program on the computer of the person. Any program there could pretend to be the client. */
  isLoopback: boolean;
  /** The scopes that the client asks for. Without any, `read`, `comment` and `review`. */
  scopes: ('read' | 'comment' | 'decide' | 'review')[];
  /** The scopes that may be given for the resource. */
  allowedScopes: ('read' | 'comment' | 'decide' | 'review')[];
  /** Present if the request cannot be allowed, because the client has made a mistake. */
  refusal?: {
    /** The code of RFC 6749, section 4.1.2.1, or RFC 8707, section 2. */
    error: string;
    message: string;
    /** The address that tells the client about it. */
    redirectUrl: string;
  };
}

export interface ConsoleSession {
  account: Account;
  /** Those of which the account is a member, the oldest first. */
  workspaces: MemberWorkspace[];
  session: {
    sessionId: string;
    createdAt: number;
    /** When it ends unless it is used again. */
    expiresAt: number;
    isCurrent: boolean;
  };
  service: {
    version: string;
    /** True if the service sends mail, so that links can be sent. */
    mail: boolean;
    publicUrl?: string;
  };
}

export interface Contact {
  userId: string;
  name?: string;
  email?: string;
  initial?: string;
  organizationId: string;
  /** Role in the requested place; absent if several places are requested. */
  accessRole?: 'viewer' | 'editor';
  [key: string]: unknown;
}

export interface CountsBySeverity {
  critical: number;
  high: number;
  medium: number;
  low: number;
  info: number;
}

export interface CrdtAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Type of the content: `text`, `map` and `array` as in JSON, `xml` as in rich-text editors. */
  type: 'text' | 'map' | 'array' | 'xml';
  /** A string for `text` and `xml`, an object for `map`, a list for `array`. */
  data: string | Record<string, unknown> | unknown[];
  /** Name under which the editor stores its content; TipTap editors use `default`. */
  contentKey?: string;
}

export interface CrdtDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Defaults to all editors of the document. */
  editorIds?: string[];
}

export interface CrdtGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Returns only this editor. Defaults to all editors of the document. */
  editorId?: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface CrdtSnapshotsCreateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  name?: string;
  /** Author of the snapshot, shown in the list of snapshots. */
  createdBy?: string;
}

export interface CrdtSnapshotsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Snapshot id, as returned by its creation. */
  snapshotId: string;
}

export interface CrdtSnapshotsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Snapshot id, as returned by its creation. */
  snapshotId: string;
}

export interface CrdtSnapshotsListRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface CrdtSnapshotsRestoreRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Snapshot id, as returned by its creation. */
  snapshotId: string;
}

export interface CrdtUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Editor id within the document, assigned by the caller. */
  editorId: string;
  /** Type of the content: `text`, `map` and `array` as in JSON, `xml` as in rich-text editors. */
  type: 'text' | 'map' | 'array' | 'xml';
  /** A string for `text` and `xml`, an object for `map`, a list for `array`. */
  data: string | Record<string, unknown> | unknown[];
  /** Name under which the editor stores its content; TipTap editors use `default`. */
  contentKey?: string;
}

export interface CrossPage {
  enabled: boolean;
  /** Property that must be the same on all pages. */
  targetProperty: string;
  /** `auto`: pages of the site that can be reached from the URL; `manual`: those in `pages`. */
  pageDiscovery: 'auto' | 'manual';
  /** Pages to compare if pageDiscovery is `manual`; resolved against the URL of the run. */
  pages?: string[];
  /** Knowledge source that the pages are compared with, in addition to each other. */
  sourceOfTruthKnowledgeSourceId?: string;
  [key: string]: unknown;
}

export interface CustomAgent {
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  metadata: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  id: string;
  name: string;
  description?: string;
  enabled: boolean;
  /** `customer` for agents created over the API, `redpen` for built-in agents. */
  managedBy: string;
  version: number;
  executionCount: number;
  /** Epoch milliseconds; null if the agent never ran. */
  lastExecutedAt: number | null;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
  [key: string]: unknown;
}

export interface Decider {
  userId: string;
  name: string;
  /** Name of the AI assistant that decided for the person. */
  assistant?: string;
}

export interface Delivery {
  webhookId: string;
  endpointId: string;
  eventType: string;
  status: DeliveryStatus;
  /** Time of the event, in epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; null if no further attempt is planned. */
  nextAttemptAt: number | null;
  /** Epoch milliseconds; null while the delivery is waiting. */
  finishedAt: number | null;
  /** Oldest first. If there are very many, only the latest. */
  attempts: DeliveryAttempt[];
  /** The message before data protection, encryption and encoding. Present with includePayload. */
  payload?: Record<string, unknown>;
}

export interface DeliveryAttempt {
  /** Epoch milliseconds. */
  at: number;
  /** `refused`: a response other than 2xx; `unreachable`: no response, including addresses that are blocked as internal. */
  outcome: 'delivered' | 'refused' | 'timeout' | 'unreachable';
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  latencyMs: number;
  /** Beginning of the response body. */
  response: string | null;
  /** Reason of the failure. */
  error: string | null;
}

/** `waiting` for the first or next attempt; `failed`: every attempt failed; `held`: the endpoint was disabled. */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'held';

export interface Document {
  /** The documentId. */
  id: string;
  documentName: string;
  disabled: boolean;
  accessType: AccessType;
  folderId?: string;
  [key: string]: unknown;
}

export type DocumentFilter = {
  /** A built-in field of the document record, or a metadata field. */
  key: string;
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=' | 'array-contains';
  value: string | number | boolean | null;
} | {
  /** A built-in field of the document record, or a metadata field. */
  key: string;
  operator: 'in' | 'not-in' | 'array-contains-any';
  value: unknown[];
};

export interface Editor {
  /** The editorId. */
  id: string;
  /** A string, an object or a list, depending on the type. If live clients created the editor, the type is inferred from its content. */
  data: unknown;
  lastUpdate: string;
  /** A userId; null if a backend wrote last. */
  lastUpdatedBy: string | null;
  /** Id of the connection that wrote last. */
  sessionId: string | null;
}

export interface EmailConfig {
  useEmailService: boolean;
  emailServiceConfig: {
    type: 'default' | 'sendgrid' | 'custom';
    /** `__redacted__` if one is stored. */
    apiKey: string;
    fromEmail: string;
    fromCompany: string;
    commentTemplateId: string;
    tagTemplateId: string;
    triggers?: Record<string, boolean>;
  };
}

export interface Execution {
  id: string;
  agentId: string;
  agentName: string;
  agentVersion: number;
  metadata: {
    organizationId: string;
    documentId: string;
  };
  config: ExecutionConfig;
  status: ExecutionStatus;
  /** Present once the run has ended. */
  verdict?: Verdict;
  /** Present while the execution waits to start: its position in the queue, from 1. API keys take turns. Positions above 1,001 are reported as 1,001. */
  queuePosition?: number;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds; null while the execution is running. */
  completedAt: number | null;
  /** Null while the execution is running. */
  durationMs: number | null;
  error?: ExecutionError;
  trigger: 'standalone' | 'workflow';
  workflowExecutionId: string | null;
  previousExecutionId: string | null;
  ranBy: {
    userId: string;
    name: string;
    email: string;
  } | null;
  resultsSummary: ResultsSummary;
  /** Progress of a running execution. */
  progress?: {
    urlsPlanned: number;
    urlsProcessed: number;
    findings: number;
  };
  /** What the findings come from, the gravest first, once the run has ended. agents/execution/causes returns those after the first. */
  causes?: Cause[];
  /** Number of causes. */
  causesTotal?: number;
  /** Comparison with the previous run; absent if there was none. */
  comparison?: Comparison;
  crawlerResults?: Record<string, unknown>;
  /** Output of the agent's response adapter. */
  response?: Record<string, unknown>;
  llmModel?: string;
  tokenUsage: TokenUsage;
}

export interface ExecutionConfig {
  seedUrl: string;
  crossPageExecute: boolean;
  maxUrlsToProcess: number;
  deviceType: 'mobile' | 'desktop';
  /** Credentials for the reviewed pages, by name. */
  auth?: PageAuthSummary;
}

export interface ExecutionError {
  code: string;
  message: string;
  retryable: boolean;
  /** Epoch milliseconds. */
  occurredAt: number;
}

export type ExecutionStatus = 'running' | 'passed' | 'failed' | 'partial' | 'error' | 'skipped';

export interface Finding {
  /** `finding-1` and so on, numbered within a page. */
  id: string;
  title: string;
  description: string;
  severity: Severity;
  /** The text that the finding is about; empty if it is not about text. */
  targetText: string;
  /** Number of the occurrence of targetText on the page, from 1. */
  occurrence: number;
  /** Present if a model quoted words that the page's text does not have. Words in pictures cannot be verified. */
  quoteFound?: false;
  /** Text around targetText on the page, if the page's text was gathered. */
  context?: {
    before: string;
    after: string;
  };
  /** URL of the page. */
  sourceUrl: string;
  /** Suggested fix. */
  suggestion: string;
  /** CSS selector of the element; empty if there is none. */
  htmlSelector: string;
  targetElementXpath: string;
  htmlSnippet?: string;
  isPageLevel: boolean;
  /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
  issueType: string;
  findingType: 'text' | 'pin' | 'page';
  confidence: number;
  /** `knowledge` if the finding is based on the memory. */
  source: 'instructions' | 'knowledge';
  /** Description of the memory entries that the finding is based on. */
  knowledgeSection?: string;
  /** Memory entries that the finding is based on. */
  groundedBy?: Grounding[];
  /** Present for a severe finding that would be held back if it were less severe. */
  precedent?: Precedent;
  /** The address that the finding is about, such as that of a broken link. */
  url?: string;
  statusCode?: number;
  errorType?: 'http_error' | 'timeout' | 'network_error' | 'auth_required' | 'unknown';
  /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
  position?: Position;
  /** True if the position is outside of the captured part of the page. */
  outsideScreenshot?: boolean;
  /** Stored file that shows the finding, such as a screenshot. */
  artifactId?: string;
  /** In answers to a user token: a link to that file, valid for at least 45 minutes. */
  artifactUrl?: string;
  /** The id of the annotation that this or an earlier run created for the finding. */
  commentId?: string;
  /** `still_there` if the previous run found it on this page too; absent if there was no previous run. */
  comparison?: 'new' | 'still_there';
  /** Findings of a run with the same id have one cause, such as the same broken link on many pages. */
  causeId?: string;
  /** What a person decided about it earlier. Rejected and resolved findings are not open. */
  decision?: 'accepted' | 'rejected' | 'resolved';
  /** The person who decided; `system` for an API key that named no user. */
  decidedBy?: Decider;
  /** The reason that the person gave. */
  reason?: string;
  /** Time of the decision, in epoch milliseconds. */
  decidedAt?: number;
  /** The same in all runs of the agent on the page, for the same fault, even if its words change. */
  fingerprint?: string;
}

export interface FindingDecision {
  findingIds: string[];
  /** `undecided` takes a decision back. */
  decision: 'undecided' | 'accepted' | 'rejected' | 'resolved';
  /** Why, in words of the person. */
  reason?: string;
  /** The person who decides. A user token stands for its own user. */
  actionUser?: {
    userId: string;
    name?: string;
    email?: string;
  };
}

export interface FindingPicture {
  mimeType: 'image/webp';
  /** The picture, of at most 150,000 bytes. */
  base64: string;
  /** In pixels of the picture, at most 1,024. */
  width: number;
  /** In pixels of the picture, at most 1,024. */
  height: number;
  /** Pixels of the picture for each CSS pixel of the page. */
  scale: number;
  /** The part of the page that is shown, in CSS pixels from the top left of the document. */
  area: Rectangle;
  /** The element of the finding, as far as it is shown, in pixels of the picture. Absent if the finding is about the whole page, has no position, or is outside of the captured part; the top of the page is shown then. */
  box?: Rectangle;
}

export interface FindingRecord {
  title: string;
  description: string;
  severity: Severity;
  /** The text that the finding is about; empty if it is not about text. */
  targetText: string;
  /** Number of the occurrence of targetText on the page, from 1. */
  occurrence: number;
  /** Present if a model quoted words that the page's text does not have. Words in pictures cannot be verified. */
  quoteFound?: false;
  /** Text around targetText on the page, if the page's text was gathered. */
  context?: {
    before: string;
    after: string;
  };
  /** URL of the page. */
  sourceUrl: string;
  /** Suggested fix. */
  suggestion: string;
  /** CSS selector of the element; empty if there is none. */
  htmlSelector: string;
  targetElementXpath: string;
  htmlSnippet?: string;
  isPageLevel: boolean;
  /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
  issueType: string;
  findingType: 'text' | 'pin' | 'page';
  confidence: number;
  /** `knowledge` if the finding is based on the memory. */
  source: 'instructions' | 'knowledge';
  /** Description of the memory entries that the finding is based on. */
  knowledgeSection?: string;
  /** Memory entries that the finding is based on. */
  groundedBy?: Grounding[];
  /** Present for a severe finding that would be held back if it were less severe. */
  precedent?: Precedent;
  /** The address that the finding is about, such as that of a broken link. */
  url?: string;
  statusCode?: number;
  errorType?: 'http_error' | 'timeout' | 'network_error' | 'auth_required' | 'unknown';
  /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
  position?: Position;
  /** True if the position is outside of the captured part of the page. */
  outsideScreenshot?: boolean;
  /** Stored file that shows the finding, such as a screenshot. */
  artifactId?: string;
  /** In answers to a user token: a link to that file, valid for at least 45 minutes. */
  artifactUrl?: string;
  /** Findings of a run with the same id have one cause, such as the same broken link on many pages. */
  causeId?: string;
  /** What a person decided about it earlier. Rejected and resolved findings are not open. */
  decision?: 'accepted' | 'rejected' | 'resolved';
  /** The person who decided; `system` for an API key that named no user. */
  decidedBy?: Decider;
  /** The reason that the person gave. */
  reason?: string;
  /** Time of the decision, in epoch milliseconds. */
  decidedAt?: number;
  /** The id of the finding over all runs. */
  id: string;
  /** The same in all runs of the agent on the page, with and without documents. */
  fingerprint: string;
  /** Absent, like documentId, for runs without a document. */
  organizationId?: string;
  documentId?: string;
  agentId: string;
  agentName: string;
  /** Address of the page, without fragment. */
  pageUrl: string;
  /** The state in the last run of the agent that reviewed the page. */
  state: 'new' | 'still_there' | 'fixed';
  /** The last run that saw it. The other fields are as this run saw it. */
  executionId: string;
  firstExecutionId: string;
  /** Epoch milliseconds. */
  firstSeenAt: number;
  /** Epoch milliseconds. */
  lastSeenAt: number;
  /** Number of runs that saw it. */
  seenCount: number;
  /** When a run no longer found it, in epoch milliseconds. */
  fixedAt?: number;
  /** The run that no longer found it. */
  fixedExecutionId?: string;
  /** The suggestion on the document that stands for it. */
  annotationId?: string;
}

export interface FixedFinding {
  title: string;
  issueType: string;
  severity: Severity;
  sourceUrl: string;
  url?: string;
}

export interface Folder {
  folderId: string;
  folderName: string;
  organizationId: string;
  /** Parent folder; `root` is the top level. */
  parentFolderId: string;
  apiKey: string;
  createdAt: number;
  lastUpdated: number;
  /** Folders from `root` down to the folder's parent. */
  ancestors: string[];
  /** Access type of documents in the folder that have none of their own. */
  accessType: AccessType;
  inheritAccessFromParent: boolean;
  subFolders?: Folder[];
  [key: string]: unknown;
}

export interface Grounding {
  kind: 'rule' | 'chunk' | 'pattern' | 'judgment';
  /** Id of the rule, chunk or pattern, or the recordId of a judgment. */
  id: string;
  /** Knowledge source of the rule or chunk. */
  sourceId?: string;
  /** File and heading of the entry, or its kind. */
  section: string;
  /** Beginning of the rule or chunk. */
  quote?: string;
}

export interface HeldBackFinding {
  /** `finding-1` and so on, numbered within a page. */
  id: string;
  title: string;
  description: string;
  severity: Severity;
  /** Lower-case, hyphenated tag, such as `broken-link` or `spelling`. */
  issueType: string;
  /** The text that the finding is about; empty if it is not about text. */
  targetText: string;
  /** URL of the page. */
  sourceUrl: string;
  /** The address that the finding is about, such as that of a broken link. */
  url?: string;
  precedent: {
    /** Scope of the decisions. */
    scope: 'document' | 'organization' | 'apiKey';
    /** Number of similar findings that were rejected. */
    rejected: number;
    approved: number;
    /** The counts as a sentence. */
    note: string;
    judgments: {
      /** The id of the judgment, as memory/judgments/delete takes it. */
      recordId: string;
      decision: string;
      annotationId: string | null;
      /** Cosine similarity between the reviewed item and the finding. */
      similarity: number;
      /** Epoch milliseconds. */
      createdAt: number;
      /** Author of the decision; null if the judgment has been revoked. */
      reviewer: {
        userId: string;
        name: string;
        [key: string]: unknown;
      } | null;
      reasoning?: string;
    }[];
  };
}

export interface Invitation {
  invitationId: string;
  email: string;
  name: string | null;
  /** The role in the workspace. */
  role: 'viewer' | 'editor' | 'owner';
  /** Name of the member who invited; null for the workspace itself. */
  invitedBy: string | null;
  createdAt: number;
  expiresAt: number;
}

export interface ItemResult {
  /** True if the item was processed. */
  success: boolean;
  id?: string;
  /** Result for the item, as a sentence. */
  message: string;
  /** Machine-readable error code: `already-exists`, `not-found`. */
  code?: string;
}

export interface Judgment {
  recordId: string;
  reasoning: string;
  /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
  decision: string;
  /** How certain the reviewer was, from 0 to 1; 1 if unknown. */
  confidence: number;
  /** User who decided. */
  actionUser: {
    userId: string;
    name: string;
    [key: string]: unknown;
  };
  /** Epoch milliseconds. */
  createdAt: number;
  /** The narrowest scope of the judgment. */
  scope: 'document' | 'organization' | 'apiKey';
  /** The agent that decided; null if a user decided. `isAssistant` is true for an AI assistant that acted for `actionUser`; then `agentName` is its name. */
  agent: Record<string, unknown> | null;
  judgeType: 'human' | 'agent';
  contentType: string | null;
  /** The reviewed content, if known. Long content is truncated. */
  content: string | null;
  organizationId: string | null;
  documentId: string | null;
  annotationId: string | null;
  /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
  origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
}

export interface LiveState {
  liveStateDataId: string;
  data: Record<string, unknown>;
  /** Epoch milliseconds. */
  lastUpdated: number;
}

export interface LivestateBroadcastRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Live state id within the document, assigned by the caller. */
  liveStateDataId: string;
  /** At most 65,536 bytes as JSON, after merging. */
  data: Record<string, unknown>;
  /** If true, merges the data deeply into the state instead of replacing it. */
  merge?: boolean;
}

export interface LivestateGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Returns only the entries with these ids. */
  liveStateDataIds?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

/** Location within the document, assigned by the caller. */
export interface Location {
  id: string;
  locationName?: string;
  [key: string]: unknown;
}

export interface LogEvent {
  /** Epoch milliseconds. */
  at: number;
  level: 'info' | 'warn' | 'error';
  kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
  message: string;
  data: Record<string, unknown>;
  id: string;
}

export interface LogLine {
  /** Epoch milliseconds. */
  at: number;
  level: 'info' | 'warn' | 'error';
  kind: 'note' | 'phase' | 'page' | 'fetch' | 'model' | 'tool' | 'step' | 'result';
  message: string;
  data: Record<string, unknown>;
}

export interface McpServer {
  id: string;
  /** Internal, loopback and link-local hosts are rejected. */
  url: string;
  name?: string;
  description?: string;
  transport?: 'http';
  auth?: RemoteCredentials;
  /** Only these tools are offered to the model. */
  allowedTools?: string[];
  /** Time limit of a request. */
  timeoutMs?: number;
}

export interface MemberWorkspace {
  workspaceId: string;
  name: string;
  /** The role in the workspace. */
  role: 'viewer' | 'editor' | 'owner';
  /** The oldest first. */
  apiKeys: {
    apiKeyId: string;
    name: string;
  }[];
}

export interface MembersInvitationsListRequest {
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface MembersInvitationsRevokeRequest {
  invitationId: string;
}

export interface MembersInviteRequest {
  email: string;
  /** The role in the workspace. */
  role: 'viewer' | 'editor' | 'owner';
  /** The name of a new account. Defaults to the address. */
  name?: string;
}

export interface MembersListRequest {
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface MembersRemoveRequest {
  memberId: string;
}

export interface MembersUpdateRequest {
  memberId: string;
  /** The role in the workspace. */
  role: 'viewer' | 'editor' | 'owner';
}

export interface MemoryAlert {
  id: string;
  apiKey: string;
  alertType: 'anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift';
  severity: 'high' | 'medium' | 'low';
  title: string;
  description: string;
  evidence: {
    metric: 'approvalRate' | 'volume' | 'staleReferences' | 'enforcementRate' | 'violationRate';
    baseline: number;
    current: number;
    window: string;
    sourceRecordIds: string[];
    knowledgeSourceId: string | null;
    /** The pattern that the alert is about. */
    ruleRef: string | null;
  };
  suggestedAction?: string;
  actionUrl: string | null;
  status: 'active';
  /** Epoch milliseconds. */
  createdAt: number;
  dismissedAt: null;
  dismissedBy: null;
  dedupKey?: string;
}

export interface MemoryAlertConfig {
  enabled: boolean;
  maxAlertsPerWeek?: number;
  /** Alert types that are raised. All if absent. */
  enabledAlertTypes?: ('anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift')[];
  /** Alerts of a lower severity are not raised. */
  severityThreshold?: 'high' | 'medium' | 'low';
  [key: string]: unknown;
}

export interface MemoryAlertsActionRequest {
  /** Alert id, as returned by memory/alerts/list. */
  alertId: string;
}

export interface MemoryAlertsActionResult {
  success: true;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export type MemoryAlertsConfigGetRequest = Record<string, unknown>;

export type MemoryAlertsConfigGetResult = MemoryAlertConfig & Warnings;

export interface MemoryAlertsConfigUpdateRequest {
  config: {
    /** At most 3 are raised in seven days, however many are asked for. */
    maxAlertsPerWeek?: number;
    /** Alert types that are raised. All if absent. */
    enabledAlertTypes?: ('anomaly' | 'configuration_drift' | 'emerging_standard' | 'standards_drift')[];
    /** Alerts of a lower severity are not raised. */
    severityThreshold?: 'high' | 'medium' | 'low';
    enabled?: boolean;
    [key: string]: unknown;
  };
}

export interface MemoryAlertsConfigUpdateResult {
  success: true;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryAlertsDismissRequest {
  /** Alert id, as returned by memory/alerts/list. */
  alertId: string;
  /** User who dismisses the alert. */
  user?: {
    /** User id, assigned by the caller. */
    uid: string;
  };
}

export interface MemoryAlertsDismissResult {
  success: true;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export type MemoryAlertsListRequest = Record<string, unknown>;

export type MemoryAlertsListResult = MemoryAlert[];

export interface MemoryAskRequest {
  question: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Alias of organizationId. */
  orgId?: string;
  /** Alias of documentId. */
  docId?: string;
  filters?: MemoryFilters;
  /** Number of days up to now: returns only judgments of that period. Takes precedence over filters.dateRange. */
  recencyDays?: number;
}

export interface MemoryAskResult {
  answer: string;
  /** Judgments by their id, files by their source id. */
  citations: {
    recordId: string;
    snippet: string;
  }[];
  /** From 0 to 1. */
  confidence: number;
  /** Number of records that the model received. */
  recordsSearched: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryConsolidateRequest {
  /** Also runs if no judgment has changed since the last run. */
  force?: boolean;
}

export interface MemoryConsolidateResult {
  /** The work is done in the background. */
  started?: true;
  /** Number of patterns in the scopes whose judgments changed. */
  patterns?: number;
  /** Number of users with a profile. */
  profiles?: number;
  /** Number of alerts that were raised. */
  alerts?: number;
  /** Number of judgments that were read; 0 if nothing changed. */
  judgmentsRead?: number;
  /** Epoch milliseconds. */
  startedAt?: number;
  completedAt?: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryFilters {
  decision?: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
  judgeType?: 'human' | 'agent';
  /** Type of the reviewed content. */
  contentType?: string;
  /** User who decided. */
  reviewerId?: string;
  /** Returns only judgments of this thread. Requires organizationId. */
  annotationId?: string;
  /** Time of the decision. Both ends are inclusive. */
  dateRange?: {
    /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
    start?: number | string;
    /** ISO 8601 or epoch milliseconds. A time without a zone is in UTC. */
    end?: number | string;
  };
  excludeDocumentIds?: string[];
}

export interface MemoryJudgmentsAddRequest {
  judgments: NewJudgment[];
}

export interface MemoryJudgmentsAddResult {
  added: number;
  replaced: number;
  failed: {
    index: number;
    message: string;
  }[];
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryJudgmentsBackfillRequest {
  limit?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface MemoryJudgmentsBackfillResult {
  /** Number of annotations that were scanned. */
  annotations: number;
  /** Number of judgments that were added. */
  added: number;
  nextPageToken?: string;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryJudgmentsDeleteRequest {
  recordIds: string[];
}

export interface MemoryJudgmentsDeleteResult {
  deleted: number;
  /** Requested ids that do not exist. */
  notFound: string[];
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryJudgmentsQueryRequest {
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Alias of organizationId. */
  orgId?: string;
  /** Alias of documentId. */
  docId?: string;
  decision?: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
  judgeType?: 'human' | 'agent';
  /** Type of the reviewed content. */
  contentType?: string;
  /** User who decided. */
  reviewerId?: string;
  /** Requires organizationId. Returns the newest judgments of this thread, oldest first. */
  annotationId?: string;
  limit?: number;
}

export interface MemoryJudgmentsQueryResult {
  results: Judgment[];
  /** Number of returned judgments. */
  total: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryKnowledgeDeleteRequest {
  /** Knowledge source id, as returned by memory/knowledge/ingest. */
  sourceId: string;
}

export interface MemoryKnowledgeDeleteResult {
  status: 'deleted';
  sourceId: string;
  deletedChunks: number;
  deletedRules: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryKnowledgeDownloadRequest {
  /** Knowledge source id, as returned by memory/knowledge/ingest. */
  sourceId: string;
}

export type MemoryKnowledgeDownloadResult = string | null;

export type MemoryKnowledgeIngestRequest = {
  /** The file is in the request, in `file`. */
  source: 'inline';
  file: {
    /** Content of the file, in base64. */
    base64: string;
    /** Media type of the file. */
    mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
    /** Name of the file. */
    fileName: string;
    /** Size of the decoded file in bytes. */
    fileSize: number;
  };
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
} | {
  /** The file was uploaded before, as named by `fileRef` and `mimeType`. */
  source: 'fileRef';
  /** As returned by memory/knowledge/upload-url. */
  fileRef: string;
  /** Media type of the file. */
  mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
};

export interface MemoryKnowledgeIngestStatusRequest {
  /** Knowledge source id, as returned by memory/knowledge/ingest. */
  sourceId: string;
}

export interface MemoryKnowledgeIngestStatusResult {
  status: 'processing' | 'completed' | 'failed';
  sourceId: string;
  /** Epoch milliseconds. */
  startedAt?: number;
  /** Epoch milliseconds. */
  updatedAt?: number;
  mimeType?: string;
  /** Id of the earlier source with the same file. */
  dedupOf?: string;
  /** `pdf-llm-conversion-failed`: a PDF cannot be read; `unsupported-mime-detected-post-validation`: another file cannot be read; `storage-upload-failed`: the file is no longer stored; `embedding-failed`: the embedding failed. */
  failureReason?: string;
  extractedRulesCount?: number;
  chunkCount?: number;
  /** Link to the original file, valid for 15 minutes. */
  originalDownloadUrl?: string;
  /** Link to the text as Markdown, valid for 15 minutes. */
  canonicalMdDownloadUrl?: string;
  metadata?: {
    /** Parts of the file that were omitted. */
    notes?: string[];
    /** Reason of the failure, as a sentence. */
    message?: string;
    /** Incremented by each update of the rules. */
    version?: number;
  };
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export type MemoryKnowledgeListRequest = Record<string, unknown>;

export type MemoryKnowledgeListResult = {
  id: string;
  sourceType: 'upload';
  fileName: string;
  /** Epoch milliseconds. */
  uploadedAt: number;
  ruleCount: number;
  chunkCount: number;
  embeddingStatus: 'processing' | 'completed' | 'failed';
  mimeType?: string;
  /** `pdf-llm-conversion-failed`: a PDF cannot be read; `unsupported-mime-detected-post-validation`: another file cannot be read; `storage-upload-failed`: the file is no longer stored; `embedding-failed`: the embedding failed. */
  failureReason?: string;
  /** Id of the earlier source with the same file. */
  dedupOf?: string;
  /** SHA-256 of the file, in hex. */
  sha256?: string;
  metadata?: {
    /** Parts of the file that were omitted. */
    notes?: string[];
    /** Reason of the failure, as a sentence. */
    message?: string;
    /** Incremented by each update of the rules. */
    version?: number;
  };
  /** Link to the original file, valid for 15 minutes. */
  originalDownloadUrl?: string;
  /** Link to the text as Markdown, valid for 15 minutes; empty if there is no text yet. */
  canonicalMdDownloadUrl?: string;
  organizationId?: string;
  documentId?: string;
}[];

export interface MemoryKnowledgeRulesRequest {
  /** Knowledge source id, as returned by memory/knowledge/ingest. */
  sourceId: string;
}

export type MemoryKnowledgeRulesResult = {
  id: string;
  content: string;
  /** Section of the rule. */
  category: string | null;
  /** Position of the rule, from 0. */
  index: number;
}[];

export interface MemoryKnowledgeSearchRequest {
  query: string;
  /** Id of one source, or 2 to 30 ids. Defaults to all sources. */
  sourceId?: string | string[];
  limit?: number;
  /** Also returns single rules, in addition to parts of the text. */
  includeRules?: boolean;
}

export interface MemoryKnowledgeSearchResult {
  results: {
    sourceId?: string;
    text: string;
    /** Cosine distance from 0 to 2, lower is closer. */
    score?: number;
    kind?: 'chunk' | 'rule';
    ruleId?: string;
    /** Section of the rule. */
    category?: string;
  }[];
  /** Number of results. */
  recordsSearched: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryKnowledgeUpdateRequest {
  /** Knowledge source id, as returned by memory/knowledge/ingest. */
  sourceId: string;
  newContent: string;
}

export interface MemoryKnowledgeUpdateResult {
  diff: {
    added: string[];
    removed: string[];
    unchanged: number;
  };
  newVersion: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryKnowledgeUploadUrlRequest {
  /** Media type of the file. */
  mimeType: 'application/pdf' | 'text/csv' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'text/plain' | 'text/markdown';
  /** In bytes. */
  fileSize: number;
  /** Name of the file. */
  fileName?: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
}

export interface MemoryKnowledgeUploadUrlResult {
  uploadUrl: string;
  /** Value for memory/knowledge/ingest. */
  fileRef: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemoryPattern {
  patternId: string;
  /** Scope of the pattern: the API key, or one organization. */
  scope: 'apiKey' | 'org';
  organizationId?: string;
  /** What reviewers do, with their most typical reasoning. */
  description: string;
  /** Lower bound of `enforcementRate` for future decisions. */
  confidence: number;
  /** Number of judgments behind the pattern. */
  sourceCount: number;
  contentType: string | null;
  /** How reviewers decide. */
  category: 'approved' | 'rejected' | 'disputed';
  /** Epoch milliseconds. */
  discoveredAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
  /** Share of the judgments that follow the pattern. */
  enforcementRate?: number;
  uniqueReviewers?: number;
  /** Ids of the most typical judgments. */
  topSourceRecordIds?: string[];
}

export type MemoryPatternsGetRequest = Record<string, unknown>;

export type MemoryPatternsGetResult = MemoryPattern[];

export interface MemoryProfilesGetRequest {
  /** User whose profile is returned. */
  targetUserId?: string;
}

export type MemoryProfilesGetResult = ReviewerProfile & Warnings | null;

export interface MemorySearchRequest {
  /** The text to search for. */
  query: string;
  /** `review` compares the query with the decision and its reasoning, `content` with the reviewed content. */
  embeddingType?: 'review' | 'content';
  /** `organization` requires organizationId, `document` also requires documentId, `apiKey` ignores both. Defaults to the narrowest scope for which ids are sent. */
  scope?: 'document' | 'organization' | 'apiKey';
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Alias of organizationId. */
  orgId?: string;
  /** Alias of documentId. */
  docId?: string;
  limit?: number;
  filters?: MemoryFilters;
  /** Number of days up to now: returns only judgments of that period. Takes precedence over filters.dateRange. */
  recencyDays?: number;
}

export interface MemorySearchResult {
  results: {
    recordId: string;
    reasoning: string;
    /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
    decision: string;
    /** How certain the reviewer was, from 0 to 1; 1 if unknown. */
    confidence: number;
    /** User who decided. */
    actionUser: {
      userId: string;
      name: string;
      [key: string]: unknown;
    };
    /** Epoch milliseconds. */
    createdAt: number;
    /** The narrowest scope of the judgment. */
    scope: 'document' | 'organization' | 'apiKey';
    /** The agent that decided; null if a user decided. `isAssistant` is true for an AI assistant that acted for `actionUser`; then `agentName` is its name. */
    agent: Record<string, unknown> | null;
    judgeType: 'human' | 'agent';
    contentType: string | null;
    /** The reviewed content, if known. Long content is truncated. */
    content: string | null;
    organizationId: string | null;
    documentId: string | null;
    annotationId: string | null;
    /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
    origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
    /** Cosine similarity of query and judgment, from -1 to 1. */
    similarity: number;
  }[];
  /** Number of judgments in the scope that match the filters. */
  totalInScope: number;
  searchLatencyMs: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export type MemoryStatsGetRequest = Record<string, unknown>;

export interface MemoryStatsGetResult {
  /** Number of judgments, at most 10000. */
  totalActivities: number;
  /** At most 500. */
  totalProfiles: number;
  /** At most 100. */
  totalPatterns: number;
  totalKnowledgeSources: number;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface MemorySuggestRequest {
  /** Description of the item. */
  query: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Alias of organizationId. */
  orgId?: string;
  /** Alias of documentId. */
  docId?: string;
}

export interface MemorySuggestResult {
  /** The best supported recommendation; null if there are too few judgments. */
  primary: Recommendation | null;
  /** The opposite recommendation, if at least two judgments support it. */
  conflict: Recommendation | null;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface Mention {
  userId: string;
  contact: User;
  text?: string;
  [key: string]: unknown;
}

export interface MissingDocument {
  id: string;
  success: false;
  message: 'Document does not exist';
  code: 'not-found';
}

export interface ModelChoice {
  provider?: 'gemini' | 'claude' | 'openai';
  model?: string;
  defaultModels?: Record<string, string>;
  maxToolTurns?: number;
}

export interface ModelUsage {
  /** Number of requests that models answered. */
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  /** Completion tokens that models used for thinking. */
  thoughtsTokens: number;
  totalTokens: number;
}

export interface NewActivity {
  /** Generated by default. An existing activity with this id is overwritten. */
  id?: string;
  featureType: 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';
  /** Type of the action, such as `comment.add`. */
  actionType: string;
  /** User who did it. */
  actionUser: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Required for custom activities. */
  targetEntityId?: string;
  /** Part of the target, such as a comment. */
  targetSubEntityId?: string;
  /** Old and new values by field. */
  changes?: Record<string, {
    from?: unknown;
    to?: unknown;
  }>;
  entityData?: Record<string, unknown>;
  entityTargetData?: Record<string, unknown>;
  /** May contain variables as `{{name}}`. */
  displayMessageTemplate?: string;
  /** Values of the variables. */
  displayMessageTemplateData?: Record<string, unknown>;
  actionIcon?: string;
  /** True if the caller stores the content and clients fetch it from there. */
  isActivityResolverUsed?: boolean;
}

export interface NewComment {
  /** Plain text. `{{userId}}` stands for a mentioned user. */
  commentText?: string;
  /** The comment as HTML. Scripts and anything that loads resources are removed before it is stored. */
  commentHtml?: string;
  replaceContentText?: string;
  replaceContentHtml?: string;
  /** Arbitrary data of the caller, returned unchanged. */
  context?: Record<string, unknown>;
  /** True if the text is stored elsewhere, and clients fetch it from there. */
  isCommentResolverUsed?: boolean;
  /** False for a comment with attachments only. Defaults to whether there is a text. */
  isCommentTextAvailable?: boolean;
  /** Files that are stored elsewhere, and files that were uploaded after attachments/create. */
  attachments?: Attachment[];
  /** Notifies other users. Always true for requests with a user token. */
  triggerNotification?: boolean;
  /** Generated by default. */
  commentId?: number;
  type?: 'text' | 'voice';
  /** The author. Required unless the caller is a user or `agent` is sent. */
  from?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Epoch milliseconds or ISO 8601. Defaults to now. */
  createdAt?: number | string;
  /** Epoch milliseconds or ISO 8601. Defaults to `createdAt`, then to now. */
  lastUpdated?: number | string;
  /** The mentioned users. */
  taggedUserContacts?: {
    /** User id, assigned by the caller. */
    userId: string;
    contact: {
      /** User id, assigned by the caller. */
      userId: string;
      name?: string;
      email?: string;
      [key: string]: unknown;
    };
    text?: string;
    [key: string]: unknown;
  }[];
  agent?: AgentBlock;
  /** Adds an entry to the activity log. Always true for requests with a user token. */
  triggerActivities?: boolean;
}

export interface NewDocument {
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  documentName?: string;
  /** Defaults to the access type of its folder, then to the API key's `defaultDocumentAccessType`. */
  accessType?: AccessType;
  [key: string]: unknown;
}

export interface NewFolder {
  /** Folder id within the organization, assigned by the caller. */
  folderId: string;
  /** Defaults to the folderId. */
  folderName?: string;
  /** Parent folder; `root` is the top level. */
  parentFolderId?: string;
  /** Defaults to the access type of the parent folder. */
  accessType?: AccessType;
  [key: string]: unknown;
}

export interface NewJudgment {
  /** A judgment with the same id is replaced. */
  id?: string;
  /** The organization need not exist. */
  organizationId?: string;
  /** Requires organizationId. */
  documentId?: string;
  /** Comment annotation id. */
  annotationId?: string;
  decision: 'approve' | 'reject' | 'comment' | 'resolve' | 'in_progress' | 'agree' | 'disagree' | 'endorse' | 'approved' | 'rejected' | 'commented' | 'resolved' | 'agreed' | 'disagreed' | 'endorsed' | 'document_approved' | 'document_rejected';
  /** Reason for the decision. */
  reasoning: string;
  /** The reviewed content. */
  content?: string;
  /** Type of the reviewed content. */
  contentType?: string;
  /** How certain the reviewer was, from 0 to 1. */
  confidence?: number;
  judgeType?: 'human' | 'agent';
  /** User who decided. */
  actionUser: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
  };
  /** The agent that decided. Additional fields are stored unchanged. */
  agent?: {
    /** Agent id; built-in agents have readable ids. */
    agentId?: string;
    agentType?: string;
    /** Id of one run of an agent. */
    executionId?: string;
    url?: string;
    [key: string]: unknown;
  };
  /** When the decision was made, in epoch milliseconds. Defaults to now. */
  createdAt?: number;
}

export interface NewOrganization {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Defaults to the organizationId. */
  organizationName?: string;
  [key: string]: unknown;
}

export interface NewPresence {
  /** User id, assigned by the caller. */
  userId: string;
  name?: string;
  email?: string;
  /** Defaults to `online` for a new entry, and to the current status otherwise. */
  status?: 'online' | 'away' | 'offline';
  [key: string]: unknown;
}

export interface NewStatus {
  id: string;
  name?: string;
  /** `terminal` resolves the annotation. */
  type?: 'default' | 'ongoing' | 'terminal';
  color?: string;
  lightColor?: string;
  /** SVG icon. Only its shapes are stored. */
  svg?: string;
  iconUrl?: string;
  [key: string]: unknown;
}

/** The proposed change. A new suggestion is always pending. */
export interface NewSuggestion {
  targetId?: string;
  targetType?: string;
  oldValue?: unknown;
  newValue?: unknown;
  summary?: string;
  driftDetected?: boolean;
  [key: string]: unknown;
}

export interface NewUser {
  /** User id, assigned by the caller. */
  userId: string;
  name?: string;
  email?: string;
  /** Defaults to the first letter of the user's name. */
  initial?: string;
  /** `viewer` may read; `editor` may also write. Defaults to `editor` for a new user, and to the current role otherwise. */
  accessRole?: 'viewer' | 'editor';
  [key: string]: unknown;
}

export interface NewUserGroup {
  /** User group id within the organization. */
  groupId: string;
  /** Defaults to the groupId. */
  groupName?: string;
}

export interface NewUserV1 {
  /** User id, assigned by the caller. */
  userId: string;
  name?: string;
  email?: string;
  /** Defaults to the first letter of the user's name. */
  initial?: string;
  [key: string]: unknown;
}

export interface Notification {
  id: string;
  /** Source of the notification, such as `custom` or `comment`. */
  notificationSource: string;
  /** Type of the event, for a notification about a comment. */
  actionType?: string;
  actionUser: User;
  /** Epoch milliseconds. */
  timestamp: number;
  /** The headline template with its variables filled in. */
  displayHeadlineMessage?: string;
  displayHeadlineMessageTemplate?: string;
  displayHeadlineMessageTemplateData?: Record<string, unknown>;
  displayBodyMessage?: string;
  notificationSourceData?: Record<string, unknown>;
  targetAnnotationId?: string;
  /** Ids of the API key, organization, document and location. */
  metadata: NotificationMetadata;
  /** If true, clients fetch the texts from your own data provider. */
  isNotificationResolverUsed: boolean;
  /** Addressed users, keyed by the MD5 hash of their userId. A user sees only their own entry. */
  notifyUsersByUserId?: Record<string, true>;
  /** For the user whose notifications are listed. */
  isUnread?: boolean;
  /** True if it is addressed to the user whose notifications are listed. */
  forYou?: boolean;
  /** Epoch milliseconds. */
  readAt?: number;
  [key: string]: unknown;
}

export interface NotificationConfig {
  useNotificationService: boolean;
  notificationServiceConfig: {
    /** Events that notify users, by event name. */
    triggers?: {
      comment?: Record<string, boolean>;
      huddle?: Record<string, boolean>;
    };
    /** How long an email is delayed, in case the notification is read in the app first. */
    delayConfig: {
      isEnabled: boolean;
      delaySeconds: number;
    };
    /** Batches emails to one user, by document or across all documents. */
    batchConfig: {
      document: {
        isEnabled: boolean;
        batchWindowSeconds: number;
        /** Once this many notifications are waiting, they are sent without further delay. */
        maxActivities: number;
      };
      user: {
        isEnabled: boolean;
        batchWindowSeconds: number;
        /** Once this many notifications are waiting, they are sent without further delay. */
        maxActivities: number;
      };
    };
  };
}

export interface NotificationMetadata {
  apiKey: string;
  organizationId: string;
  documentId?: string;
  locationId?: string;
  [key: string]: unknown;
}

export interface NotificationUpdate {
  /** Notification id: letters, digits, `_` and `-`. */
  id: string;
  /** User who caused the notification. */
  actionUser?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Headline with variables in single braces: `{actionUser} approved {file}`. */
  displayHeadlineMessageTemplate?: string;
  /** Values of the variables: users, and texts. */
  displayHeadlineMessageTemplateData?: {
    actionUser?: User;
    recipientUser?: User;
    [key: string]: unknown;
  };
  /** Second line of the notification. */
  displayBodyMessage?: string;
  displayBodyMessageTemplate?: string;
  displayBodyMessageTemplateData?: Record<string, unknown>;
  /** Arbitrary data, returned unchanged. */
  notificationSourceData?: Record<string, unknown>;
  /** Users to whom the notification is addressed. */
  notifyUsers?: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  }[];
  /** Location within the document. */
  location?: {
    /** Location id within the document. */
    id: string | number;
    [key: string]: unknown;
  };
  /** Additional metadata, stored next to the ids of organization, document and location. */
  metadata?: Record<string, unknown>;
  /** With `access`, only users with a matching value in every field are notified. */
  context?: {
    access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
    [key: string]: unknown;
  };
  /** Recipients who have read the notification. */
  readByUserIds?: string[];
  /** If false, the notification becomes unread for other users who have read it. */
  persistReadForUsers?: boolean;
}

export interface NotificationsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Creates the organization if it does not exist. */
  createOrganization?: boolean;
  /** If absent, the notification belongs to the whole organization. */
  documentId?: string;
  /** Creates the document if it does not exist. */
  createDocument?: boolean;
  /** Notification id: letters, digits, `_` and `-`. */
  notificationId?: string;
  /** User who caused the notification. */
  actionUser: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  };
  /** Users to whom the notification is addressed. */
  notifyUsers: {
    /** User id, assigned by the caller. */
    userId: string;
    name?: string;
    email?: string;
    [key: string]: unknown;
  }[];
  /** If true, the whole organization is notified; otherwise only `notifyUsers`. */
  notifyAll?: boolean;
  /** Skips users in `notifyUsers` who have no access. */
  verifyUserPermissions?: boolean;
  notificationSource?: string;
  /** If true, clients fetch the texts from your own data provider, and no texts are required. */
  isNotificationResolverUsed?: boolean;
  /** Headline with variables in single braces: `{actionUser} approved {file}`. */
  displayHeadlineMessageTemplate?: string;
  /** Second line of the notification. */
  displayBodyMessage?: string;
  /** Values of the variables: users, and texts. */
  displayHeadlineMessageTemplateData?: {
    actionUser?: User;
    recipientUser?: User;
    [key: string]: unknown;
  };
  displayBodyMessageTemplate?: string;
  displayBodyMessageTemplateData?: Record<string, unknown>;
  /** Arbitrary data, returned unchanged. */
  notificationSourceData?: Record<string, unknown>;
  /** Location within the document. */
  location?: {
    /** Location id within the document. */
    id: string | number;
    [key: string]: unknown;
  };
  /** Additional metadata, stored next to the ids of organization, document and location. */
  metadata?: Record<string, unknown>;
  /** With `access`, only users with a matching value in every field are notified. */
  context?: {
    access?: Record<string, string | number | boolean | (string | number | boolean)[]>;
    [key: string]: unknown;
  };
}

export interface NotificationsConfigGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** With a user token, always the token's user. */
  userId: string;
  documentIds?: string[];
  /** Also returns the preferences for documents without preferences of their own. */
  getOrganizationConfig?: boolean;
}

export interface NotificationsConfigSetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** With a user token, only the token's user. */
  userIds: string[];
  /** If absent, the preferences apply to all documents without preferences of their own. */
  documentIds?: string[];
  /** Additional channels of your own are allowed. */
  config: {
    inbox?: 'ALL' | 'MINE' | 'NONE';
    email?: 'ALL' | 'MINE' | 'NONE';
    slack?: 'ALL' | 'MINE' | 'NONE';
    [key: string]: unknown;
  };
}

export interface NotificationsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  /** Location id within the document. */
  locationId?: string | number;
  /** Deletes only notifications that are addressed to this user. */
  userId?: string;
  notificationIds?: string[];
}

export interface NotificationsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId?: string;
  /** Returns only notifications that this user receives. With a user token, always the token's user. */
  userId?: string;
  /** Location id within the document. */
  locationId?: string | number;
  notificationIds?: string[];
  /** Order by timestamp. */
  order?: 'asc' | 'desc';
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface NotificationsUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Changes only notifications on this document. */
  documentId?: string;
  /** Changes only notifications at this location. */
  locationId?: string | number;
  /** Changes only notifications that are addressed to this user. */
  userId?: string;
  /** Skips users in `notifyUsers` who have no access. */
  verifyUserPermissions?: boolean;
  notifications: NotificationUpdate[];
}

export interface OAuthClient {
  clientId: string;
  /** As the client calls itself; anyone can choose any name. */
  name: string;
  /** The host of its document, which it controls. */
  host: string;
  /** Its page, on the same host. */
  uri?: string;
}

export interface OauthRequestAllowRequest {
  /** `client_id`: the address of the document that describes the client. */
  clientId: string;
  /** `redirect_uri`: one of those in the document of the client. */
  redirectUri: string;
  /** `response_type`, which must be `code`. */
  responseType?: string;
  /** `code_challenge` of PKCE, by the method S256. */
  codeChallenge?: string;
  /** `code_challenge_method`, which must be `S256`. */
  codeChallengeMethod?: string;
  /** The scopes that the client asks for, between spaces. */
  scope?: string;
  /** Returned to the client unchanged. */
  state?: string;
  /** The address of the MCP server that the client wants to use, such as `https://redpen.example.com/mcp`. */
  resource?: string;
  /** Those that the person has chosen. */
  scopes: ('read' | 'comment' | 'decide' | 'review')[];
}

export interface OauthRequestDenyRequest {
  /** `client_id`: the address of the document that describes the client. */
  clientId: string;
  /** `redirect_uri`: one of those in the document of the client. */
  redirectUri: string;
  /** `response_type`, which must be `code`. */
  responseType?: string;
  /** `code_challenge` of PKCE, by the method S256. */
  codeChallenge?: string;
  /** `code_challenge_method`, which must be `S256`. */
  codeChallengeMethod?: string;
  /** The scopes that the client asks for, between spaces. */
  scope?: string;
  /** Returned to the client unchanged. */
  state?: string;
  /** The address of the MCP server that the client wants to use, such as `https://redpen.example.com/mcp`. */
  resource?: string;
}

export interface OauthRequestGetRequest {
  /** `client_id`: the address of the document that describes the client. */
  clientId: string;
  /** `redirect_uri`: one of those in the document of the client. */
  redirectUri: string;
  /** `response_type`, which must be `code`. */
  responseType?: string;
  /** `code_challenge` of PKCE, by the method S256. */
  codeChallenge?: string;
  /** `code_challenge_method`, which must be `S256`. */
  codeChallengeMethod?: string;
  /** The scopes that the client asks for, between spaces. */
  scope?: string;
  /** Returned to the client unchanged. */
  state?: string;
  /** The address of the MCP server that the client wants to use, such as `https://redpen.example.com/mcp`. */
  resource?: string;
}

export interface OpenSession {
  sessionId: string;
  createdAt: number;
  /** To within a minute or so. */
  lastUsedAt: number;
  /** When it ends unless it is used again. */
  expiresAt: number;
  /** IP address at which the session was started. */
  address: string;
  userAgent: string;
  /** True for the session of this request. */
  isCurrent: boolean;
}

export interface Organization {
  id: string;
  organizationName: string;
  disabled: boolean;
  [key: string]: unknown;
}

export interface OrganizationOfUser {
  organizationId: string;
  organizationName: string;
  disabled: boolean;
  /** The role on the organization itself; null if only folders or documents are granted. */
  accessRole: 'viewer' | 'editor' | null;
  /** Number of its folders that are granted. */
  folders: number;
  /** Number of its documents that are granted. */
  documents: number;
}

export interface OrganizationsAccessDisablestateUpdateRequest {
  organizationIds: string[];
  disabled: boolean;
}

export interface OrganizationsAddRequest {
  /** Additional fields of each entry are stored as metadata. */
  organizations: NewOrganization[];
}

export interface OrganizationsDeleteRequest {
  organizationIds: string[];
}

export interface OrganizationsDocumentsAccessDisablestateUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  documentIds: string[];
  disabled: boolean;
}

export interface OrganizationsDocumentsAccessUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  documentIds: string[];
  /** If absent, the documents inherit the access type of their folder, then the API key's default. */
  accessType?: AccessType;
}

export interface OrganizationsDocumentsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Additional fields of each entry are stored as metadata. */
  documents: NewDocument[];
  /** Folder of the documents. Defaults to none. */
  folderId?: string;
  /** Creates the organization if it does not exist. */
  createOrganization?: boolean;
  /** Creates the folder if it does not exist. */
  createFolder?: boolean;
}

export interface OrganizationsDocumentsCountRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Counts only documents directly in this folder; `root`: documents without a folder. */
  folderId?: string;
  /** Counts only documents without a folder. */
  excludeFolderDocs?: boolean;
  /** Counts documents that match all filters. */
  filters?: DocumentFilter[];
}

export interface OrganizationsDocumentsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  documentIds: string[];
}

export interface OrganizationsDocumentsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Returns only these documents, in this order. */
  documentIds?: string[];
  /** Returns only documents directly in this folder; `root`: documents without a folder. */
  folderId?: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface OrganizationsDocumentsLocationsDataDeleteV1Request {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
  /** Auth token of the API key. */
  authToken: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Location within the document, with the id that annotations use. */
  location: {
    id: string | number;
    [key: string]: unknown;
  };
}

export interface OrganizationsDocumentsLocationsUpdateV1Request {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
  /** Auth token of the API key. */
  authToken: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  migrate: {
    /** Location within the document, with the id that annotations use. */
    oldLocation: {
      id: string | number;
      [key: string]: unknown;
    };
    /** Location within the document, with the id that annotations use. */
    newLocation: {
      id: string | number;
      [key: string]: unknown;
    };
  };
  /** If true, the new location may already have data. */
  merge?: boolean;
}

export interface OrganizationsDocumentsMigrateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Document id within the organization, assigned by the caller. */
  newDocumentId: string;
}

export interface OrganizationsDocumentsMigrateStatusRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  migrationId: string;
}

export interface OrganizationsDocumentsMoveRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  documentIds: string[];
  /** Target folder; `root` removes the documents from their folder. */
  folderId: string;
}

export interface OrganizationsDocumentsUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Additional fields of each entry are stored as metadata. */
  documents: NewDocument[];
}

export interface OrganizationsFoldersAccessUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  folderIds: string[];
  accessType?: AccessType;
  /** Inherits the access type of the parent folder. */
  inheritFromParent?: boolean;
}

export interface OrganizationsFoldersAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Creates the organization if it does not exist. */
  createOrganization?: boolean;
  /** Folders in any order. Additional fields of each entry are stored as metadata. */
  folders: NewFolder[];
}

export interface OrganizationsFoldersDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Folder id within the organization, assigned by the caller. */
  folderId: string;
}

export interface OrganizationsFoldersGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Returns only this folder, with its subfolders as `subFolders`. */
  folderId?: string;
  /** Number of levels to return. */
  maxDepth?: number;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface OrganizationsFoldersUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Folders in any order. Additional fields of each entry are stored as metadata. */
  folders: NewFolder[];
}

export interface OrganizationsGetRequest {
  /** Returns only the entries with these ids. */
  organizationIds?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface OrganizationsUpdateRequest {
  /** Additional fields of each entry are stored as metadata. */
  organizations: NewOrganization[];
}

export interface OrganizationsUsergroupsAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  organizationUserGroups: NewUserGroup[];
  /** Creates it if it does not exist. */
  createOrganization?: boolean;
}

export interface OrganizationsUsergroupsDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  organizationUserGroupIds: string[];
}

export interface OrganizationsUsergroupsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Returns only the entries with these ids. */
  organizationUserGroupIds?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface OrganizationsUsergroupsUsersAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** User group id within the organization. */
  organizationUserGroupId: string;
  userIds: string[];
}

export interface OrganizationsUsergroupsUsersDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** User group id within the organization. */
  organizationUserGroupId: string;
  userIds?: string[];
  /** If true, removes all members; userIds is then not needed. */
  deleteAll?: boolean;
}

export interface OrganizationsUsergroupsUsersGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** User group id within the organization. */
  organizationUserGroupId: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface PageAuth {
  /** Origins that get the credentials. Defaults to the origin of the URL of the run. */
  origins?: string[];
  /** Secret values by header name; may contain `{{secrets.NAME}}`. */
  headers?: Record<string, string>;
  /** Values may contain `{{secrets.NAME}}`. */
  cookies?: SignInCookie[];
  /** HTTP basic authentication. */
  basic?: {
    username: string;
    /** Secret; may contain `{{secrets.NAME}}`. */
    password: string;
  };
  /** Cookies, local storage and databases, as Playwright saves them. Secret. */
  storageState?: SignInStorageState;
  /** Steps that sign in, taken in a browser once per run, before its pages are loaded. */
  steps?: SignInStep[];
  /** Secrets that templates name. */
  secrets?: Record<string, string>;
  /** Signs of a page that asks to sign in, in place of the rules of the service. One of them suffices. */
  signedOut?: SignedOutRule;
}

export interface PageAuthSummary {
  /** Absent for the origin of the URL alone. */
  origins?: string[];
  /** Names of headers. */
  headers?: string[];
  /** Names of cookies. */
  cookies?: string[];
  basic?: boolean;
  storageState?: boolean;
  /** Number of steps that sign in. */
  steps?: number;
  /** Names of secrets. */
  secrets?: string[];
  signedOut?: boolean;
}

export interface PageError {
  code: string;
  message: string;
  retryable: boolean;
}

/** The web page of the annotation. */
export interface PageInfo {
  url?: string | null;
  baseUrl?: string | null;
  commentUrl?: string | null;
  [key: string]: unknown;
}

export interface PageResult {
  id: string;
  url: string;
  urlHash: string;
  agentId: string;
  agentName: string;
  /** `skipped`: the agent cannot review the page; `summary` contains the reason. */
  status: 'completed' | 'failed' | 'skipped';
  summary?: string;
  error: PageError | null;
  /** Up to 500 in all pages of an answer. agents/execution/findings returns those of a page in parts. */
  findings: Finding[];
  /** Number of findings of the page. */
  findingCount: number;
  /** Findings that are not reported, with the decisions that are the reason. */
  heldBack?: HeldBackFinding[];
  /** Number of annotations created for the findings. */
  annotationsCreated: number;
  /** Picture of the page, in whose coordinates the positions of the findings are. */
  screenshot?: PageScreenshot;
  /** Data of the service about the page. */
  data?: unknown;
  /** Epoch milliseconds. */
  processedAt: number;
}

export interface PageScreenshot {
  deviceType: 'mobile' | 'desktop';
  mimeType: 'image/webp';
  /** In CSS pixels. */
  viewport: {
    width: number;
    height: number;
  };
  /** Pixels of the picture for each CSS pixel. */
  scale: number;
  /** Width of the captured part of the page, in CSS pixels. */
  width: number;
  /** Height of the captured part of the page, in CSS pixels. */
  height: number;
  /** True if the page goes on below the captured part. */
  truncated: boolean;
  /** The pictures, from top to bottom. */
  tiles: ScreenshotTile[];
}

export interface PermissionProviderConfig {
  usePermissionProvider: boolean;
  permissionProviderConfig: {
    permissionProviderUrl: string;
    /** `__redacted__` if one is stored. */
    authToken: string;
  };
}

export interface Person {
  /** User id, assigned by the caller. */
  userId: string;
  name?: string;
  email?: string;
  [key: string]: unknown;
}

export interface PersonalToken {
  tokenId: string;
  name: string;
  scopes: ('read' | 'comment' | 'decide' | 'review')[];
  apiKeyId: string;
  /** The person whose token it is. */
  member: {
    memberId: string;
    name: string;
  };
  createdAt: number;
  /** null if it does not expire. For a grant of OAuth, its end unless the client refreshes it. */
  expiresAt: number | null;
  /** To within a minute or so; null if it was never used. */
  lastUsedAt: number | null;
  /** True if what the token does counts as done by an AI assistant. */
  isAssistant: boolean;
  /** For a grant of OAuth, the `client_id` of the client. */
  clientId?: string;
}

export interface Place {
  /** `finding-1` and so on, numbered within a page. */
  id: string;
  /** URL of the page. */
  sourceUrl: string;
  /** The text that the finding is about; empty if it is not about text. */
  targetText?: string;
  /** Number of the occurrence of targetText on the page, from 1. */
  occurrence?: number;
  /** CSS selector of the element; empty if there is none. */
  htmlSelector?: string;
  htmlSnippet?: string;
  /** Position of the element in the viewport of the run, in CSS pixels from the top left of the document. */
  position?: Position;
  /** `still_there` if the previous run found it on this page too; absent if there was no previous run. */
  comparison?: 'new' | 'still_there';
  /** What a person decided about it earlier. Rejected and resolved findings are not open. */
  decision?: 'accepted' | 'rejected' | 'resolved';
  /** The id of the annotation that this or an earlier run created for the finding. */
  commentId?: string;
}

export interface Position {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Precedent {
  /** Scope of the decisions. */
  scope: 'document' | 'organization' | 'apiKey';
  /** Number of similar findings that were rejected. */
  rejected: number;
  approved: number;
  /** The counts as a sentence. */
  note: string;
  /** The most similar decisions, up to 10. */
  judgments: PrecedentJudgment[];
}

export interface PrecedentJudgment {
  /** The id of the judgment, as memory/judgments/delete takes it. */
  recordId: string;
  decision: string;
  annotationId: string | null;
  /** Cosine similarity between the reviewed item and the finding. */
  similarity: number;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface Presence {
  userId: string;
  name?: string;
  email?: string;
  status: 'online' | 'away' | 'offline';
  /** Epoch milliseconds. */
  lastUpdated: number;
  [key: string]: unknown;
}

export interface PresenceAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Additional fields of each entry are stored. */
  users: NewPresence[];
}

export interface PresenceDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  userIds: string[];
}

export interface PresenceGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface PresenceUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Document id within the organization, assigned by the caller. */
  documentId: string;
  /** Additional fields of each entry are stored. */
  users: NewPresence[];
}

/** For example `P0`. */
export interface Priority {
  id: string;
  name: string;
  color?: string;
  lightColor?: string;
  [key: string]: unknown;
}

export interface PromptField {
  id: string;
  title: string;
  type: 'string' | 'number' | 'boolean';
  example?: string;
  defaultValue?: string | number | boolean;
  [key: string]: unknown;
}

export interface Reaction {
  reactionId: string;
  /** Absent for a reaction on the annotation itself. */
  commentId?: number;
  from: User;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** The reactions of one kind on an annotation or comment. */
export interface ReactionSummary {
  reactionId: string;
  count: number;
  /** The first 20 users. */
  users: User[];
  /** Present for users: true if the user is one of them. */
  isOwn?: boolean;
}

export interface Recommendation {
  recommendation: 'approve' | 'reject';
  /** Estimated probability, from 0 to 1, that the next decision on a similar item follows the recommendation. */
  confidence: number;
  /** Number of judgments that support the recommendation. */
  basedOn: number;
  /** Scope of the judgments: the narrowest one with enough of them. */
  scope: 'document' | 'organization' | 'apiKey';
  /** `This document`, `This organization` or `All content`. */
  scopeLabel: string;
  /** Reasons of the supporting judgments, by weight. */
  topReasons: string[];
  uniqueReviewers: number;
  /** Reasons for caution, as sentences. */
  caveats: string[];
  /** Supporting judgments with the highest weight, at most 10. */
  precedents: {
    recordId: string;
    /** `approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`. */
    decision: string;
    /** User who decided. */
    actionUser: {
      userId: string;
      name: string;
      [key: string]: unknown;
    };
    /** The agent that decided; null if a user decided. `isAssistant` is true for an AI assistant that acted for `actionUser`; then `agentName` is its name. */
    agent: Record<string, unknown> | null;
    /** Epoch milliseconds. */
    createdAt: number;
    /** Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent. */
    origin: 'import' | 'suggestion' | 'status' | 'comment' | 'finding';
    organizationId: string | null;
    documentId: string | null;
    annotationId: string | null;
    /** Cosine similarity to the item, from -1 to 1. */
    similarity: number;
  }[];
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type RemoteCredentials = {
  type: 'none';
} | {
  type: 'bearer';
  /** Secret. */
  token: string;
} | {
  type: 'basic';
  username: string;
  /** Secret. */
  password: string;
} | {
  type: 'header';
  /** Secret values by header name. */
  headers: Record<string, string>;
};

export interface ResourceGrant {
  type: 'organization' | 'document' | 'folder';
  /** Id of the resource. */
  id: string;
  /** Parent organization. Required for documents and folders. */
  organizationId?: string;
  /** Defaults to `editor`. */
  accessRole?: AccessRole;
  /** Unix seconds after which the grant expires. Values from 10^11 are read as milliseconds. */
  expiresAt?: number;
  context?: AccessContext;
}

export interface ResourceRef {
  type: 'organization' | 'document' | 'folder';
  /** Id of the resource. */
  id: string;
  /** Parent organization. Required for documents and folders. */
  organizationId?: string;
}

export interface ResponseDescriptions {
  summary?: string;
  title?: string;
  description?: string;
  severity?: string;
  targetText?: string;
  suggestion?: string;
  isPageLevel?: string;
  issueType?: string;
  confidence?: string;
  htmlSelector?: string;
  findingType?: string;
  [key: string]: unknown;
}

export interface ResultsSummary {
  totalFindings: number;
  totalAnnotationsCreated: number;
  urlsProcessed: number;
  urlsWithFindings: number;
  urlsErrored?: number;
  /** Pages that the agent cannot review, for example in a language without a dictionary. Not part of `urlsProcessed`. */
  urlsSkipped?: number;
  /** Up to 50 of the skipped pages, with the reason. */
  skippedUrls?: {
    url: string;
    message: string;
  }[];
  /** Further pages of the site that the crawl knew of when `maxUrlsToProcess` was reached. */
  urlsLeftOut?: number;
  /** Pages that were read in a browser, for agents that need one only where scripts change links. */
  urlsRendered?: number;
  /** Number of findings that no person has rejected or resolved. */
  open?: number;
  /** Number of findings that a person has rejected or resolved. */
  decided?: number;
  /** Number of findings that the previous run did not have. */
  new?: number;
  /** Number of findings of the previous run that are gone. */
  fixed?: number;
  severityCounts?: Record<string, number>;
  /** Number of findings that are not reported because reviewers keep rejecting similar ones. */
  heldBack?: number;
  summary?: string | null;
  /** Up to 50 of the pages that failed, with the reason. */
  erroredUrls?: {
    url: string;
    message: string;
    [key: string]: unknown;
  }[];
  /** Same as totalFindings. */
  issuesCreated?: number;
  /** The gravest findings, shortened. */
  findings?: SummarizedFinding[];
  [key: string]: unknown;
}

export interface Review {
  id: string;
  status: 'running' | 'ended';
  /** The gravest of its executions; present once the review has ended. */
  verdict?: Verdict;
  urls: string[];
  agents: {
    agentId: string;
    name: string;
  }[];
  preset?: string;
  groupId?: string;
  config: {
    crossPageExecute: boolean;
    maxUrlsToProcess: number;
    deviceType: 'mobile' | 'desktop';
    /** Globs of the pages that are reviewed, if they were sent. */
    pages?: string[];
    sitemap?: boolean;
    screenshots?: 'none' | 'findings' | 'all';
    severities?: Record<string, Severity | 'off'>;
  };
  metadata: {
    organizationId: string;
    documentId: string;
  };
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds; null while the review is running. */
  completedAt: number | null;
  /** Null while the review is running. */
  durationMs: number | null;
  /** Sums over its executions: a page counts for each agent that reviews it, and so does a finding. */
  progress: {
    urlsPlanned: number;
    urlsProcessed: number;
    findings: number;
  };
  /** Present once the review has ended. */
  counts?: ReviewCounts;
  /** One for each agent and URL. */
  executions: ReviewExecution[];
  /** Changes with everything above. Send it as `seen` to wait for the next change. */
  revision: string;
}

export interface ReviewCounts {
  findings: number;
  /** Number of findings that no person has rejected or resolved. */
  open: number;
  /** Numbers of the open findings by severity. */
  bySeverity: Record<string, number>;
  /** Number of findings that the previous runs did not have. */
  new?: number;
  /** Number of findings of the previous runs that are gone. */
  fixed?: number;
  /** Number of pages that at least one agent reviewed. */
  pages: number;
}

export interface ReviewExecution {
  executionId: string;
  agentId: string;
  agentName: string;
  /** The URL at which it starts. */
  url: string;
  status: ExecutionStatus;
  verdict?: Verdict;
  /** Pages that are planned and done so far, and their findings. */
  progress: {
    urlsPlanned: number;
    urlsProcessed: number;
    findings: number;
  };
  error?: ExecutionError;
}

export interface ReviewSchedule {
  id: string;
  name: string;
  cron: string;
  timeZone: string;
  enabled: boolean;
  review: {
    urls: string[];
    agents?: string[];
    preset?: string;
    groupId?: string;
    crossPageExecute: boolean;
    maxUrlsToProcess: number;
    deviceType: 'mobile' | 'desktop';
    /** Globs of the pages that are reviewed, if they were sent. */
    pages?: string[];
    sitemap?: boolean;
    screenshots?: 'none' | 'findings' | 'all';
    severities?: Record<string, Severity | 'off'>;
  };
  metadata: {
    organizationId: string;
    documentId: string;
  };
  /** The next start in epoch milliseconds; null while the schedule is disabled. */
  nextAt: number | null;
  /** The last start in epoch milliseconds; null before the first. */
  lastAt: number | null;
  /** The review that was started last. */
  lastReviewId: string | null;
  /** Why the last start failed; null if it did not. */
  lastError: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds. */
  updatedAt: number;
}

export interface ReviewerProfile {
  userId: string;
  name: string;
  email: string;
  totalJudgments: number;
  /** Share of approvals among approvals and rejections. */
  approvalRate: number;
  /** Average time from the creation of an annotation to the decision on it; 0 if unknown. */
  avgReviewTimeSeconds: number;
  /** Content types that the user most often rejects or comments on. */
  topFlags: {
    issue: string;
    count: number;
  }[];
  /** Most frequent first. */
  contentTypes: string[];
  /** Hours of the day in UTC, busiest first. */
  peakHours: number[];
  orgBreakdown: Record<string, {
    organizationId: string;
    clientOrganizationId: string;
    judgments: number;
    approvals: number;
    approvalRate: number;
  }>;
  /** Epoch milliseconds. */
  lastActive: number;
  /** True if the user made at least 50 judgments, enough to predict decisions. */
  twinEligible: boolean;
  /** How often earlier judgments on similar content correctly predict later ones. */
  twinAccuracy: number | null;
  evolvedStandards?: {
    topic: string;
    /** Epoch milliseconds. */
    shiftDate: number;
    oldPattern: string;
    newPattern: string;
  }[];
}

export interface ReviewsCancelRequest {
  /** Id of a review by several agents. */
  reviewId: string;
  /** Appended to the error messages. */
  reason?: string;
}

export interface ReviewsGetRequest {
  /** Id of a review by several agents. */
  reviewId: string;
  /** `revision` of an earlier answer. */
  seen?: string;
  /** Maximum time to wait for a revision other than `seen`, in milliseconds. */
  waitMs?: number;
}

export interface ReviewsListRequest {
  status?: 'running' | 'ended';
  /** Epoch milliseconds. Only reviews that started later. */
  startedAfter?: number;
  /** Epoch milliseconds. Only reviews that started earlier. */
  startedBefore?: number;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface ReviewsRunRequest {
  urls: string[];
  /** Ids of agents. */
  agents?: string[];
  /** Built-in agents for a purpose. They come after those of `agents`, and need no model. */
  preset?: 'launch' | 'content' | 'accessibility' | 'privacy';
  /** A group of agents, which come last. */
  groupId?: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document on which findings become comment annotations. */
  documentId?: string;
  /** If true, also reviews pages of the same site that can be reached from the URL. */
  crossPageExecute?: boolean;
  maxUrlsToProcess?: number;
  /** Globs of the pages that are reviewed, such as `/docs/**`. The links of other pages are followed nevertheless. */
  pages?: string[];
  /** If true, also reviews the pages of the site that its sitemap lists. */
  sitemap?: boolean;
  deviceType?: 'mobile' | 'desktop';
  /** Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`. */
  screenshots?: 'none' | 'findings' | 'all';
  /** Options of the service of the agent, each in place of that of the agent. */
  strategyOptions?: ServiceOptions;
  /** Severities by issue type, each in place of that of the rule; `off` drops the findings. agents/rules lists the issue types. */
  severities?: Record<string, Severity | 'off'>;
  annotationVisibility?: 'public' | 'private';
  ranBy?: {
    userId: string;
    name?: string;
    email?: string;
  };
  userContext?: Record<string, string | number | boolean>;
  variables?: Record<string, string | number | boolean>;
  aiConfig?: ModelChoice;
  /** Credentials for the reviewed pages, in place of those of the agent. Never returned. */
  auth?: PageAuth;
}

export interface ReviewsSchedulesCreateRequest {
  name?: string;
  /** Cron expression of five fields: minute, hour, day of the month, month, day of the week. At most every five minutes. */
  cron: string;
  /** IANA time zone of the expression, such as `Europe/Berlin`. */
  timeZone?: string;
  enabled?: boolean;
  review: ScheduledReview;
}

export interface ReviewsSchedulesDeleteRequest {
  /** Id of a schedule of reviews. */
  scheduleId: string;
}

export interface ReviewsSchedulesGetRequest {
  /** Id of a schedule of reviews. */
  scheduleId: string;
}

export type ReviewsSchedulesListRequest = Record<string, never>;

export interface ReviewsSchedulesStartRequest {
  /** Id of a schedule of reviews. */
  scheduleId: string;
}

export interface ReviewsSchedulesUpdateRequest {
  /** Id of a schedule of reviews. */
  scheduleId: string;
  name?: string;
  /** Cron expression of five fields: minute, hour, day of the month, month, day of the week. At most every five minutes. */
  cron?: string;
  /** IANA time zone of the expression, such as `Europe/Berlin`. */
  timeZone?: string;
  enabled?: boolean;
  review?: ScheduledReview;
}

export interface ReviewsShareRequest {
  /** Id of a review by several agents. */
  reviewId: string;
  /** Hours until the link ends; a week by default. */
  validForHours?: number;
}

export interface RewriterAskAiRequest {
  model: string;
  /** Instruction for the model. */
  prompt: string;
  /** The text to process. */
  text: string;
}

export type RewriterAskAiResult = {
  success: true;
  text: string;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
} | {
  success: false;
  error: string;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
};

/** The data of reviews/run. */
export interface ScheduledReview {
  urls: string[];
  /** Ids of agents. */
  agents?: string[];
  /** Built-in agents for a purpose. They come after those of `agents`, and need no model. */
  preset?: 'launch' | 'content' | 'accessibility' | 'privacy';
  /** A group of agents, which come last. */
  groupId?: string;
  /** Organization id, assigned by the caller. */
  organizationId?: string;
  /** Document on which findings become comment annotations. */
  documentId?: string;
  /** If true, also reviews pages of the same site that can be reached from the URL. */
  crossPageExecute?: boolean;
  maxUrlsToProcess?: number;
  /** Globs of the pages that are reviewed, such as `/docs/**`. The links of other pages are followed nevertheless. */
  pages?: string[];
  /** If true, also reviews the pages of the site that its sitemap lists. */
  sitemap?: boolean;
  deviceType?: 'mobile' | 'desktop';
  /** Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`. */
  screenshots?: 'none' | 'findings' | 'all';
  /** Options of the service of the agent, each in place of that of the agent. */
  strategyOptions?: ServiceOptions;
  /** Severities by issue type, each in place of that of the rule; `off` drops the findings. agents/rules lists the issue types. */
  severities?: Record<string, Severity | 'off'>;
  annotationVisibility?: 'public' | 'private';
  ranBy?: {
    userId: string;
    name?: string;
    email?: string;
  };
  userContext?: Record<string, string | number | boolean>;
  variables?: Record<string, string | number | boolean>;
  aiConfig?: ModelChoice;
}

export interface ScreenshotTile {
  artifactId: string;
  /** In answers to a user token: a link to the file that an `<img>` can load, for at least 45 minutes. */
  url?: string;
  /** Offset of the tile from the left of the document, in CSS pixels. */
  x: number;
  /** Offset of the tile from the top of the document, in CSS pixels. */
  y: number;
  width: number;
  height: number;
}

export interface ServiceOptions {
  'broken-links'?: {
    /** If true, links to other hosts are not checked. */
    internalOnly?: boolean;
    /** URL globs of addresses that are not checked. */
    skip?: string[];
    /** Maximum number of findings on a page, the gravest first; further ones are only counted. */
    maxFindings?: number;
  };
  'spell-check'?: {
    /** Words that spell-check takes for right, in any case of letters. */
    words?: string[];
  };
}

export type SessionEndRequest = Record<string, unknown>;

export type SessionGetRequest = Record<string, unknown>;

export interface SessionListRequest {
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface SessionMailRequest {
  email: string;
}

export interface SessionRevokeRequest {
  sessionId: string;
}

export interface SessionStartRequest {
  /** The code of a link, which follows `#code=` in it; with `email`, the six digits. */
  code?: string;
  email?: string;
  workspaceId?: string;
  workspaceAuthToken?: string;
}

export interface SetupSample {
  content: string;
  source: 'synthetic' | 'user-provided';
  findings: {
    message: string;
    elementSelector?: string;
    isCorrect?: boolean;
    [key: string]: unknown;
  }[];
  pmVerdict?: 'correct' | 'incorrect';
  pmNotes?: string;
  [key: string]: unknown;
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export interface ShownAgentVersion {
  /** Instructions as their author wrote them. */
  rawInstructions?: string;
  /** Instructions that the agent follows. */
  instructions?: string;
  /** Arbitrary data; some keys are reserved. */
  metadata?: Record<string, unknown>;
  /** Credentials for the pages that the agent reviews. Those of a run replace them. */
  auth?: PageAuth;
  contextGathering?: AgentContextGathering;
  execution?: AgentExecution;
  response?: {
    /** If true, a model summarizes the results in words, returned as `response.formatted` of the execution. */
    useAiFormatting?: boolean;
    /** Instructions for that summary. */
    formattingPrompt?: string;
    responseAdapter?: 'broken-links-response' | 'crawler-response' | 'screenshot-response' | 'accessibility-checker-response' | 'og-image-checker-response';
    [key: string]: unknown;
  };
  postProcess?: AgentPostProcess;
  input?: AgentRequirements;
  scope?: AgentScope;
  setup?: AgentSetup;
  /** Time limit of each phase of a run, in milliseconds. */
  phaseTimeoutMs?: number;
  /** For example `v3`. */
  id: string;
  version: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** True if runs use this version. */
  isCurrent: boolean;
  [key: string]: unknown;
}

export interface SignInCookie {
  name: string;
  /** Secret. */
  value: string;
  domain?: string;
  path?: string;
  /** Epoch seconds; -1 for the end of the session. */
  expires?: number;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

export interface SignInStep {
  /** Address, or a path on the site of the run. */
  goto?: string;
  /** Selector of a field, which gets `value`. */
  fill?: string;
  /** Secret, or a template such as `{{secrets.password}}`. */
  value?: string;
  /** Selector of the element to click. */
  click?: string;
  /** Selector that must become visible, or, if it begins with `/`, `*` or a scheme, a URL glob. */
  waitFor?: string;
}

export interface SignInStorageState {
  cookies?: {
    name: string;
    /** Secret. */
    value: string;
    domain?: string;
    path?: string;
    /** Epoch seconds; -1 for the end of the session. */
    expires?: number;
    httpOnly?: boolean;
    secure?: boolean;
    sameSite?: 'Strict' | 'Lax' | 'None';
    partitionKey?: string;
    _crHasCrossSiteAncestor?: boolean;
  }[];
  origins?: {
    origin: string;
    localStorage: {
      name: string;
      value: string;
    }[];
    indexedDB?: {
      name: string;
      version: number;
      stores: {
        name: string;
        autoIncrement: boolean;
        keyPath?: string;
        keyPathArray?: string[];
        records: {
          key?: unknown;
          keyEncoded?: unknown;
          value?: unknown;
          valueEncoded?: unknown;
        }[];
        indexes: {
          name: string;
          keyPath?: string;
          keyPathArray?: string[];
          multiEntry: boolean;
          unique: boolean;
        }[];
      }[];
    }[];
  }[];
}

export interface SignedOutRule {
  /** Glob of the address after redirects. */
  url?: string;
  /** Selector of an element that is visible. */
  selector?: string;
  /** HTTP status of the page. */
  status?: number;
}

export interface Snapshot {
  snapshotId: string;
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  createdBy: string | null;
  /** Size of the stored content. */
  bytes: number;
}

export interface SnapshotWithContent {
  snapshotId: string;
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  createdBy: string | null;
  /** Size of the stored content. */
  bytes: number;
  id: string;
  /** A string, an object or a list, depending on the type. If live clients created the editor, the type is inferred from its content. */
  data: unknown;
}

export interface SpellCheckOptions {
  /** Words that spell-check takes for right, in any case of letters. */
  words?: string[];
  [key: string]: unknown;
}

export interface Status {
  /** `OPEN`, `IN_PROGRESS`, `RESOLVED`, or an id of the caller. */
  id: string;
  name: string;
  /** `terminal` is resolved. */
  type: 'default' | 'ongoing' | 'terminal';
  color?: string;
  lightColor?: string;
  svg?: string;
  iconUrl?: string;
  [key: string]: unknown;
}

export interface StorageUsage {
  id: string;
  apiKeyName: string;
  /** Total bytes stored by the API key: the sum of databaseBytes, fileBytes and addedBytes. */
  storedBytes: number;
  /** Database rows, including live documents, at the last count. */
  databaseBytes: number;
  /** Screenshots and uploads, at the last count. */
  fileBytes: number;
  /** Bytes written since the last count. Tracked only if the service has a quota. */
  addedBytes: number;
  /** Time of the last count, in epoch milliseconds; null before the first count. */
  countedAt: number | null;
  /** Quota of the API key; null if there is none. */
  maxStoredBytes: number | null;
}

export interface StoredAttachment {
  /** Id from attachments/create. */
  attachmentId: string;
  organizationId: string;
  documentId: string;
  /** Of the comment that holds it. */
  annotationId?: string;
  commentId?: number;
  /** `announced`: the file has not arrived; `uploaded`: no comment holds it yet. */
  status: 'announced' | 'uploaded' | 'attached';
  fileName: string;
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Of a picture, in pixels. */
  width?: number;
  height?: number;
  /** Id of the user, if a user announced it. */
  uploaderId?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Signed link to the file, once it has arrived. */
  url?: string;
  /** End of `url` in epoch milliseconds. */
  expiresAt?: number;
}

export interface Suggestion {
  status: 'pending' | 'accepted' | 'rejected';
  /** The suggested fix, in words. */
  summary?: string;
  targetId?: string;
  targetType?: string;
  oldValue?: unknown;
  newValue?: unknown;
  driftDetected?: boolean;
  rejectReason?: string;
  /** The user who decided, or their userId. */
  resolvedBy?: string | User;
  /** Epoch milliseconds. */
  resolvedAt?: number;
  [key: string]: unknown;
}

/** Replaces the whole suggestion. A decision is final. */
export interface SuggestionChange {
  targetId?: string;
  targetType?: string;
  oldValue?: unknown;
  newValue?: unknown;
  summary?: string;
  driftDetected?: boolean;
  status?: 'pending' | 'accepted' | 'rejected';
  rejectReason?: string;
  resolvedBy?: string | Person;
  /** Epoch milliseconds. */
  resolvedAt?: number;
  [key: string]: unknown;
}

export interface SummarizedFinding {
  title: string;
  description: string;
  severity: Severity;
  sourceUrl: string;
  issueType: string;
  url?: string;
  [key: string]: unknown;
}

/** The text or element that the annotation is about. */
export interface TargetElement {
  elementId?: string;
  targetText?: string;
  occurrence?: number;
  selectAllContent?: boolean;
  [key: string]: unknown;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  /** Completion tokens that the model used for thinking. */
  thoughtsTokens: number;
  totalTokens: number;
  /** Number of requests that a model answered. */
  requestCount: number;
}

export interface TokensCreateRequest {
  /** What uses it, such as the name of an assistant. */
  name: string;
  scopes: ('read' | 'comment' | 'decide' | 'review')[];
  /** Without it, the token does not expire. */
  expiresInDays?: number;
  /** True if an AI assistant uses the token: what it writes is marked, and its decisions do not count as those of a person. */
  isAssistant?: boolean;
}

export interface TokensListRequest {
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface TokensRevokeRequest {
  tokenId: string;
}

export interface User {
  userId: string;
  name?: string;
  email?: string;
  [key: string]: unknown;
}

export interface UserComment {
  commentId: number;
  /** `text` or `voice`. */
  type?: string;
  /** `added` or `updated`. */
  status?: string;
  /** `agent` if an agent wrote it. */
  sourceType?: string;
  commentText?: string;
  commentHtml?: string;
  from?: User;
  /** The mentioned users. */
  to?: User[];
  /** Reactions by kind, in the order of their first use. Absent without any. */
  reactions?: ReactionSummary[];
  /** Epoch milliseconds. */
  createdAt: number;
  /** ISO 8601. */
  lastUpdated: string;
  isDraft?: boolean;
  isEdited?: boolean;
  /** Epoch milliseconds. */
  editedAt?: number;
  /** True if the text is stored elsewhere. */
  isCommentResolverUsed?: boolean;
  /** False if there is no text. */
  isCommentTextAvailable?: boolean;
  replaceContentText?: string;
  replaceContentHtml?: string;
  /** Arbitrary data of the caller. */
  context?: Record<string, unknown>;
  attachments?: CommentAttachment[];
  /** The mentioned users, with the text that mentions them. */
  taggedUserContacts?: Mention[];
  /** The agent that wrote it, with its reason. */
  agent?: AnnotationAgent;
  /** The AI assistant that wrote or edited it for the person in `from`. Set by the service alone. */
  assistant?: {
    name: string;
  };
  annotationId: string;
  metadata: AnnotationMetadata;
  [key: string]: unknown;
}

export interface UserContextField {
  id: string;
  title: string;
  type: 'string' | 'number' | 'boolean';
  required?: boolean;
  example?: string;
  defaultValue?: string | number | boolean;
  [key: string]: unknown;
}

export interface UserGroup {
  organizationUserGroupId: string;
  groupName: string;
  usersCount: number;
  createdAt: number;
  lastUpdated: number;
}

export interface UserNotification {
  id: string;
  /** Source of the notification, such as `custom` or `comment`. */
  notificationSource: string;
  /** Type of the event, for a notification about a comment. */
  actionType?: string;
  actionUser: User;
  /** Epoch milliseconds. */
  timestamp: number;
  /** The headline template with its variables filled in. */
  displayHeadlineMessage?: string;
  displayHeadlineMessageTemplate?: string;
  displayHeadlineMessageTemplateData?: Record<string, unknown>;
  displayBodyMessage?: string;
  notificationSourceData?: Record<string, unknown>;
  targetAnnotationId?: string;
  /** Ids of the API key, organization, document and location. */
  metadata: NotificationMetadata;
  /** If true, clients fetch the texts from your own data provider. */
  isNotificationResolverUsed: boolean;
  /** Addressed users, keyed by the MD5 hash of their userId. A user sees only their own entry. */
  notifyUsersByUserId?: Record<string, true>;
  /** Epoch milliseconds; null if unread. */
  readAt: number | null;
  [key: string]: unknown;
}

export interface UserReaction {
  reactionId: string;
  /** Absent for a reaction on the annotation itself. */
  commentId?: number;
  from: User;
  /** Epoch milliseconds. */
  createdAt: number;
  annotationId: string;
  metadata: AnnotationMetadata;
}

export interface UsersAddRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Additional fields of each entry are stored with the user. They grant no permissions. */
  users: NewUser[];
  /** Creates it if it does not exist. */
  createOrganization?: boolean;
  /** Creates it if it does not exist. */
  createDocument?: boolean;
  /** Creates it if it does not exist. */
  createFolder?: boolean;
}

export interface UsersAddV1Request {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Additional fields of each entry are stored with the user. This version has no roles. */
  users: NewUserV1[];
}

export interface UsersCountRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Leaves out all other users. */
  userIds?: string[];
  /** Leaves out users who are in none of the named groups. */
  organizationUserGroupIds?: string[];
}

export interface UsersDataDeleteRequest {
  userIds: string[];
  /** Erases only in these organizations, which is faster. Defaults to all. */
  organizationIds?: string[];
}

export interface UsersDataDeleteResult {
  status: 'success';
  message: string;
  data: {
    jobId: string;
    /** Number of parts of the work. */
    tasksCount: number;
  };
  statusCode: 202;
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface UsersDataDeleteStatusRequest {
  jobId: string;
}

export interface UsersDataGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** User id, assigned by the caller. */
  userId: string;
  pageToken?: string | null;
}

export interface UsersDeleteRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  userIds: string[];
}

export interface UsersDocumentsGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** Returns only the entries with these ids. */
  userIds?: string[];
  /** With at most 5 userIds: includes the first 1000 documents of each user, ordered by id. */
  includeInvolvedDocuments?: boolean;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface UsersGetRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Leaves out all other users. */
  userIds?: string[];
  /** Leaves out users who are in none of the named groups. */
  organizationUserGroupIds?: string[];
  /** Returns people by name whose name or email has words that begin with those of this text, in any case. Includes people who are not added, but whose tokens grant this place. */
  text?: string;
  /** If true, returns the users of all documents, ordered by id. */
  allDocuments?: boolean;
  /** With allDocuments: groups the users by document id. `shape` is then `byDocument`. */
  groupByDocumentId?: boolean;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface UsersGetV1Request {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** Leaves out all other users. */
  userIds?: string[];
  /** Leaves out users who are in none of the named groups. */
  organizationUserGroupIds?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface UsersOrganizationsGetRequest {
  /** User id, assigned by the caller. */
  userId: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface UsersUpdateRequest {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Additional fields of each entry are stored with the user. They grant no permissions. */
  users: NewUser[];
}

export interface UsersUpdateV1Request {
  /** Organization id, assigned by the caller. */
  organizationId: string;
  /** The users of this document. */
  documentId?: string;
  /** The users of this folder. */
  folderId?: string;
  /** Additional fields of each entry are stored with the user. This version has no roles. */
  users: NewUserV1[];
}

/** `findings`: some are open; `incomplete`: none is, but pages failed, were skipped or left out; `broken`: the run failed. */
export type Verdict = 'clean' | 'findings' | 'incomplete' | 'broken';

/** Who may see the annotation besides its author: all readers of the document, organizations, or certain users. */
export type Visibility = {
  type: 'public';
} | {
  type: 'organizationPrivate';
  /** Defaults to the document's organization. */
  organizationId?: string;
  organizationIds?: string[];
} | {
  type: 'restricted';
  userIds: string[];
};

export interface Warning {
  /** Path of the field, relative to `data` as in `error.details.issues`. */
  path: (string | number)[];
  /** `beside_data`: the field is next to `data`, not in it. `no_effect`: the field is accepted, but not used in this request. */
  code: 'unknown_field' | 'beside_data' | 'no_effect';
  message: string;
  /** The field that was probably meant, such as `data.users[].name`. */
  suggestion?: string;
}

export interface Warnings {
  /** Fields of the request that the operation does not read or use. Absent if there are none. */
  warnings?: Warning[];
  /** Number of further warnings. Absent if there are none. */
  warningsOmitted?: number;
}

export interface WebhookConfig {
  useWebhookService: boolean;
  webhookServiceConfig: {
    /** `__redacted__` if one is stored. */
    authToken: string;
    rawNotificationUrl: string;
    processedNotificationUrl: string;
    encodeData?: boolean;
    encryptData?: boolean;
    publicKey?: string;
    enableDataProtection?: boolean;
    triggers?: Record<string, boolean>;
  };
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string | null;
  /** Null: all types with `sentByDefault`. */
  filterTypes: string[] | null;
  /** Null: all organizations and documents. */
  channels: string[] | null;
  disabled: boolean;
  /** `gone`: the endpoint returned HTTP 410. `failing`: all deliveries failed for days. */
  disabledReason: 'caller' | 'gone' | 'failing' | null;
  /** Time since which every delivery has failed; null if deliveries succeed. */
  failingSince: string | null;
  rateLimit: number | null;
  uid: string | null;
  metadata: Record<string, string> | null;
  createdAt: string;
  updatedAt: string;
}

export interface Workspace {
  id: string;
  name: string;
  owner: {
    email: string;
    id: string;
    name: string;
    avatar: string;
  };
  /** Secret that authenticates workspace-level requests. */
  authToken: string;
  /** Keyed by API key id. */
  apiKeyList: Record<string, ApiKey>;
}

export type WorkspaceActivityconfigGetRequest = Record<string, unknown>;

export interface WorkspaceActivityconfigUpdateRequest {
  activityServiceConfig: ActivityConfig;
}

export interface WorkspaceAdvancedwebhookDeliveriesGetRequest {
  /** Endpoint id, or `raw` or `processed` for the addresses of the basic configuration. */
  endpointId?: string;
  /** Message id, as in the `webhook-id` header. */
  webhookId?: string;
  status?: DeliveryStatus;
  /** Returns only deliveries of this event. */
  eventType?: string;
  /** Returns only events at or after this time, in epoch milliseconds. */
  since?: number;
  /** Returns only events before this time, in epoch milliseconds. */
  until?: number;
  /** Includes the messages. The limit is then at most 20. */
  includePayload?: boolean;
  /** Maximum number of entries in one response. Defaults to 50, or 20 with includePayload. */
  limit?: number;
  /** `iterator` of a previous response for the next page, `prevIterator` for the previous page. */
  iterator?: string;
}

export interface WorkspaceAdvancedwebhookDeliveriesReplayRequest {
  /** Endpoint id, or `raw` or `processed` for the addresses of the basic configuration. */
  endpointId: string;
  /** Message id, as in the `webhook-id` header. */
  webhookId?: string;
  /** Replays events at or after this time, in epoch milliseconds. */
  since?: number;
  /** Replays events before this time, in epoch milliseconds. */
  until?: number;
}

export interface WorkspaceAdvancedwebhookEndpointsCreateRequest {
  /** Address that messages are posted to. */
  url: string;
  description?: string;
  /** Event types to send. Defaults to all types with `sentByDefault`; others are sent only if named here. */
  filterTypes?: string[];
  /** Organization ids whose events are sent, or `organizationId/documentId` for one document. Defaults to all. */
  channels?: string[];
  /** If true, nothing is sent. Messages that are missed meanwhile can be replayed. */
  disabled?: boolean;
  /** Approximate limit of deliveries per second. Further deliveries wait. */
  rateLimit?: number;
  /** Unique name that the caller assigns. It cannot be changed. */
  uid?: string;
  /** Arbitrary data for the caller's own use. */
  metadata?: Record<string, string>;
}

export interface WorkspaceAdvancedwebhookEndpointsDeleteRequest {
  /** Endpoint id, as returned by its creation. */
  endpointId: string;
}

export interface WorkspaceAdvancedwebhookEndpointsGetRequest {
  /** Only this one. */
  endpointId?: string;
  /** Returns only the endpoint with this uid. */
  uid?: string;
  /** Maximum number of entries in one response. */
  limit?: number;
  /** `iterator` of a previous response for the next page, `prevIterator` for the previous page. */
  iterator?: string;
}

export interface WorkspaceAdvancedwebhookEndpointsSecretGetRequest {
  /** Endpoint id, as returned by its creation. */
  endpointId: string;
}

export interface WorkspaceAdvancedwebhookEndpointsSecretRotateRequest {
  /** Endpoint id, as returned by its creation. */
  endpointId: string;
  /** `whsec_` followed by base64 of 24 to 64 random bytes. Generated by default. */
  secret?: string;
  /** How long the previous secret also signs, in seconds; 0 ends it at once. */
  gracePeriodSeconds?: number;
}

export interface WorkspaceAdvancedwebhookEndpointsTestRequest {
  /** Endpoint id, as returned by its creation. */
  endpointId: string;
  /** Event type whose sample is sent. */
  eventType?: string;
}

export interface WorkspaceAdvancedwebhookEndpointsUpdateRequest {
  /** Endpoint id, as returned by its creation. */
  endpointId: string;
  /** Address that messages are posted to. */
  url?: string;
  description?: string | null;
  filterTypes?: string[] | null;
  channels?: string[] | null;
  /** If true, nothing is sent. Messages that are missed meanwhile can be replayed. */
  disabled?: boolean;
  rateLimit?: number | null;
  metadata?: Record<string, string> | null;
}

export interface WorkspaceAdvancedwebhookEventtypesGetRequest {
  /** Only this one. */
  eventType?: string;
}

export type WorkspaceAdvancedwebhookconfigGetRequest = Record<string, unknown>;

export interface WorkspaceAdvancedwebhookconfigUpdateRequest {
  /** Must be true in the first request of the API key. */
  isEnabled?: boolean;
  /** Encrypts every body with `publicKey`. */
  encryptData?: boolean;
  /** Sends every body as base64. An encrypted body is encoded after encryption. */
  encodeData?: boolean;
  /** RSA key of at least 2,048 bits: PEM, or base64 of its SPKI or PKCS#1 form. An empty string removes it. */
  publicKey?: string;
  /** Removes texts written by users, and their names, addresses and attachments, from every body. */
  enableDataProtection?: boolean;
}

export interface WorkspaceApikeyCreateRequest {
  ownerEmail: string;
  /** `production` requires a paid plan. */
  type: 'testing' | 'production';
  /** Defaults to a name made from the owner's email. */
  apiKeyName?: string;
  /** If false, the key has no token and cannot be used until its token is reset. */
  createAuthToken?: boolean;
  allowedDomains?: string[];
  /** Adds `localhost` and `127.0.0.1` to the allowed domains. */
  addLocalHostToAllowedDomains?: boolean;
  /** Accepted without effect: data is stored where the service runs. */
  persistenceDBRegion?: string;
  /** Accepted without effect: data is stored where the service runs. */
  realtimeDBRegion?: string;
  /** Stored for clients; it does not change how the service works. */
  enablePrivateComments?: boolean;
  /** Stored for clients; it does not change how the service works. */
  requireAutoOrgUser?: boolean;
  /** Enables emails about notifications. */
  useEmailService?: boolean;
  /** Enables basic webhooks. */
  useWebhookService?: boolean;
  /** Enables notifications. */
  useNotificationService?: boolean;
  /** Enables the default events for notifications. */
  setDefaultNotificationTriggers?: boolean;
  /** Enables the default events for emails. */
  setDefaultEmailTriggers?: boolean;
  emailServiceConfig?: {
    type?: 'default' | 'sendgrid' | 'custom';
    /** Secret. */
    apiKey?: string;
    fromEmail?: '' | string;
    fromCompany?: string;
    commentTemplateId?: string;
    tagTemplateId?: string;
  };
  webhookServiceConfig?: {
    /** Secret, sent as `authorization: Basic <authToken>`. Returned as `__redacted__`. */
    authToken?: string;
    /** Address that messages are sent to. An empty string removes it. */
    rawNotificationUrl?: '' | string;
    /** Second address that messages are sent to. An empty string removes it. */
    processedNotificationUrl?: '' | string;
  };
}

export interface WorkspaceApikeyUpdateRequest {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
  apiKeyName: string;
}

export type WorkspaceApikeyconfigGetRequest = Record<string, unknown>;

export interface WorkspaceApikeyconfigUpdateRequest {
  /** Stored for clients; it does not change how the service works. */
  enablePrivateComments?: boolean;
  /** Stored for clients; it does not change how the service works. */
  requireJwtToken?: boolean;
  /** Stored for clients; it does not change how the service works. */
  requireAutoOrgUser?: boolean;
  defaultDocumentAccessType?: AccessType;
  /** Words that spell-check takes for right, in any case of letters. */
  spellCheckWords?: string[];
  aiModelApiKey?: {
    provider: 'openai' | 'anthropic' | 'gemini';
    /** Secret. */
    customerApiKey: string;
  }[];
  [key: string]: unknown;
}

export interface WorkspaceApikeysGetRequest {
  /** Returns only the entries with these ids. */
  apiKeys?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface WorkspaceAuditExportRequest {
  format?: 'ndjson' | 'csv';
  /** Entries at or after this time, in epoch milliseconds. */
  from?: number;
  /** Entries before this time, in epoch milliseconds. */
  to?: number;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface WorkspaceAuditGetRequest {
  /** Entries at or after this time, in epoch milliseconds. */
  from?: number;
  /** Entries before this time, in epoch milliseconds. */
  to?: number;
  actions?: AuditAction[];
  /** Entries of this actor, as `actor.id` names it. */
  actorId?: string;
  /** Entries about this target, as `target.id` names it. */
  targetId?: string;
  /** Only entries about this API key and within it. */
  apiKey?: string;
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface WorkspaceAuditVerifyRequest {
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export interface WorkspaceAuthtokenResetRequest {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
}

export interface WorkspaceAuthtokensGetRequest {
  /** API key id, as listed in `apiKeyList`. */
  apiKey: string;
}

export interface WorkspaceCreateRequest {
  /** Disposable email domains are rejected. */
  ownerEmail: string;
  /** Display name of the owner. Defaults to the owner's email. */
  name?: string;
  /** Defaults to the owner's name, or email, followed by ` workspace`. */
  workspaceName?: string;
  avatar?: string;
}

export interface WorkspaceDomainsAddRequest {
  domains: string[];
}

export interface WorkspaceDomainsDeleteRequest {
  domains: string[];
}

export type WorkspaceDomainsGetRequest = Record<string, unknown>;

export type WorkspaceEmailconfigGetRequest = Record<string, unknown>;

export interface WorkspaceEmailconfigUpdateRequest {
  useEmailService?: boolean;
  emailServiceConfig?: {
    /** `sendgrid` sends with your API key; the others send through the operator's mail server. */
    type?: 'default' | 'sendgrid' | 'custom';
    /** Secret. Returned as `__redacted__`. */
    apiKey?: string;
    /** Sender address with `sendgrid`; reply-to address with the operator's mail server. */
    fromEmail?: '' | string;
    /** Display name of the sender. */
    fromCompany?: string;
    /** `sendgrid` template for emails about comments. */
    commentTemplateId?: string;
    /** `sendgrid` template for emails about mentions. */
    tagTemplateId?: string;
    /** Events that send an email, by event name. */
    triggers?: Record<string, boolean>;
  };
}

export type WorkspaceGetRequest = Record<string, unknown>;

export interface WorkspaceMember {
  memberId: string;
  name: string;
  email: string | null;
  /** The role in the workspace. */
  role: 'viewer' | 'editor' | 'owner';
  joinedAt: number;
  /** The last use of the console, to within a minute or so. */
  lastSeenAt: number | null;
}

export type WorkspaceNotificationconfigGetRequest = Record<string, unknown>;

export interface WorkspaceNotificationconfigUpdateRequest {
  useNotificationService?: boolean;
  notificationServiceConfig?: {
    triggers?: {
      comment?: Record<string, boolean>;
      huddle?: Record<string, boolean>;
    };
    delayConfig?: {
      isEnabled?: boolean;
      delaySeconds?: number;
    };
    batchConfig?: {
      document?: {
        isEnabled?: boolean;
        batchWindowSeconds?: number;
        /** Once this many notifications are waiting, they are sent without further delay. */
        maxActivities?: number;
      };
      user?: {
        isEnabled?: boolean;
        batchWindowSeconds?: number;
        /** Once this many notifications are waiting, they are sent without further delay. */
        maxActivities?: number;
      };
    };
  };
}

export type WorkspacePermissionproviderconfigGetRequest = Record<string, unknown>;

export interface WorkspacePermissionproviderconfigUpdateRequest {
  usePermissionProvider?: boolean;
  permissionProviderConfig?: {
    /** An empty string removes it. */
    permissionProviderUrl?: '' | string;
    /** Secret. Returned as `__redacted__`. */
    authToken?: string;
  };
}

export type WorkspaceTokenResetRequest = Record<string, unknown>;

export interface WorkspaceUpdateRequest {
  name: string;
}

export interface WorkspaceUsageGetRequest {
  /** Returns only the entries with these ids. */
  apiKeys?: string[];
  /** Maximum number of entries in one response. */
  pageSize?: number;
  /** `nextPageToken` of the previous response; the list continues after it. */
  pageToken?: string;
}

export type WorkspaceWebhookconfigGetRequest = Record<string, unknown>;

export interface WorkspaceWebhookconfigUpdateRequest {
  useWebhookService?: boolean;
  webhookServiceConfig?: {
    /** Secret, sent as `authorization: Basic <authToken>`. Returned as `__redacted__`. */
    authToken?: string;
    /** Address that messages are sent to. An empty string removes it. */
    rawNotificationUrl?: '' | string;
    /** Second address that messages are sent to. An empty string removes it. */
    processedNotificationUrl?: '' | string;
    /** Sends every body as base64. An encrypted body is encoded after encryption. */
    encodeData?: boolean;
    /** Encrypts every body with `publicKey`. */
    encryptData?: boolean;
    /** RSA key of at least 2,048 bits: PEM, or base64 of its SPKI or PKCS#1 form. An empty string removes it. */
    publicKey?: string;
    /** Removes texts written by users, and their names, addresses and attachments, from every body. */
    enableDataProtection?: boolean;
    /** Events that are sent, by event name. */
    triggers?: Record<string, boolean>;
  };
}
