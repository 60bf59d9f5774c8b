/** A setting that is refused: the environment, its name, the value in the message (undefined for a secret), the rule. */
export interface WrongSetting {
  env: Record<string, string>;
  name: string;
  shown?: string;
  rule: string;
}

const refused = (
  name: string,
  value: string,
  rule: string,
  more: Record<string, string> = {},
): WrongSetting => ({
  env: { [name]: value, ...more },
  name,
  shown: value,
  rule,
});

/** Values of secrets contain this word, and no message may. */
export const SECRET = 'hunter2';

const secret = (name: string, value: string, rule: string): WrongSetting => ({
  env: { [name]: value },
  name,
  rule,
});

/** Settings that are invalid on every machine. */
export const wrongSettings: WrongSetting[] = [
  refused('PORT', 'x', 'must be a whole number from 0 to 65535'),
  refused('PORT', '65536', 'must be a whole number from 0 to 65535'),
  refused('PORT', '8080 ', 'must be a whole number from 0 to 65535'),
  refused('HOST', '999.1.1.1', 'these numbers are no IP address'),
  refused('HOST', '127.0.0.1:8080', 'the port is set by PORT'),
  refused('HOST', 'http://127.0.0.1', 'the port is set by PORT'),
  refused('HOST', '[::1]', 'must be the address without brackets'),
  secret('OTEL_EXPORTER_OTLP_ENDPOINT', 'hunter2:4318', 'must be a URL that begins with http:// or https://'),
  refused('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1/#a', 'must not contain a fragment'),
  secret('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1/?key=hunter2', 'must not contain a query'),
  secret('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'ftp://hunter2@127.0.0.1', 'must be a URL that begins'),
  refused('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'),
  secret('OTEL_EXPORTER_OTLP_HEADERS', 'hunter2', 'must be comma-separated pairs such as api-key=secret'),
  secret('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'a=b%0Ahunter2', 'must be comma-separated pairs'),
  refused('OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on, always_off,'),
  refused('OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'),
  refused('OTEL_EXPORTER_OTLP_ENDPONT', 'http://127.0.0.1', 'did you mean OTEL_EXPORTER_OTLP_ENDPOINT?'),
  refused('REDPEN_POSTGRES_MEMORY', '8', 'must be a whole number from 16 to 65536'),
  refused('REDPEN_KEY_RATE', '0', 'must be a whole number from 1 to 1000000'),
  refused('REDPEN_RUN_TOKENS', '1e6', 'must be a whole number from 1000 to 1000000000'),
  refused('REDPEN_KEEP_RUNS', '0', 'must be a whole number from 1 to 36500'),
  refused('REDPEN_KEEP_EVENTS', '1', 'must be a whole number from 2 to 36500'),
  refused('REDPEN_PLAN', 'gold', 'must be one of free, paid'),
  refused('REDPEN_ROLES', 'api,cook', 'must be any of api, realtime, worker'),
  refused('REDPEN_LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'),
  refused('REDPEN_BROWSER_SANDBOX', 'no', 'must be one of on, off'),
  refused(
    'REDPEN_ALLOW_HOSTS',
    'http://127.0.0.1:8090/',
    'name the host without http:// and path: 127.0.0.1:8090',
  ),
  refused('REDPEN_ALLOW_HOSTS', 'localhost:8090/a', 'name the host without a path: localhost:8090'),
  refused('REDPEN_ALLOW_HOSTS', '10.0.0.0/99', 'Not an address range: 10.0.0.0/99'),
  refused(
    'REDPEN_TRUST_PROXY',
    'proxy.example',
    'must be addresses or ranges such as 10.0.0.0/8, and proxy.example is none',
  ),
  refused('REDPEN_PUBLIC_URL', 'redpen.example', 'must be a URL that begins with http:// or https://'),
  refused('REDPEN_BLOB_URL', 'http://bucket', 'must be a URL that begins with file:// or s3://'),
  refused('REDPEN_BLOB_URL', 'file:blobs', 'must have the whole path of the folder: file:///folder'),
  refused('REDPEN_BLOB_URL', 'file:///', 'must be a folder of its own, and not the root of all'),
  refused('REDPEN_BLOB_URL', 's3:///prefix', 'must name a bucket: s3://bucket/prefix'),
  secret('REDPEN_BLOB_URL', `s3://me:${SECRET}@bucket`, 'must not contain credentials'),
  secret(
    'REDPEN_BLOB_URL',
    `s3://b?secretKey=${SECRET}`,
    'has no parameter secretKey: there are endpoint, region, forcePathStyle',
  ),
  secret(
    'REDPEN_BLOB_URL',
    's3://b?endpoint=127.0.0.1:9000',
    'must have an endpoint that begins with http:// or https://',
  ),
  secret(
    'DATABASE_URL',
    `mysql://u:${SECRET}@h/d`,
    'must be a URL that begins with postgres:// or postgresql://',
  ),
  {
    env: { DATABASE_URL: 'postgres://h/d', DATABASE_REPLICA_URL: `postgres://h/d,mysql://u:${SECRET}@h/d` },
    name: 'DATABASE_REPLICA_URL',
    rule: 'must be a URL that begins with postgres:// or postgresql:// (or several, separated by commas)',
  },
  refused(
    'DATABASE_DIRECT_URL',
    'postgres://h/d',
    'is an address of the server that DATABASE_URL names: set DATABASE_URL too',
  ),
  refused('REDPEN_REPLICA_READS', 'some', 'must be one of lists, all'),
  refused('REDIS_URL', 'http://127.0.0.1:6379', 'must be a URL that begins with redis:// or rediss://'),
  refused('REDIS_URL', 'redis://', 'must be a URL with a host'),
  refused(
    'REDIS_URL',
    'redis://127.0.0.1:6379/abc',
    'must have the number of a database as its path, or none',
  ),
  refused('REDIS_URL', 'redis://127.0.0.1:99999', 'must be a URL, and its host or port is none'),
  refused('HOST', '224.0.0.1', 'must be an address of this machine, and this one is multicast'),
  refused('HOST', '255.255.255.255', 'must be an address of this machine, and this one is broadcast'),
  refused('REDPEN_TRUST_PROXY', '0.0.0.0/0', 'must not be all addresses, whose headers would be believed'),
  refused(
    'REDPEN_TRUST_PROXY',
    '10.0.0.1,::/0',
    'must not be all addresses, whose headers would be believed',
  ),
  refused('REDPEN_TRUST_PROXY', 'nginx', 'must be addresses or ranges such as 10.0.0.0/8, and nginx is none'),
  secret('OPENAI_API_KEY', ` ${SECRET}`, 'must not contain spaces or quotes'),
  secret('ANTHROPIC_API_KEY', `"${SECRET}"`, 'must not contain spaces or quotes'),
  secret('REDPEN_MASTER_KEY', Buffer.alloc(32).toString('base64'), 'must be random'),
  refused('REDPEN_PORT', '9000', 'no such setting; did you mean PORT?'),
  secret('REDPEN_DATABASE_URL', `postgres://u:${SECRET}@h/d`, 'no such setting; did you mean DATABASE_URL?'),
  secret('REDPEN_FOO', SECRET, 'no such setting'),
  secret('REDPEN_MASTER_KEY', SECRET, 'must be base64 of exactly 32 bytes'),
  {
    env: { REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), REDPEN_MASTER_KEY_FILE: '/run/key' },
    name: 'REDPEN_MASTER_KEY_FILE',
    rule: 'must not be set together with REDPEN_MASTER_KEY: the master key has one source',
  },
  {
    env: { REDPEN_MASTER_KEY_FILE: '/run/key', REDPEN_MASTER_KEY_COMMAND: 'key' },
    name: 'REDPEN_MASTER_KEY_COMMAND',
    rule: 'must not be set together with REDPEN_MASTER_KEY_FILE: the master key has one source',
  },
  {
    env: {
      REDPEN_MASTER_KEY_FILE: '/run/key',
      REDPEN_MASTER_KEY_PREVIOUS: Buffer.alloc(32, 7).toString('base64'),
    },
    name: 'REDPEN_MASTER_KEY_PREVIOUS',
    rule: 'must not be set together with REDPEN_MASTER_KEY_FILE, which has earlier keys on lines of their own',
  },
  secret('REDPEN_MASTER_KEY_COMMAND', `echo "${SECRET}"`, 'there is no shell that reads quotes'),
  refused('REDPEN_SIGNING_KEY_DAYS', '-1', 'must be a whole number from 0 to 36500'),
  refused('REDPEN_KEY_AGE_WARNING', 'never', 'must be a whole number from 0 to 36500'),
  secret('REDPEN_SMTP_URL', `smtps//u:${SECRET}@h`, 'must be a URL that begins with smtp:// or smtps://'),
  secret('OPENAI_BASE_URL', `https://me:${SECRET}@h/v1`, 'must not contain a user name or password'),
  refused('REDPEN_EMBEDDINGS', 'magic', 'must be local, openai:MODEL or gemini:MODEL'),
  refused('REDPEN_EMBEDDINGS', 'openai:m', 'needs its provider: set OPENAI_API_KEY or OPENAI_BASE_URL too'),
  refused('REDPEN_MODEL', 'gpt-5', 'must be provider/model'),
  refused('REDPEN_MODEL', 'claude/a', 'needs its provider: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL too', {
    OPENAI_API_KEY: SECRET,
  }),
  refused('REDPEN_BACKUP_URL', '/backups', 'must be a URL that begins with file:// or s3://'),
  refused('REDPEN_BACKUP_URL', 's3://bucket/files/backups', 'must not be within REDPEN_BLOB_URL', {
    REDPEN_BLOB_URL: 's3://bucket/files?region=eu-west-1',
  }),
  refused('REDPEN_BACKUP_SCHEDULE', '@daily', 'must be a cron expression of five fields, such as 30 2 * * *'),
  refused(
    'REDPEN_BACKUP_SCHEDULE',
    '61 * * * *',
    'must be a cron expression of five fields, such as 30 2 * * *',
  ),
  refused('REDPEN_BACKUP_KEEP', '0', 'must be a whole number from 1 to 10000'),
  refused('REDPEN_MAIL_FROM', 'me', 'must be an email address', { REDPEN_SMTP_URL: 'smtp://127.0.0.1' }),
  refused('REDPEN_MAIL_FROM', 'a@example.com', 'is for mail through a server: set REDPEN_SMTP_URL too'),
  {
    env: { REDPEN_SMTP_URL: 'smtp://127.0.0.1' },
    name: 'REDPEN_MAIL_FROM',
    rule: 'is required with REDPEN_SMTP_URL',
  },
  {
    env: { REDPEN_INIT_API_KEY: `key_${SECRET}` },
    name: 'REDPEN_INIT_EMAIL',
    rule: 'is required with the other settings of REDPEN_INIT_',
  },
  refused('REDPEN_ALOW_HOSTS', 'a.example', 'no such setting; did you mean REDPEN_ALLOW_HOSTS?'),
  refused('redpen_plan', 'paid', 'no such setting; did you mean REDPEN_PLAN?'),
  refused('REDPNE_PLAN', 'paid', 'no such setting; did you mean REDPEN_PLAN?'),
  secret('REDPEN_MASTERKEY', SECRET, 'no such setting; did you mean REDPEN_MASTER_KEY?'),
  secret('REDPEN_API_KEYS', SECRET, 'no such setting; did you mean REDPEN_API_KEY?'),
  secret('REDPEN_SOMETHING_ELSE', SECRET, 'no such setting'),
  secret('ANTHROPC_API_KEY', SECRET, 'no such setting; did you mean ANTHROPIC_API_KEY?'),
  secret('DATABSE_URL', `postgres://u:${SECRET}@h/d`, 'no such setting; did you mean DATABASE_URL?'),
  refused('OPENAI_BASEURL', 'http://127.0.0.1:11434', 'no such setting; did you mean OPENAI_BASE_URL?'),
  refused('CHROMEPATH', '/usr/bin/chromium', 'no such setting; did you mean CHROME_PATH?'),
];

/** Matches the line of a message that reports a setting. */
export const lineOf = ({ name, shown, rule }: WrongSetting): RegExp => {
  const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const value = shown === undefined ? '' : `.*${quoted(` (it is ${JSON.stringify(shown)})`)}`;
  return new RegExp(`^  ${quoted(name)}: .*${quoted(rule)}${value}`, 'm');
};
