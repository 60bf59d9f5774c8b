import { REASONS } from '../../http/openapi/failure-responses.ts';
import { buildOpenApi, type Routes, TOO_LARGE, TOO_SLOW } from '../../http/openapi/openapi.ts';
import type { MetricDoc } from '../../http/server/metrics.ts';
import { DOCTOR_DOCS } from './print-doctor-docs.ts';
import { type Components, cell, printFields, type Schema, typeOf } from './print-fields.ts';
import { groupSettings } from './print-settings.ts';

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name?: string; in?: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, { post?: Operation; get?: Operation; put?: Operation }>;
  components: { securitySchemes: Record<string, { name: string }>; schemas: Components };
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

Made from the operations themselves; the same as data at \`/openapi.json\`, and to try out at \`/docs\`.

Every operation is a POST of \`{ "data": {…} }\` and answers \`{ "result": { "status": "success", "message", "data" } }\`, or \`{ "error": { "status", "message", "details" } }\` when it fails.
Missing or wrong credentials are UNAUTHENTICATED (401), a malformed request is INVALID_ARGUMENT (400) with every problem at once in \`error.details.issues\`.
An operation that changes something may be sent again with the same \`idempotency-key\` header: it answers as the first time, for 24 hours.
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
  const answer = responses['200']?.content?.['application/json']?.schema;
  const result = answer?.properties?.result ?? answer;
  const general: string[] = [...Object.values(REASONS), TOO_LARGE, TOO_SLOW];
  const failures = Object.entries(responses)
    .filter(([code]) => code >= '400')
    .flatMap(([, failed]) => failed.description.split('\n\n'))
    .filter((line) => !general.some((reason) => line.endsWith(reason)));
  // For an operation under an earlier path, the first sentence is enough.
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
    ...(data ? [printFields(data, document.components.schemas) ?? 'It takes no fields.'] : []),
    ...(body?.example ? [`\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\``] : []),
    ...(result ? printAnswer(result, document.components.schemas) : []),
    ...(failures.length > 0 ? [`Fails with:\n\n${failures.map((line) => `- ${line}`).join('\n')}`] : []),
    '',
  ].join('\n\n');
}

/** Parameters in the address. */
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
  return ['In the query:', ...[printFields({ properties, required }, {}) ?? []].flat()];
}

function printAnswer(result: Schema, components: Components): string[] {
  const { status, message, data, ...beside } = result.properties ?? {};
  if (status?.const !== 'success' || !message) return printResult(result, 'in `result`', components);
  const words = message.const === undefined ? '' : `with the message \`${String(message.const)}\``;
  if (!data || data.type === 'null') return [`Answers ${['no data', words].filter(Boolean).join(' ')}.`];
  const others = printFields({ properties: beside }, components);
  return [
    ...printResult(data, words, components),
    ...(others === undefined ? [] : [`Beside \`data\`:\n\n${others}`]),
  ];
}

function printResult(schema: Schema, words: string, components: Components): string[] {
  const fields = printFields(schema, components);
  const answer = ['Answers', typeOf(schema), words].filter(Boolean).join(' ');
  const description = schema.description === undefined ? '' : ` ${schema.description}`;
  return [`${answer}.${description}`, ...(fields === undefined ? [] : [fields])];
}

