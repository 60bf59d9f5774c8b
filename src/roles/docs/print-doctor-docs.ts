import { FONT_TABLE } from '../doctor/font-packages.ts';

/** Section of docs/running.md about health checks. */
export const DOCTOR_DOCS = `## Is it all right? redpen doctor

\`\`\`sh
npm run --silent redpen -- doctor
\`\`\`

In the image the command is \`redpen doctor\`. The doctor tries everything that the service depends on, as the service would, and says what it found and what to do. It runs before the first start, beside a running service (give it the same settings), and with \`DATABASE_URL\`. It changes nothing and sends no mail, no webhook and no prompt; where no service runs on the data directory, it starts the database there for as long as it takes.

On a machine with two faults it prints:

<!-- elsewhere -->
\`\`\`text
  ✓ program     Redpen 0.1.0 on Node 24.21.0, linux x64, 2 processors, 23.5 GB of memory.
  ✓ database    PostgreSQL 18.4 that comes along, UTF8, 11 MB. All migrations have run.
  – pgvector    pgvector is not installed; it is only needed beyond 100,000 judgments of one API
                key (the most are 0).
  ✓ disk        The disk of the data folder (/srv/redpen/data) has 66.6 GB free.
  ✓ files       A file was written, read and deleted in /srv/redpen/data/blobs in 50 ms.
  ✗ browser     CHROME_PATH names a file that does not exist: /usr/bin/nochrome.
                → CHROME_PATH is /usr/bin/nochrome. Set it to a Chromium that runs, or leave it
                  out for the one that is found or comes along.
  – fonts       No browser draws any characters.
  ✗ model       http://127.0.0.1:11434/v1 answers with 3 models, but not openai/gpt-5.6-luna,
                which is taken where REDPEN_MODEL is not set.
                → Set REDPEN_MODEL=openai/qwen3, or to openai/llama3.2.
  ✓ embeddings  The model that comes along was started and gave 384 numbers in 1.1 s.
  – mail        REDPEN_SMTP_URL is not set: mail goes over the SendGrid accounts of callers
                alone.
  – redis       REDIS_URL is not set: processes tell each other of changes over the database.
  – webhooks    No webhook endpoint is enabled.
  ✓ clock       The clock agrees with http://127.0.0.1:11434/v1.

  6 ok, 2 failed, 5 skipped
\`\`\`

In a pipe each check is one line without colours, and \`--json\` gives \`{ "status": …, "checks": [{ "name", "status", "found", "advice", "ms" }] }\`. The exit code is 1 where a check failed, and 0 otherwise, also with warnings. It shows paths and addresses, and no secrets.

| Check | What is tried |
|---|---|
| \`database\`, \`pgvector\` | A connection, version, encoding, migrations that have not run, sessions through a pooler; whether pgvector is there and matters. |
| \`disk\` | The free space of data folder, kept files and temporary files, against \`REDPEN_DISK_RESERVE\`. |
| \`files\` | A small file is written, read and deleted where \`REDPEN_BLOB_URL\` says. |
| \`browser\`, \`fonts\` | Chromium is started as for a review, and draws Latin, Chinese, Japanese, Korean and emoji. What comes out as a box does so on screenshots; the packages that help are named. |
| \`model\` | Each provider that is set lists its models (\`GET …/models\`): the key is accepted, and \`REDPEN_MODEL\` is there. |
| \`embeddings\` | A sentence is turned into a vector, with the model that \`REDPEN_EMBEDDINGS\` names. |
| \`mail\` | A connection and a login at the server of \`REDPEN_SMTP_URL\`. |
| \`redis\` | A message is published and heard over \`REDIS_URL\`. |
| \`webhooks\` | A connection, with TLS, to the hosts of enabled endpoints, the newest 20, past the guard that deliveries pass. |
| \`clock\` | The time of the database server and of what was asked above. More than 60 s of difference break signed links, user tokens and webhooks. |

### Fonts

Characters that no font has are boxes on screenshots. Packages with them:

${FONT_TABLE}

The image holds fonts of the world's scripts and emoji.

### What /ready answers

The running service keeps looking, in the background: at files, Redis and the program of \`CHROME_PATH\` every minute; at mail server, model providers, buckets and the start of a browser once after its start and every minute while they fail. Whatever fails in use counts at once. \`GET /ready\` answers from what was found:

| \`status\` | HTTP | Meaning |
|---|---|---|
| \`ready\` | 200 | All is well. |
| \`degraded\` | 200 | Requests are answered, and something that some work needs fails; \`warnings\` says what and names the setting. |
| \`not ready\` | 503 | \`faults\` says why: the database cannot be reached, nothing can be stored, a job queue is stalled, the process stops. |

\`checks\` lists what was looked at with the roles of this process: \`name\`, \`status\` (\`ok\`, \`warning\`, \`failed\`, \`skipped\`), \`message\` where something is wrong, and \`since\` in epoch milliseconds. \`/ready\` is public to all who reach the port, so it names settings and kinds of reasons, and no path, host or version. Those are in the log, which has one line when a check begins to fail and one when it works again, and in what the doctor says.
`;
