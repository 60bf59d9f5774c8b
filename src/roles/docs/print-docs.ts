import { REASONS } from '../../http/openapi/failure-responses.ts';
import { buildOpenApi, type Routes, TOO_LARGE, TOO_SLOW } from '../../http/openapi/openapi.ts';
import type { MetricDoc } from '../../http/server/metrics.ts';
import { DOCTOR_DOCS } from './print-doctor-docs.ts';
import { type Components, cell, followed, printFields, type Schema, typeOf } from './print-fields.ts';
import { RETENTION_DOCS } from './print-retention-docs.ts';
import { groupSettings } from './print-settings.ts';

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name?: string; in?: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } };
  responses: Record<
    string,
    { $ref?: string; description: string; content?: Record<string, { schema?: Schema; example?: unknown }> }
  >;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, { post?: Operation; get?: Operation; put?: Operation }>;
  components: {
    securitySchemes: Record<string, { name: string }>;
    schemas: Components;
    responses: Record<string, { description: string }>;
  };
}

/** Prints docs/api.md: every operation with its parameters, results and failures. */
export function printApi(routes: Routes): string {
  const document = buildOpenApi(routes) as unknown as Document;
  const operations = Object.entries(document.paths).flatMap(([path, { post, get, put }]) => [
    ...(post ? [{ method: 'POST', path, ...post }] : []),
    ...(get ? [{ method: 'GET', path, ...get }] : []),
    ...(put ? [{ method: 'PUT', path, ...put }] : []),
  ]);
  const chapters = document.tags.map(({ name, description }) => {
    const inside = operations.filter((operation) => operation.tags[0] === name);
    return `## ${name}\n\n${description}\n\n${inside.map((one) => printOperation(document, one)).join('\n')}`;
  });
  return `# API

Generated from the source of the operations. A running service has the same reference as an OpenAPI document at \`/openapi.json\`, and as a page at \`/docs\` on which you can send requests.

Every operation is a POST of \`{ "data": {…} }\`. It returns \`{ "result": { "status": "success", "message", "data" } }\`, or \`{ "error": { "status", "message", "details" } }\` if it fails.
Missing or wrong credentials are UNAUTHENTICATED (401); a malformed request is INVALID_ARGUMENT (400) with all problems in \`error.details.issues\`.
A write can be repeated with the same \`idempotency-key\` header: for 24 hours it returns the first response.
A request field that the operation does not read is ignored, and reported in \`warnings\` in the result, or rejected with the header \`x-redpen-strict: 1\`; see [unknown fields](api-conventions.md#unknown-fields).
In the tables, \`[]\` stands for every entry of a list, and \`{key}\` for every key of a map.

${chapters.join('\n')}`;
}