/** Prints docs/running.md: how to run the service, with all settings and metrics. */
export function printRunning(metrics: readonly MetricDoc[]): string {
  const tables = groupSettings().map(({ title, settings }) => {
    const rows = settings.map(
      ({ name, description, fallback = '' }) =>
        `| \`${name}\` | ${cell(description)} | ${['', 'none'].includes(fallback) ? fallback : `\`${fallback}\``} |`,
    );
    return [`### ${title}`, '', '| Name | Meaning | Default |', '|---|---|---|', ...rows].join('\n');
  });
  return `# Running Redpen

\`npm start\` runs the service with its own PostgreSQL in \`./data\`. With \`DATABASE_URL\` it uses a server of yours, and several processes may share the work.

\`npm start\` runs on the Node 24 that comes along where the machine's own is older; \`node src/main.ts\` needs one of 24 or newer on the machine, and an older one says \`ERR_UNKNOWN_FILE_EXTENSION\`.

It ends by itself and without loss on SIGTERM or SIGINT. \`GET /health\` tells whether the process is up, with its \`version\` and \`commit\` (as \`npm start -- --version\` does), \`GET /ready\` whether it does all of its work (see [what it answers](#what-ready-answers)), \`GET /metrics\` what it measured.

## Settings

All are environment variables; an empty one counts as not set. A wrong or misspelt one keeps the service from starting, before anything is made: the message names it, what it is set to unless that may be secret, and what it has to be. So does a folder that cannot be written, an address that is not of this machine, a port in use, and one setting without another that it needs. What only looks like a setting, and may belong to another program, is a warning in the log.

${tables.join('\n\n')}

## Commands

\`npm run redpen -- --help\` lists them all. They connect to the database of the running service. Where no service runs on the data directory, they start its PostgreSQL for as long as they take. What they need to know is in the same settings as for the service. In the image, \`redpen\` takes the place of \`npm run redpen --\`: \`docker exec CONTAINER redpen workspace list\`.

| Command | Effect |
|---|---|
| \`workspace list [--email E]\` | Lists workspaces. |
| \`workspace show ID\` | Shows a workspace and its API keys. |
| \`workspace create EMAIL [--name N] [--plan free\\|paid] [--another] [--json]\` | Makes an owner's workspace with an API key, and prints their credentials for a shell; see below. |
| \`workspace token ID [--json]\` | Prints a workspace's id and token. |
| \`workspace plan ID free\\|paid\` | Puts a workspace on a plan; a paid one may have production keys and further workspaces. |
| \`key create WORKSPACE [--name N] [--type testing\\|production] [--json]\` | Makes an API key, and prints it and its token. |
| \`key list [WORKSPACE]\` | Lists API keys, without secrets. |
| \`key token KEY [--token-name N] [--json]\` | Prints an API key and its token. |
| \`key reset KEY [--json]\` | Replaces the token of an API key, and prints the new one. |
| \`user-token KEY USER [--organization ID]… [--document ORG/DOC]… [--role viewer\\|editor] [--admin] [--name N] [--email E] [--json]\` | Makes the token of an end user. |
| \`allow-host [HOST…] [--remove]\` | Allows internal hosts while the service runs, or takes that back; without hosts it lists them. |
| \`access explain KEY ORGANIZATION DOCUMENT USER [--token T]\` | Tells whether a user may open a document, and which rule says so. |
| \`db\` | Tells about the database: version, size, settings, and how to connect to it. |
| \`db carry-over\` | Carries the database of an earlier version over, see below. |
| \`psql [--superuser] [-- OPTIONS]\` | Opens psql on the database, where that is installed. |
| \`doctor [--json]\` | Tries everything that the service depends on, see below. |
| \`usage [--limit N]\` | Lists what API keys store, those that store most first. |
| \`keys rotate-signing\` | Signs user tokens with a new key from now on. Those that are out stay good until they expire. |
| \`keys rotate\` | Seals every stored secret again with the current master key. |

## Credentials

A client needs the address of the service, an API key and its token; the id and token of a workspace are needed to manage its keys. One line makes all of them and puts them into a shell:

\`\`\`sh
eval "$(npm run --silent redpen -- workspace create ada@acme.dev)"
\`\`\`

It prints \`export\` lines of \`REDPEN_URL\`, \`REDPEN_WORKSPACE_ID\`, \`REDPEN_WORKSPACE_TOKEN\`, \`REDPEN_API_KEY\` and \`REDPEN_AUTH_TOKEN\` on stdout, and words for people on stderr. With \`--json\` it prints one object of the same names. In the image the command is \`redpen workspace create ada@acme.dev\`.

A second time, it prints the credentials of the workspace that this owner has. So the operator, who has the data directory or the settings \`DATABASE_URL\` and \`REDPEN_MASTER_KEY\`, always gets in again: tokens are stored sealed, and are printed whenever they are asked for. \`--another\` makes a further workspace, which takes a first one on the paid plan, as over HTTP.

\`workspace create\` needs no service: before the first start it makes the data directory, the database and the master key. \`REDPEN_URL\` is \`REDPEN_PUBLIC_URL\` where that is set; otherwise it is the address of the service that runs on the data directory, and where none runs there, it follows from \`HOST\` and \`PORT\`.

\`key reset KEY\` replaces a token that became known. Every process of the service refuses the earlier token, and the user tokens that were made with it, at once; where its connection to the database is broken just then, after at most 10 seconds. \`user-token KEY USER\` makes the token of an end user, as \`/v2/auth/generate_token\` does, and prints \`REDPEN_USER_TOKEN\`.

A container has its workspace made by settings. With \`REDPEN_INIT_EMAIL\`, the workspace of that owner is there once the service has started: a start makes what is missing and leaves alone what is there, also where several processes start at once on one server. The name in \`REDPEN_INIT_WORKSPACE\` and the plan in \`REDPEN_PLAN\` count when it is made. \`REDPEN_INIT_API_KEY\` and \`REDPEN_INIT_AUTH_TOKEN\` are the very id and token of its API key, so that clients can be given them beforehand; without them, both are made, and \`workspace create EMAIL\` prints them. Another \`REDPEN_INIT_AUTH_TOKEN\` takes the place of every token that the key has, at the next start, and the log says so; as long as it is set, it also comes back after a reset. Another \`REDPEN_INIT_API_KEY\` adds a key; the earlier one stays. The log never holds a token.

## Who may sign up

\`REDPEN_SIGNUP\` says who may create workspaces with \`/v2/workspace/create\`, which takes no credentials:

| Value | Effect |
|---|---|
| \`open\` | Everyone who reaches the service may. This is the default; where the service listens on more than loopback, or has a public address, the log warns of it at the start. |
| \`first\` | Everyone may while there is no workspace at all. Of several at once, one gets it. |
| \`closed\` | No request may. |

Requests that are refused get \`PERMISSION_DENIED\`, and count for the rate of their address. An owner's further workspaces are created by the same operation, which shows nothing but an email address; so \`first\` and \`closed\` refuse them as well. The operator makes workspaces with \`workspace create\`, whatever the setting is.

## Internal hosts

Reviewed pages, webhook endpoints, tool servers and REST endpoints of agents may lie anywhere on the internet, and not on internal, loopback or link-local addresses: a page or a caller could otherwise read what only this machine or its network sees. Hosts of your own are exempted by name or address, with or without a port, or by range: \`staging.internal\`, \`*.corp.example\`, \`127.0.0.1:8090\`, \`[::1]:3000\`, \`10.0.0.0/8\`. An exempted name may resolve to any address.

\`REDPEN_ALLOW_HOSTS\` exempts hosts from the start on. While the service runs, a command does so:

\`\`\`sh
npm run redpen -- allow-host 127.0.0.1:8090 staging.internal
npm run redpen -- allow-host --remove 127.0.0.1:8090
npm run redpen -- allow-host
\`\`\`

It stores them in the database. It waits until a process of the service has taken new hosts up; all do within 5 seconds and say so in their log; connections that are open stay open. Without hosts it lists what is allowed, by the setting or by the command. Every API key of the service may use an exempted host, so name ports, and no more than is needed.

A request with such a host is refused with the command that would allow it. A host that turns out to be internal only when it is connected to, such as a name that resolves to \`10.0.0.5\`, ends a run with that remark, and elsewhere reads to callers like one that does not answer; the log of the service names it.

## Log

The service writes its log to standard output, one line an entry. On a terminal it is written for people, with local times; everywhere else each line is a JSON object. \`REDPEN_LOG\` chooses, \`REDPEN_LOG_LEVEL\` sets the least level.

\`\`\`
18:39:50.278 INFO:  run starts agentName="Broken links" url=https://example.com/ waitedMs=41 executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
18:39:51.904 WARN:  page fails url=https://example.com/a code=TIMEOUT reason="The page took too long." executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
18:39:52.117 WARN:  webhook endpoint begins to fail host=hooks.example.com event=document.update tries=1 status=500 reason="The receiver answered 500; only 2xx counts as received." messageId=evt_3 endpointId=we_9 apiKeyId=key_Zx
18:39:54.660 INFO:  run ends agentName="Broken links" url=https://example.com/ status=partial ms=4382 pages=6 pagesFailed=1 findings=3 executionId=exec_17 agentId=broken-links apiKeyId=key_Zx
\`\`\`

\`\`\`json
{"level":"warn","time":"2026-11-23T18:39:51.904Z","service":"redpen","url":"https://example.com/a","code":"TIMEOUT","reason":"The page took too long.","executionId":"exec_17","agentId":"broken-links","apiKeyId":"key_Zx","msg":"page fails"}
\`\`\`

In JSON, \`level\` is a word, \`time\` is UTC in ISO 8601 and \`msg\` the same few words each time, so that collectors such as Loki and Datadog take the lines as they are: \`jq 'select(.level == "warn")'\`. Values cannot forge a line: control characters are escaped in both forms. Tokens, passwords, headers and what an address has behind \`?\` are not logged.

| Level | What is logged |
|---|---|
| \`fatal\` | An exception that nothing caught. The process hands its work back and ends with 1. |
| \`error\` | A fault of Redpen, with its stack; and that the database or a disk keeps Redpen from its work. |
| \`warn\` | What an operator should look at: runs that end in \`error\`, pages that fail, webhook endpoints that begin to fail or are disabled, webhooks, mail and jobs that are given up, requests that are refused with 503. |
| \`info\` | The start and the end of the process and of each run; access that is refused, with the rule that says so; requests that take a second or longer. |
| \`debug\` | Each request, and each try of a webhook. |

What callers do wrong is not above \`info\`, but for a run, whose page may be gone for other reasons. What may repeat itself without end is bounded: the last line says \`next="later ones are counted for a minute"\`, and the first one after that minute has their number as \`leftOut\`.

## Metrics

\`GET /metrics\` of each process has what this process counted, in the text format of Prometheus. Beside these there are \`process_…\` and \`nodejs_…\` of prom-client under their usual names, for which ready dashboards exist. Labels take few values: agents of your own are all \`custom\`, and routes are paths of operations. An execution is counted once, at its end, by the process that ends it. A process whose \`REDPEN_ROLES\` has \`worker\` alone serves them and the probes, too; where its \`PORT\` is in use by another process, it goes without, and the log says so.

| Name | Type | Labels | Meaning |
|---|---|---|---|
${metrics.map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${cell(help)} |`).join('\n')}

