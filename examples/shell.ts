import { readFileSync } from 'node:fs';
import { formatJson, formatTable, valueAt } from './shell-format.ts';

// Processes answers for `shell.sh`: prints one, picks a value from it, or follows a run.

interface Answer {
  error?: { status: string; message: string };
  result?: unknown;
}
interface Line {
  message: string;
  data?: { phase?: string } | null;
}
interface Execution {
  status: string;
  error?: { code: string; message: string } | null;
  resultsSummary?: { summary?: string | null } | null;
}

const WAIT_MS = 20_000;
const STATUSES: Record<string, string> = {
  passed: 'nothing was found',
  failed: 'the pages have findings',
  partial: 'some pages were not reviewed',
  skipped: 'there was nothing to do',
  error: 'the run itself failed',
};

class Failure extends Error {}

/** Parses an answer. Throws a `Failure` with the error message of the service. */
function readAnswer(text: string): Answer {
  let answer: Answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Failure(`The answer is no JSON: ${text.trim().slice(0, 200)}`);
  }
  if (answer.error) throw new Failure(`${answer.error.status}: ${answer.error.message}`);
  return answer;
}

function readInput(): Answer {
  const text = readFileSync(0, 'utf8');
  // The command before the pipe has already printed why it failed.
  if (text.trim() === '') process.exit(1);
  return readAnswer(text);
}

function pick(path = '', ...fields: string[]): void {
  const value = valueAt(readInput(), path);
  if (value === undefined) throw new Failure(`The answer has no ${path}.`);
  const values = path.includes('[]') ? (value as unknown[]) : [value];
  if (fields.length > 0) print(formatTable(fields, values));
  else for (const item of values) print(typeof item === 'string' ? item : formatJson(item));
}

async function post<T>(path: string, data: object): Promise<T> {
  const { REDPEN_URL = 'http://127.0.0.1:8080', REDPEN_API_KEY = '', REDPEN_AUTH_TOKEN = '' } = process.env;
  const response = await fetch(REDPEN_URL + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-api-key': REDPEN_API_KEY,
      'x-service-auth-token': REDPEN_AUTH_TOKEN,
    },
    body: JSON.stringify({ data }),
  }).catch(() => {
    throw new Failure(`Redpen does not answer at ${REDPEN_URL}.`);
  });
  return (readAnswer(await response.text()).result as { data: T }).data;
}

/** Prints the log of a run until it ends. Fails only if the run itself failed; findings are no failure. */
async function follow(executionId?: string): Promise<void> {
  if (!executionId) throw new Failure('Name an execution: follow EXECUTION.');
  const printed = new Set<string>();
  for (let after: string | undefined, done = false; !done; ) {
    const part = await post<{ events: Line[]; next?: string | null; done: boolean }>(
      '/v2/agents/execution/events',
      { executionId, waitMs: WAIT_MS, ...(after && { after }) },
    );
    for (const { message, data } of part.events) {
      // Durations of phases are left out, and a note that repeats for several pages is printed once.
      if (data?.phase || printed.has(message)) continue;
      printed.add(message);
      print(message);
    }
    after = part.next ?? after;
    done = part.done;
  }
  const { execution } = await post<{ execution: Execution }>('/v2/agents/execution/get', { executionId });
  const { status, error } = execution;
  print(`Status ${status}: ${error?.message ?? STATUSES[status] ?? ''}`);
  if (status === 'error') process.exitCode = 1;
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const commands: Record<string, (...words: string[]) => unknown> = {
  show: () => print(formatJson(readInput())),
  pick,
  follow,
};

// `call … | head` ends the pipe early, which is no failure.
process.stdout.on('error', () => process.exit());
const [command = '', ...words] = process.argv.slice(2);
try {
  await commands[command]?.(...words);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
