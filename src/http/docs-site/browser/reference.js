// @ts-check
/** @type {any} */ (window).Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideSearch: true,
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  operationTitleSource: 'path',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: [['apiKey', 'authToken']] },
  // The search links to these anchors.
  generateOperationSlug: (/** @type {{ operationId?: string, path: string }} */ { operationId, path }) =>
    operationId ?? path,
  customCss: '.scalar-app { --scalar-custom-header-height: var(--header); }',
});
