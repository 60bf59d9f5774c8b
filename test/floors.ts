/** The floors of the source, lowest first. Rooms on one line are neighbors, which must not import each other. */
export const FLOORS: readonly (readonly string[])[] = [
  ['lib'],
  ['postgres'],
  ['shapes'],
  ['db'],
  ['annotations'],
  ['events', 'jobs', 'report'],
  ['store', 'outside'],
  ['access'],
  ['files'],
  ['memory', 'webhooks', 'notifications', 'activities', 'realtime'],
  ['review'],
  ['deps.ts'],
  ['http'],
  ['api'],
  ['mcp'],
];

/** The files and folders above all floors, which assemble the service. They may import each other. */
export const ROOF: readonly string[] = [
  'main.ts',
  'boot.ts',
  'cli.ts',
  'private-files.ts',
  'roles',
  'config.ts',
];

/** The order of the folders within a room, lowest first; `.` stands for the files directly in the room. */
export const FLOORS_WITHIN: Readonly<Record<string, readonly (readonly string[])[]>> = {
  store: [
    ['platform', 'access', 'agents'],
    ['users', 'webhooks', 'notifications', 'identity'],
    ['keys', 'live', 'memory'],
    ['knowledge'],
    ['documents'],
    ['annotations'],
    ['reactions', 'attachments'],
    ['annotation-lists'],
    ['privacy', 'retention'],
  ],
  annotations: [['.'], ['decisions']],
  access: [['.'], ['writing', 'oauth']],
  memory: [['embedding', 'insights'], ['scoring'], ['ranking'], ['knowledge', 'suggestions'], ['.']],
  webhooks: [['catalog'], ['settings'], ['compose'], ['deliver']],
  realtime: [['protocol'], ['edit', 'feed'], ['document'], ['log'], ['connection'], ['.']],
  outside: [
    ['net'],
    ['storage', 'mail', 'redis', 'models', 'browser', 'files', 'mcp', 'oauth'],
    ['embed', 'lighthouse', 'browser-agent'],
    ['.'],
  ],
  review: [
    ['injection', 'links', 'causes'],
    ['core'],
    ['gather'],
    ['rules'],
    ['services'],
    ['respond'],
    ['prompt'],
    ['agents'],
    ['findings', 'session'],
    ['memory'],
    ['execute'],
    ['cross-page', 'authoring'],
    ['plan', 'reviews'],
    ['run'],
  ],
  mcp: [['text', 'service'], ['tools'], ['protocol'], ['http']],
  http: [['.'], ['request'], ['limits'], ['server', 'openapi'], ['docs-site', 'console', 'oauth']],
  roles: [
    ['terminal', 'settings', 'log'],
    ['setup', 'carry-over'],
    ['doctor', 'jobs'],
    ['docs', 'commands', 'web'],
    ['.'],
  ],
};