function printOperation(document: Document, operation: Operation & { method: string; path: string }): string {
  const { method, path, summary, description, tags, security, requestBody, responses } = operation;
  const headers = Object.keys(security[0] ?? {}).map(
    (id) => `\`${document.components.securitySchemes[id]!.name}\``,
  );
  const body = requestBody?.content['application/json'];
  const data = body?.schema.properties?.data;
  const schema = responses['200']?.content?.['application/json']?.schema;
  const answer = schema && followed(schema, document.components.schemas);
  const result = answer?.properties?.result ?? answer;
  const general: string[] = [...Object.values(REASONS), TOO_LARGE, TOO_SLOW];
  const failures = Object.entries(responses)
    .filter(([code]) => code >= '400')
    .flatMap(([, { $ref, description }]) =>
      ($ref ? document.components.responses[$ref.split('/').at(-1)!]!.description : description).split(
        '\n\n',
      ),
    )
    .filter((line) => !general.some((reason) => line.endsWith(reason)));
  // An operation under an earlier path only refers to its successor.
  if (tags[0] === 'v1' && description?.startsWith('The same as ')) {
    return `### ${method} ${path}\n\n${description.split('. ')[0]!.replace(/\.?$/, '.')}\n`;
  }
  return [
    `### ${method} ${path}`,
    summary,
    ...(description ? [description] : []),
    headers.length > 0
      ? `Headers: ${headers.join(', ')}${security.length > 1 ? '; or a user token as `authorization: Bearer <token>`' : ''}.`
      : 'Public.',
    ...printQuery(operation),
    ...(data ? [printFields(data, document.components.schemas) ?? 'The request has no fields.'] : []),
    ...(body?.example ? [`\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``] : []),
    ...(result ? printAnswer(result, document.components.schemas) : []),
    ...printExample(responses['200']?.content?.['application/json']?.example),
    ...(failures.length > 0 ? [`Fails with:\n\n${failures.map((line) => `- ${line}`).join('\n')}`] : []),
    '',
  ].join('\n\n');
}

/** A recorded answer, folded because it is longer than its table. */
const printExample = (example: unknown): string[] =>
  example === undefined
    ? []
    : [
        `<details><summary>Example of an answer</summary>\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\`\n\n</details>`,
      ];

/** The query parameters of an operation as a table. */
function printQuery({ parameters = [] }: Operation): string[] {
  const inQuery = parameters.filter((one) => one.in === 'query');
  if (inQuery.length === 0) return [];
  const properties = Object.fromEntries(
    inQuery.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = inQuery.flatMap(({ name, required }) => (required && name ? [name] : []));
  return ['Query parameters:', ...[printFields({ properties, required }, {}) ?? []].flat()];
}

function printAnswer(result: Schema, components: Components): string[] {
  const shown = withoutWarnings(result, components);
  const { status, message, data, ...beside } = shown.properties ?? {};
  if (status?.const !== 'success' || !message) return printResult(shown, 'in `result`', components);
  const words = message.const === undefined ? '' : `with the message \`${String(message.const)}\``;
  if (!data || followed(data, components).type === 'null')
    return [`Returns ${['no data', words].filter(Boolean).join(' ')}.`];
  const { required = [] } = shown;
  const others = printFields({ properties: beside, required }, components);
  return [
    ...printResult(data, words, components),
    ...(others === undefined ? [] : [`Next to \`data\`:\n\n${others}`]),
  ];
}

/** A result without the warnings, which are the same in all operations. */
function withoutWarnings(result: Schema, components: Components): Schema {
  const schema = followed(result, components);
  const [own, ...more] = (schema.allOf ?? []).filter(({ $ref }) => !$ref?.endsWith('/Warnings'));
  if (own && more.length === 0) return withoutWarnings(own, components);
  const { warnings, warningsOmitted, ...others } = schema.properties ?? {};
  const forms = (members: Schema[]) => members.map((member) => withoutWarnings(member, components));
  return {
    ...schema,
    // Only results of operations have both; the readiness probe has warnings of its own.
    ...(warnings && warningsOmitted && { properties: others }),
    ...(schema.anyOf && { anyOf: forms(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: forms(schema.oneOf) }),
  };
}

function printResult(schema: Schema, words: string, components: Components): string[] {
  const fields = printFields(schema, components);
  const type = typeOf(schema, components);
  const answer = ['Returns', `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`, words]
    .filter(Boolean)
    .join(' ');
  const { description: own } = followed(schema, components);
  const description = own === undefined ? '' : ` ${own}`;
  return [`${answer}.${description}`, ...(fields === undefined ? [] : [fields])];
}

/** A rule of Prometheus, as far as operators read it. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  annotations: { summary: string; description: string };
}

/** Prints docs/running.md: how to run the service, with all settings and metrics. */
export function printRunning(metrics: readonly MetricDoc[], alerts: readonly AlertRule[]): string {
  const tables = groupSettings().map(({ title, settings }) => {
    const rows = settings.map(
      ({ name, description, fallback = '' }) =>
        `| \`${name}\` | ${cell(description)} | ${['', 'none'].includes(fallback) ? fallback : `\`${fallback}\``} |`,
    );
    return [`### ${title}`, '', '| Name | Meaning | Default |', '|---|---|---|', ...rows].join('\n');
  });
  return `# Running Redpen

\`npm start\` runs the service with its own PostgreSQL in \`./data\`. With \`DATABASE_URL\` it uses your own server, and several processes can share the work.

\`npm start\` uses a bundled Node 24 if the installed Node is older. \`node src/main.ts\` needs Node 24 or newer; older ones fail with \`ERR_UNKNOWN_FILE_EXTENSION\`.

It stops without loss on SIGTERM or SIGINT. \`GET /live\` shows that the process answers, whatever else is down, for supervisors that restart it otherwise. \`GET /health\` shows that it reaches its database, with its \`version\` and \`commit\` (the same as \`npm start -- --version\`). \`GET /ready\` shows if it can do all of its work (see [what it answers](#what-ready-answers)), and \`GET /metrics\` shows its metrics.

## Settings

All settings are environment variables. An empty one counts as not set. A wrong or misspelled one prevents the start before anything is created: the message contains the setting, its value unless that may be secret, and the rule. A folder that cannot be written, an address that does not belong to this machine, a port in use, and a setting that needs another one are reported in the same way. A variable that only looks like a setting, and may belong to another program, is a warning in the log.

${tables.join('\n\n')}

## Commands

\`npm run redpen -- --help\` lists all commands. They connect to the database of the running service. If no service runs on the data directory, they start its PostgreSQL temporarily. They use the same settings as the service. In the image, use \`redpen\` instead of \`npm run redpen --\`: \`docker exec CONTAINER redpen workspace list\`.

| Command | Effect |
|---|---|
| \`workspace list [--email E]\` | Lists workspaces. |
| \`workspace show ID\` | Shows a workspace and its API keys. |
| \`workspace create EMAIL [--name N] [--plan free\\|paid] [--another] [--json]\` | Creates a workspace of an owner with an API key, and prints their credentials for a shell; see below. |
| \`workspace token ID [--json]\` | Prints a workspace's id and token. |
| \`workspace plan ID free\\|paid\` | Changes the plan of a workspace; a paid one may have production keys and further workspaces. |
| \`key create WORKSPACE [--name N] [--type testing\\|production] [--json]\` | Creates an API key, and prints it and its token. |
| \`key list [WORKSPACE]\` | Lists API keys, without secrets. |
| \`key token KEY [--token-name N] [--json]\` | Prints an API key and its token. |
| \`key reset KEY [--json]\` | Replaces the token of an API key, and prints the new one. |
| \`key rotate KEY [--grace 7d] [--token-name NAME] [--json]\`, \`workspace rotate-token WORKSPACE [--grace 7d] [--json]\` | Prints a new token; the earlier one stays valid for a while. See [keys](keys.md). |
| \`key tokens KEY\` | Lists the tokens of an API key with their age and last use. |
| \`webhook list [KEY] [--older-than 90d] [--json]\` | Lists webhook endpoints with the age of their secret. |
| \`webhook rotate-secret KEY ENDPOINT [--grace 24h] [--json]\` | Prints a new secret of an endpoint; the earlier one also signs for a while. |
| \`user-token KEY USER [--organization ID]… [--document ORG/DOC]… [--role viewer\\|editor] [--admin] [--name N] [--email E] [--json]\` | Creates a token of an end user. |
| \`allow-host [HOST…] [--remove]\` | Allows internal hosts while the service runs, or removes them again. Without hosts it lists them. |
| \`access explain KEY ORGANIZATION DOCUMENT USER [--token T]\` | Explains by which rule a user may or may not open a document. |
| \`db\` | Describes the database: version, size, settings, and how to connect to it. |
| \`db carry-over\` | Carries the database of an earlier version over; see below. |
| \`db distribute\` | Spreads the tables over the servers of a Citus cluster by API key; \`--dry-run\` only prints the statements, and what Citus refuses. |
| \`psql [--superuser] [-- OPTIONS]\` | Opens psql on the database, if it is installed. |
| \`review URL…\` | Reviews pages with several agents, with a service of its own; see [reviews from the command line](review-command.md). |
| \`doctor [--json]\` | Checks everything that the service depends on; see below. |
| \`usage [--limit N]\` | Lists the storage of API keys, the largest first. |
| \`prune [--dry-run] [--json]\` | Removes data that is older than the settings keep it; see [retention](#retention). |
| \`keys rotate-signing\` | Signs user tokens with a new key. Issued tokens stay valid until they expire. |
| \`keys rotate [--new]\` | Seals every stored secret again with the current master key, or with a [new one](keys.md#rotation). |
| \`keys rotate-old [WORKSPACE] --older-than 90d [--kind KIND] [--grace 7d] [--dry-run]\` | Replaces tokens and webhook secrets of this age, and prints the new ones as JSON lines, [for a schedule](keys.md#by-schedule). |
| \`audit list [WORKSPACE] [--limit N]\` | Lists the newest entries of the [audit log](audit.md) of a workspace, or those about the service itself. |
| \`audit verify [WORKSPACE]\` | Checks whether the audit logs are whole; the exit code is 1 if one is not. |

## Credentials

A client needs the address of the service, an API key and its token; the id and token of a workspace are needed to manage its keys. One line creates all of them and sets them in a shell:

\`\`\`sh
eval "$(npm run --silent redpen -- workspace create ada@acme.dev)"
\`\`\`

It prints \`export\` lines of \`REDPEN_URL\`, \`REDPEN_WORKSPACE_ID\`, \`REDPEN_WORKSPACE_TOKEN\`, \`REDPEN_API_KEY\` and \`REDPEN_AUTH_TOKEN\` on stdout, and notices for people on stderr. With \`--json\` it prints one object of the same names. In the image the command is \`redpen workspace create ada@acme.dev\`.

If it is repeated, it prints the credentials of the owner's existing workspace. The operator, who has the data directory or the settings \`DATABASE_URL\` and \`REDPEN_MASTER_KEY\`, can always print tokens again, because they are stored encrypted. \`--another\` creates a further workspace, which requires that the first one is on the paid plan, as over HTTP.

\`workspace create\` needs no service: before the first start it creates the data directory, the database and the master key. \`REDPEN_URL\` is \`REDPEN_PUBLIC_URL\` if set, otherwise the address of the service that runs on the data directory, or, if none runs, the address according to \`HOST\` and \`PORT\`.

\`key reset KEY\` replaces a leaked token. Every process of the service refuses the earlier token, and user tokens created with it, at once, or after at most 10 seconds if its connection to the database is broken at that moment. \`user-token KEY USER\` creates a token of an end user in the way of \`/v2/auth/generate_token\`, and prints \`REDPEN_USER_TOKEN\`.

In a container, settings can create the workspace. With \`REDPEN_INIT_EMAIL\`, the workspace of that owner exists once the service has started: a start creates what is missing and leaves the rest unchanged, also if several processes start concurrently on one server. \`REDPEN_INIT_WORKSPACE\` (the name) and \`REDPEN_PLAN\` apply when it is created. \`REDPEN_INIT_API_KEY\` and \`REDPEN_INIT_AUTH_TOKEN\` are the exact id and token of its API key, so that clients can be configured in advance. Without them, both are generated, and \`workspace create EMAIL\` prints them. A changed \`REDPEN_INIT_AUTH_TOKEN\` replaces all tokens of the key at the next start, and the log reports it. As long as it is set, it is also restored after a reset. A changed \`REDPEN_INIT_API_KEY\` adds a key; the earlier one stays. The log never contains a token.

## Who may sign up

\`REDPEN_SIGNUP\` determines who may create workspaces with \`/v2/workspace/create\`, which takes no credentials:

| Value | Effect |
|---|---|
| \`open\` | Anyone who reaches the service may. This is the default; if the service listens on more than loopback or has a public address, the log warns about it at the start. |
| \`first\` | Anyone may while there is no workspace at all. Of concurrent requests, one succeeds. |
| \`closed\` | No request may. |

Refused requests get \`PERMISSION_DENIED\` and count towards the rate of their address. Further workspaces of an owner are created by the same operation, which is authenticated by nothing but an email address, so \`first\` and \`closed\` refuse them as well. The operator can always create workspaces with \`workspace create\`.

## Internal hosts

Reviewed pages, webhook endpoints, tool servers and REST endpoints of agents may be anywhere on the internet, but not at internal, loopback or link-local addresses. Otherwise a page or a caller could read what only this machine or its network can reach (SSRF). Exempt your own hosts by name or address, with or without a port, or by range: \`staging.internal\`, \`*.corp.example\`, \`127.0.0.1:8090\`, \`[::1]:3000\`, \`10.0.0.0/8\`. An exempted name may resolve to any address.

\`REDPEN_ALLOW_HOSTS\` exempts hosts from the start. While the service runs, use a command:

\`\`\`sh
npm run redpen -- allow-host 127.0.0.1:8090 staging.internal
npm run redpen -- allow-host --remove 127.0.0.1:8090
npm run redpen -- allow-host
\`\`\`

It stores them in the database and waits until a process of the service applies them. All processes do so within 5 seconds and log it. Open connections stay open. Without hosts it lists all exemptions by the setting and by the command. Every API key of the service may use an exempted host, so include ports and exempt no more than needed.

A request with such a host is refused with the command that would allow it. A host that proves to be internal only when it is connected to, such as a name that resolves to \`10.0.0.5\`, ends a run with that remark. Elsewhere, callers see the same failure as for a host that does not answer, and the log of the service contains the host.

## Log

The service writes its log to standard output, one line per entry. On a terminal it is formatted for people, with local times; elsewhere each line is a JSON object. \`REDPEN_LOG\` sets the format, \`REDPEN_LOG_LEVEL\` the minimum level.

\`\`\`
18:39:50.278 INFO:  run starts agentName="Broken links" url=https://example.com/ waitedMs=41 executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
18:39:51.904 WARN:  page fails url=https://example.com/a code=TIMEOUT reason="The page took too long." executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
18:39:52.117 WARN:  webhook endpoint begins to fail host=hooks.example.com event=document.update tries=1 status=500 reason="The receiver answered 500; only 2xx counts as delivered." messageId=evt_3 endpointId=we_9 apiKeyId=key_Zx
18:39:54.660 INFO:  run ends agentName="Broken links" url=https://example.com/ status=partial ms=4382 pages=6 pagesFailed=1 findings=3 executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
\`\`\`

\`\`\`json
{"level":"warn","time":"2026-11-23T18:39:51.904Z","service":"redpen","url":"https://example.com/a","code":"TIMEOUT","reason":"The page took too long.","executionId":"exec_17","agentId":"broken-links","apiKeyId":"key_Zx","msg":"page fails"}
\`\`\`

In JSON, \`level\` is a word, \`time\` is UTC in ISO 8601 and \`msg\` the same few words each time, so that collectors such as Loki and Datadog need no configuration: \`jq 'select(.level == "warn")'\`. Values cannot forge a line: control characters are escaped in both forms. Tokens, passwords, headers and queries of URLs are not logged. If [traces](observability.md#traces) are sent, lines about a request or job have its \`trace_id\` and \`span_id\`.

| Level | What is logged |
|---|---|
| \`fatal\` | An uncaught exception. The process hands its work back and exits with 1. |
| \`error\` | A fault of Redpen, with its stack; an outage of the database or a full disk. |
| \`warn\` | Events that an operator should look at: runs that end in \`error\`, pages that fail, webhook endpoints that begin to fail or are disabled, webhooks, mail and jobs that failed after their last attempt, requests that are refused with 503, statements of the database that take as long as \`REDPEN_SLOW_STATEMENT_MS\`, telemetry that a collector does not take. |
| \`info\` | Start and end of the process and of each run; refused access with its rule; requests that take a second or longer. |
| \`debug\` | Each request and each attempt of a webhook. |

Errors of callers are not logged above \`info\`, except for runs, whose page may be gone for other reasons. Repeating lines are throttled: the last line says \`next="later ones are counted for a minute"\`, and the first line after that minute has their number as \`leftOut\`.

## Metrics

\`GET /metrics\` of each process returns its metrics in the text format of Prometheus. In addition there are \`process_…\` and \`nodejs_…\` of prom-client under their usual names, for which dashboards exist. Labels have few values: your own agents are all \`custom\`, and routes are paths of operations. An execution is counted once, at its end, by the process that ends it. A process with the role \`worker\` alone serves metrics and probes, too. If its \`PORT\` is in use by another process, it does not, and the log says so.

| Name | Type | Labels | Meaning |
|---|---|---|---|
${metrics.map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${cell(help)} |`).join('\n')}

[\`integrations/prometheus/alerts.yaml\`](../integrations/prometheus/alerts.yaml) has rules for alerts, and [\`integrations/grafana/redpen.json\`](../integrations/grafana/redpen.json) a dashboard; [observability](observability.md) describes both.

| Alert | Rule | What to do |
|---|---|---|
${alerts.map(({ alert, expr, for: lasts, annotations }) => `| \`${alert}\` | \`${cell(expr)}\`${lasts === undefined ? '' : ` for ${lasts}`} | ${cell(annotations.description)} |`).join('\n')}

## Traces

Requests, statements, jobs, runs, pages, questions to models, webhooks and mail can be sent as traces to an OpenTelemetry collector, and the metrics as well: \`OTEL_EXPORTER_OTLP_ENDPOINT\` names it; see [observability](observability.md#traces).

${DOCTOR_DOCS}
## In a container

The \`Dockerfile\` builds an image from a clone. The database and all files are in \`/data\`, which should be a volume:

<!-- not run: needs Docker -->
\`\`\`sh
docker build --build-arg COMMIT="$(git rev-parse HEAD)" --tag redpen .
docker run --detach --name redpen --read-only --tmpfs /tmp --publish 127.0.0.1:8080:8080 --volume redpen:/data \\
  --env REDPEN_BROWSER_SANDBOX=off redpen
docker exec redpen redpen workspace create ada@acme.dev
docker exec redpen redpen console link
\`\`\`

\`/health\` shows \`COMMIT\`; without it \`commit\` is \`null\`. The service runs as the user \`node\` under its own init, so that \`--init\` is not needed; nor is \`--shm-size\`, because Chromium does not use \`/dev/shm\`. The image contains fonts for the world's scripts and emoji. The 10 seconds of \`docker stop\` are enough. Docker's default seccomp profile prevents the sandbox of Chromium, without which no page is opened unless \`REDPEN_BROWSER_SANDBOX\` is off: then only the container confines a page. To have both, omit the setting and run the container with a profile that allows user namespaces, \`--security-opt seccomp=FILE\`; see [the browser](review-agents.md#the-browser). A bind mount instead of a volume must belong to user 1000. The root may be read-only, since everything that is written goes to \`/data\` and \`/tmp\`. [Deploying](deploying.md) has more about the image, and several processes with Docker Compose and Helm.

## The database

Without \`DATABASE_URL\`, everything is in \`REDPEN_DATA_DIR\`: the database, stored files and the master key. One service at a time can use the folder; a second one is refused. No other user of the machine can read it: open permissions are closed at the next start. **Access to the folder is access to the secrets in it**, because it contains the key; to separate them, set \`REDPEN_MASTER_KEY\` yourself. \`npm run redpen -- db\` shows version, size and settings of the database and how to connect to it, and \`npm run redpen -- psql\` opens a shell on it, if psql is installed.

Without \`DATABASE_URL\`, the service starts an embedded PostgreSQL, which is available for Linux (glibc), macOS and Windows. Its files are in \`postgres\` in the data directory. It listens only on a socket in that folder (on Windows on loopback, with a generated password), writes to the log of the service, and always ends with the service. If it crashes, it is restarted; meanwhile requests get \`UNAVAILABLE\`, and \`/ready\` says why.

As root, the service runs it as the owner of the data directory, or as user 65534 if root owns the directory. If that user cannot reach programs or data, it needs \`setpriv\` (of util-linux).

\`REDPEN_POSTGRES_MEMORY\` and \`REDPEN_POSTGRES_CONNECTIONS\` change its size. \`postgresql.conf\` is rewritten at each start; put your own settings into \`local.conf\` next to it.

Under systemd, set \`KillMode=mixed\`, so that a stop signals only the service, which stops its database after its own work.

Below \`REDPEN_DISK_RESERVE\`, writes are refused with \`UNAVAILABLE\`, no run and no other work that adds data is started, and reads and deletions continue; a tenth above it, normal operation resumes. With less than 48 MB left on its disk, the database is read-only: requests that write get \`UNAVAILABLE\`, and \`/ready\` says so. From 64 MB on, writes are accepted again without a restart. A start needs that much as well.

The storage of each API key is counted every hour (see \`npm run redpen -- usage\`), and \`REDPEN_STORED_MB\` limits it.

To use your own PostgreSQL server, set its address. Redpen creates its tables:

<!-- not run: needs a PostgreSQL server -->
\`\`\`sh
DATABASE_URL=postgres://redpen:secret@db.internal:5432/redpen npm start
\`\`\`

Any number of processes can then share the work. Give all of them the same \`REDPEN_MASTER_KEY\` and a \`REDPEN_BLOB_URL\` that all can reach. \`npm run redpen -- move\` takes the data of a data folder there and back ([backups](backups.md)), and [scaling](scaling.md) says how it grows from there: poolers, read replicas, many processes.

Your server needs PostgreSQL 15 or later, a database in UTF8, and a role that owns it; no extension and no superuser. If pgvector is available, it is used for API keys with more than 100,000 judgments.

A service or command that starts while this server starts, recovers or restarts, or accepts no connections, waits up to 30 seconds for it, which the log says, and then ends with the last error. A lasting fault, such as a wrong password or an unknown database, ends it at once.

## Language models

Set the key of a provider (\`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_GENERATIVE_AI_API_KEY\`), or the address of a compatible server: \`OPENAI_BASE_URL=http://127.0.0.1:11434\` for Ollama, vLLM or llama.cpp, which needs no key. Redpen detects if such a server supports chat completions or responses, streaming, and schemas.

\`REDPEN_MODEL\` is the default model, \`REDPEN_MODELS\` restricts the models that agents and callers may choose, and \`REDPEN_RUN_TOKENS\` ends an execution that spends too much, at most one answer later.

Requests go only to that address and follow no redirects. They are attempted three times on rate limits, server errors and broken connections, with the delay that the provider asks for. Error messages never contain keys or prompts.

## Search by meaning

Judgments and uploaded knowledge are searched by meaning with embeddings (vectors of texts). By default, \`REDPEN_EMBEDDINGS=local\`, a bundled model computes them (all-MiniLM-L6-v2), and nothing leaves the machine. It runs in its own process with lower priority, about 140 MB of memory and one thread, which starts on demand in about a second and ends after five minutes without work. It works best for English.

With \`REDPEN_EMBEDDINGS=openai:MODEL\` or \`gemini:MODEL\` a provider computes them, with the key and address above; a compatible server with a base URL needs no key. Then **the text of every judgment, of all uploaded knowledge, and of every search is sent to that address**, also for agents that use another provider or none. Vectors of different models cannot be compared: after a change, stored texts are embedded again in the background.

${RETENTION_DOCS}## Changing the master key

[Keys and their rotation](keys.md) explains the sources of the master key, and how it and all other keys are rotated: \`npm run redpen -- keys rotate --new\` makes a new master key in the data folder while the service runs.

## Backups

\`npm run redpen -- backup FILE\` writes a backup while the service runs, and \`REDPEN_BACKUP_URL\` makes the service write them by itself: see [Backups and moves](backups.md). Store the master key apart from them: without it, the secrets in a backup cannot be read, and a lost master key cannot be recovered. [Upgrading](upgrading.md) needs a backup first.

## Folders of earlier versions

Earlier versions had a database inside the process (PGlite), in \`pg\` in the data directory. The service does not start on such a folder until it is carried over once, while no service runs on it (in the image: \`redpen db carry-over\`):

<!-- not run: needs a folder of an earlier version -->
\`\`\`sh
npm run redpen -- db carry-over
\`\`\`

It copies the folder, reads the copy with PGlite, and writes every table, including waiting jobs, into the new database: the one in the data directory, or that of \`DATABASE_URL\`, which must be empty. All of this is one transaction, which commits once every table has been counted and compared. Files and keys stay in place. An interrupted run leaves nothing behind and can be repeated. At the end, \`pg\` is renamed to \`pg-before-<date>\`; its files are unchanged.

The disk needs space for the copy and for the new database. A gigabyte takes about a minute, and memory grows only with the largest row. PGlite is installed with \`npm ci\` for this command and removed afterwards; without a network, run \`npm ci\` in \`tools/pglite-reader\` elsewhere and copy its \`node_modules\`.
`;
}