Alerts to begin with:

| Alert | Rule |
|---|---|
| Reviews fail | \`sum(rate(redpen_executions_total{status="error"}[15m])) / sum(rate(redpen_executions_total[15m])) > 0.2\` |
| Chromium does not start | \`increase(redpen_browser_launches_total{outcome="failed"}[10m]) > 0\` |
| Work piles up | \`max by (queue) (redpen_jobs_oldest_waiting_seconds) > 300\` |
| Webhooks or events are stuck | \`max(redpen_events_oldest_waiting_seconds) > 60 or max(redpen_webhook_oldest_undelivered_seconds) > 3600\` |
| Requests fail | \`sum(rate(http_request_duration_seconds_count{status=~"5.."}[5m])) / sum(rate(http_request_duration_seconds_count[5m])) > 0.01\` |
| The pool of connections is too small | \`avg_over_time(redpen_database_waiting[5m]) > 5\` |


${DOCTOR_DOCS}
## In a container

The \`Dockerfile\` makes an image of a clone. The database and all files are in \`/data\`, which belongs in a volume:

<!-- not run: needs Docker -->
\`\`\`sh
docker build --build-arg COMMIT="$(git rev-parse HEAD)" --tag redpen .
docker run --detach --name redpen --publish 127.0.0.1:8080:8080 --volume redpen:/data \\
  --env REDPEN_BROWSER_SANDBOX=off redpen
docker exec redpen redpen workspace create ada@acme.dev
\`\`\`

\`COMMIT\` is what \`/health\` says then; without it \`commit\` is \`null\`. The service runs as the user \`node\` under an init of its own, so that \`--init\` is not needed; nor is \`--shm-size\`, since Chromium keeps out of \`/dev/shm\`. Fonts of the world's scripts and emoji are in the image. \`docker stop\` gives it 10 seconds, which suffice. Docker's usual seccomp profile keeps Chromium from its sandbox, without which no page is opened unless \`REDPEN_BROWSER_SANDBOX\` is off: the container is then what confines a page. To have both, leave the setting out and run the container with a profile that allows user namespaces, \`--security-opt seccomp=FILE\`; see [the browser](review-agents.md#the-browser). A bound folder in place of a volume has to belong to user 1000.

## The database

Without \`DATABASE_URL\`, everything is in \`REDPEN_DATA_DIR\`: the database, the kept files and the master key. One service at a time may use the folder; a second one is refused. No other user of the machine can read it: a folder that stood open is closed at the next start. **Access to the folder is access to the secrets in it**, since the key lies there; to keep the two apart, set \`REDPEN_MASTER_KEY\` yourself. \`npm run redpen -- db\` shows version, size and settings of the database and how to connect to it, and \`npm run redpen -- psql\` opens a shell on it, where psql is installed.

Without \`DATABASE_URL\`, the service starts a PostgreSQL that comes along in a package, for Linux (glibc), macOS and Windows. Its files are in \`postgres\` in the data directory. It listens on a socket in that folder alone (on Windows on loopback, with a generated password), writes into the log of the service, and ends with the service, however that ends. One that crashes is started again; meanwhile requests get \`UNAVAILABLE\`, and \`/ready\` says why.

As root, the service runs it as the owner of the data directory, or as user 65534 where root owns that. Where that user cannot reach programs or data, it needs \`setpriv\` (of util-linux).

\`REDPEN_POSTGRES_MEMORY\` and \`REDPEN_POSTGRES_CONNECTIONS\` change its size. \`postgresql.conf\` is written anew at each start; settings of your own go into \`local.conf\` beside it.

Under systemd, set \`KillMode=mixed\`, so that a stop reaches the service alone, which ends its database after its own work.

Below \`REDPEN_DISK_RESERVE\`, writes are refused with \`UNAVAILABLE\`, no run and no other work that adds data is begun, and reads and deletions go on; a tenth above it, all is as before. With less than 48 MB left on its disk, everything is read and nothing is written: requests that write get \`UNAVAILABLE\`, and \`/ready\` says so. From 64 MB on, writes are taken again, without a restart. A start needs that much as well.

What each API key stores is counted every hour, see \`npm run redpen -- usage\`, and \`REDPEN_STORED_MB\` bounds it.

To run on a PostgreSQL server of yours, name it, and Redpen creates its tables:

<!-- not run: needs a PostgreSQL server -->
\`\`\`sh
DATABASE_URL=postgres://redpen:secret@db.internal:5432/redpen npm start
\`\`\`

Any number of processes may then share the work. Give all of them the same \`REDPEN_MASTER_KEY\`, and a \`REDPEN_BLOB_URL\` that all can reach. Data is not carried over from a data folder.

A server of yours needs PostgreSQL 15 or later, a database in UTF8, and a role that owns it; no extension and no superuser. Where pgvector is there and may be turned on, it serves API keys with more than 100,000 judgments.

Between the service and that server there may be a PgBouncer that pools by session (\`pool_mode = session\`), with room for 30 connections of each process (\`default_pool_size\`). One that pools by transaction or statement is refused at the start: the service listens, prepares statements and holds locks on its connections.

## Language models

Set the key of a provider (\`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_GENERATIVE_AI_API_KEY\`), or the address of a server that is compatible with one: \`OPENAI_BASE_URL=http://127.0.0.1:11434\` for Ollama, vLLM or llama.cpp, which needs no key. Redpen finds out by itself whether such a server speaks chat completions or responses, streams, and takes schemas.

\`REDPEN_MODEL\` is the model where nobody names one, \`REDPEN_MODELS\` restricts what agents and callers may name, and \`REDPEN_RUN_TOKENS\` ends an execution that spends too much, at most one answer later.

Requests go to that address alone and follow no redirect. They are tried three times on rate limits, server errors and broken connections, and wait as long as the provider asks for. No message of a failure holds a key or a prompt.

## Search by meaning

Judgments and uploaded knowledge are found by meaning, for which texts are turned into vectors. By default, \`REDPEN_EMBEDDINGS=local\`, a model does so that comes with Redpen (all-MiniLM-L6-v2), and nothing leaves the machine. It runs in a process of its own with lower priority, about 140 MB of memory and one thread, which is started when it is first needed and starts in about a second. It knows English best.

With \`REDPEN_EMBEDDINGS=openai:MODEL\` or \`gemini:MODEL\` a provider does so, with the key and address above; a compatible server with a base URL needs no key. Then **the text of every judgment, of everything in uploaded knowledge, and of what is searched for is sent to that address**, also that of agents which use another provider or none. Vectors of different models cannot be compared: after a change, what is stored is embedded anew in the background.

## Changing the master key

1. Make a new key: \`openssl rand -base64 32\`.
2. Set \`REDPEN_MASTER_KEY\` to it and \`REDPEN_MASTER_KEY_PREVIOUS\` to the earlier one (the content of \`master.key\` in the data directory where you never set any), then restart every process.
3. Run \`npm run redpen -- keys rotate\`. It may be interrupted and run again.
4. Take \`REDPEN_MASTER_KEY_PREVIOUS\` away and restart.

## Keeping a copy

Stop the service and copy the data directory, or copy the PostgreSQL database with its own tools. Keep the master key apart from it: without the key the secrets in the copy cannot be read. A copy of a data directory works wherever it is put; a lost master key cannot be made good.

## A folder of an earlier day

Before PostgreSQL came along, the database was embedded in the process and lay in \`pg\` in the data directory. The service does not start on such a folder until it is carried over, once, while no service runs on it (in the image: \`redpen db carry-over\`):

<!-- not run: needs a folder of an earlier version -->
\`\`\`sh
npm run redpen -- db carry-over
\`\`\`

It copies the folder, reads the copy with PGlite, and writes every table, the waiting jobs too, into the new database: the one in the data directory, or that of \`DATABASE_URL\`, which has to be empty. All of it is one transaction, which ends once every table was counted and compared. Files and keys stay where they are. A run that was broken off leaves nothing behind and can be started again. At the end, \`pg\` is renamed to \`pg-before-<date>\`; its files were not touched.

Room is needed for the copy and for the new database. A gigabyte takes about a minute, and memory grows with the largest row alone. PGlite is installed with \`npm ci\` for this command and removed again; without a network, run \`npm ci\` in \`tools/pglite-reader\` elsewhere and bring its \`node_modules\` along.
`;
}
