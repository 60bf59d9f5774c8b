import { FONT_TABLE } from '../doctor/font-packages.ts';

/** Section of docs/running.md about health checks. */
export const DOCTOR_DOCS = `## Health checks: redpen doctor

\`\`\`sh
npm run --silent redpen -- doctor
\`\`\`

In the image the command is \`redpen doctor\`. The doctor checks everything that the service depends on in the way of the service, and prints findings with remedies. It runs before the first start, next to a running service (with the same settings), and with \`DATABASE_URL\`. It changes nothing and sends no mail, no webhook and no prompt. If no service runs on the data directory, it starts the database there temporarily.

On a machine with two faults it prints:

<!-- elsewhere -->
\`\`\`text
  ✓ program     Redpen 0.1.0 on Node 24.21.0, linux x64, 2 processors, 23.5 GB of memory.
  ✓ database    PostgreSQL 18.4 (embedded), UTF8, 11 MB. All migrations have run.
  – pgvector    pgvector is not installed; it is only needed beyond 100,000 judgments of one API
                key (the largest has 0).
  ✓ disk        The disk of the data folder (/srv/redpen/data) has 66.6 GB free.
  ✓ files       A file was written, read and deleted in /srv/redpen/data/blobs in 50 ms.
  ✓ keys        Days since the oldest keys were made: master key 12, signing key 12, workspace
                token 12, API key token 12.
  ✗ browser     CHROME_PATH names a file that does not exist: /usr/bin/nochrome.
                → CHROME_PATH is /usr/bin/nochrome. Set it to a Chromium that runs, or omit it to
                  use the one that is found or bundled.
  – fonts       Without a browser, fonts cannot be checked.
  ✗ model       http://127.0.0.1:11434/v1 answers with 3 models, but not openai/gpt-5.6-luna, the
                default if REDPEN_MODEL is not set.
                → Set REDPEN_MODEL=openai/qwen3, or to openai/llama3.2.
  ✓ embeddings  The bundled model was started and returned 384 numbers in 1.1 s.
  – mail        REDPEN_SMTP_URL is not set: mail is sent only through the SendGrid accounts of
                callers.
  – redis       REDIS_URL is not set: processes notify each other of changes through the
                database.
  – webhooks    No webhook endpoint is enabled.
  ✓ clock       The clock agrees with http://127.0.0.1:11434/v1.

  7 ok, 2 failed, 5 skipped
\`\`\`

In a pipe each check is one line without colors, and \`--json\` gives \`{ "status": …, "checks": [{ "name", "status", "found", "advice", "ms" }] }\`. The exit code is 1 if a check failed, and 0 otherwise, also with warnings. The output contains paths and addresses, but no secrets.

| Check | Test |
|---|---|
| \`database\`, \`pgvector\` | Connection, version, encoding, pending migrations, sessions through a pooler; availability of pgvector, and if it matters. |
| \`disk\` | The free space of the data folder, stored files and temporary files, against \`REDPEN_DISK_RESERVE\`. |
| \`files\` | A small file is written, read and deleted at \`REDPEN_BLOB_URL\`. |
| \`keys\` | The ages of [all keys](keys.md#how-old-keys-are), against \`REDPEN_KEY_AGE_WARNING\` and \`REDPEN_SIGNING_KEY_DAYS\`, and whether a rotation of the master key has ended. |
| \`browser\`, \`fonts\` | Chromium is started as for a review and renders Latin, Chinese, Japanese, Korean and emoji. Missing characters are boxes, as on screenshots; the finding names packages with fonts. |
| \`model\` | Each configured provider lists its models (\`GET …/models\`): the key is accepted, and \`REDPEN_MODEL\` is available. |
| \`embeddings\` | A sentence is embedded with the model of \`REDPEN_EMBEDDINGS\`. |
| \`mail\` | A connection and a login at the server of \`REDPEN_SMTP_URL\`. |
| \`redis\` | A message is published and received over \`REDIS_URL\`. |
| \`webhooks\` | A connection, including TLS, to the hosts of the newest 20 enabled endpoints, through the SSRF guard of deliveries. |
| \`clock\` | The clocks of the database server and of the servers above. A difference of more than 60 s breaks signed links, user tokens and webhooks. |

### Fonts

Characters that no font contains are boxes on screenshots. Packages with fonts:

${FONT_TABLE}

The image contains fonts for the world's scripts and emoji.

### What /ready answers

The running service checks its dependencies in the background: files, Redis, the program of \`CHROME_PATH\`, and the difference between its clock and that of the server of \`DATABASE_URL\` every minute; mail server, model providers, buckets and the start of a browser once after its start, and every minute while they fail. Failures in use count at once. \`GET /ready\` answers from these findings:

| \`status\` | HTTP | Meaning |
|---|---|---|
| \`ready\` | 200 | Everything works. |
| \`degraded\` | 200 | Requests are answered, but a dependency of some work fails; \`warnings\` names it with its setting. |
| \`not ready\` | 503 | \`faults\` contains the reasons, such as: the database cannot be reached, nothing can be stored, a job queue is stalled, the process is stopping. |

\`checks\` lists the checks for the roles of this process: \`name\`, \`status\` (\`ok\`, \`warning\`, \`failed\`, \`skipped\`), \`message\` if something is wrong, and \`since\` in epoch milliseconds. \`/ready\` is public to everyone who reaches the port, so it contains settings and kinds of reasons, but no paths, hosts or versions. Those are in the output of the doctor and in the log, which has one line when a check begins to fail and one when it works again.
`;
