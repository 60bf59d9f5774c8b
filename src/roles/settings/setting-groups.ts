import { otelSettings } from './otel-settings.ts';

/** Settings by heading, in the order in which an operator needs them. */
export const SETTING_GROUPS: readonly { title: string; names: readonly string[] }[] = [
  {
    title: 'First steps',
    names: ['HOST', 'PORT', 'REDPEN_DATA_DIR', 'REDPEN_ALLOW_HOSTS', 'REDPEN_LOG', 'REDPEN_LOG_LEVEL'],
  },
  {
    title: 'Models',
    names: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'GOOGLE_GENERATIVE_AI_BASE_URL',
      'REDPEN_MODEL',
      'REDPEN_MODELS',
      'REDPEN_MODEL_PRICES',
      'REDPEN_MODEL_OUTPUT_TOKENS',
      'REDPEN_RUN_TOKENS',
      'REDPEN_EMBEDDINGS',
    ],
  },
  {
    title: 'Workspaces',
    names: [
      'REDPEN_SIGNUP',
      'REDPEN_PLAN',
      'REDPEN_INIT_EMAIL',
      'REDPEN_INIT_WORKSPACE',
      'REDPEN_INIT_API_KEY',
      'REDPEN_INIT_AUTH_TOKEN',
    ],
  },
  { title: 'Requests', names: ['REDPEN_UNKNOWN_FIELDS'] },
  { title: 'Console', names: ['REDPEN_CONSOLE', 'REDPEN_CONSOLE_HOSTS'] },
  { title: 'Behind a proxy', names: ['REDPEN_PUBLIC_URL', 'REDPEN_TRUST_PROXY'] },
  {
    title: 'Database and files',
    names: [
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'DATABASE_REPLICA_URL',
      'REDPEN_REPLICA_READS',
      'REDPEN_POSTGRES_MEMORY',
      'REDPEN_POSTGRES_CONNECTIONS',
      'REDPEN_BLOB_URL',
      'REDPEN_DISK_RESERVE',
    ],
  },
  {
    title: 'Keys',
    names: [
      'REDPEN_MASTER_KEY',
      'REDPEN_MASTER_KEY_FILE',
      'REDPEN_MASTER_KEY_COMMAND',
      'REDPEN_MASTER_KEY_PREVIOUS',
      'REDPEN_SIGNING_KEY_DAYS',
      'REDPEN_KEY_AGE_WARNING',
    ],
  },
  {
    title: 'Backups',
    names: ['REDPEN_BACKUP_URL', 'REDPEN_BACKUP_SCHEDULE', 'REDPEN_BACKUP_KEEP', 'REDPEN_BACKUP_FILES'],
  },
  {
    title: 'Retention',
    names: [
      'REDPEN_KEEP_RUNS',
      'REDPEN_KEEP_SCREENSHOTS',
      'REDPEN_KEEP_RUN_LOGS',
      'REDPEN_KEEP_NOTIFICATIONS',
      'REDPEN_KEEP_ACTIVITIES',
      'REDPEN_KEEP_EVENTS',
      'REDPEN_KEEP_DELIVERIES',
    ],
  },
  { title: 'Several processes', names: ['REDPEN_ROLES', 'REDIS_URL'] },
  {
    title: 'Browser',
    names: ['CHROME_PATH', 'REDPEN_BROWSER_SANDBOX', 'REDPEN_MAX_PAGES', 'REDPEN_TRUST_CERTIFICATES'],
  },
  { title: 'Mail', names: ['REDPEN_SMTP_URL', 'REDPEN_MAIL_FROM', 'REDPEN_SENDGRID_URL'] },
  {
    title: 'Observability',
    names: ['REDPEN_SLOW_STATEMENT_MS', ...Object.keys(otelSettings)],
  },
  {
    title: 'Limits',
    names: [
      'REDPEN_KEY_RATE',
      'REDPEN_REQUESTS_AT_ONCE',
      'REDPEN_ADDRESS_RATE',
      'REDPEN_CONNECTION_RATE',
      'REDPEN_WORKSPACE_RATE',
      'REDPEN_LIVE_CONNECTIONS',
      'REDPEN_LIVE_ADDRESS_CONNECTIONS',
      'REDPEN_LIVE_MESSAGES',
      'REDPEN_WEBHOOK_ENDPOINTS',
      'REDPEN_WEBHOOK_HOST_CONNECTIONS',
      'REDPEN_WAITING_JOBS',
      'REDPEN_ATTACHMENT_MB',
      'REDPEN_STORED_MB',
      'REDPEN_KEEP_AUDIT',
    ],
  },
];
