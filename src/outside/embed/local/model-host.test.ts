import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startChildModel } from './child-model.ts';
import { createLocalEmbedder } from './create-local-embedder.ts';

const FAKE = fileURLToPath(new URL('../../../../test/fakes/model-process.ts', import.meta.url));
const MODEL = fileURLToPath(new URL('model-process.ts', import.meta.url));

function start({ program = FAKE, silenceMs = 60_000, idleMs = 600_000 } = {}) {
  const logged: string[] = [];
  const pids: number[] = [];
  const embedder = createLocalEmbedder({
    start(onMessage) {
      const child = startChildModel(onMessage, program);
      pids.push(child.pid!);
      return child;
    },
    log: (message) => logged.push(message),
    silenceMs,
    idleMs,
  });
  onTestFinished(() => embedder.close());
  return { embedder, pids, starts: () => logged.filter((message) => message.endsWith('started')).length };
}

const vectors = (...lengths: number[]) => lengths.map((length) => [Float32Array.of(length)]);

test('reports the text that kills the process, and returns the vectors of all others', async () => {
  const { embedder, starts } = start();
  const poisoned = embedder.embed(['a', 'bb', 'die', 'ccc']);
  const beside = embedder.embed(['dddd']);
  const query = embedder.embedQuery('eeeee');
  await expect(poisoned).rejects.toMatchObject({ name: 'EmbedFailure', kind: 'rejected', place: 2 });
  expect(await beside).toEqual(vectors(4));
  expect(await query).toEqual(Float32Array.of(5));
  expect(await embedder.embed(['a', 'bb', 'ccc'])).toEqual(vectors(1, 2, 3));
  // The first start, and one after each of three deaths.
  expect(starts()).toBe(4);
});

test('kills a process that hangs', async () => {
  const { embedder } = start({ silenceMs: 2_000 });
  await expect(embedder.embedQuery('hang')).rejects.toMatchObject({ kind: 'timeout' });
  expect(await embedder.embed(['a'])).toEqual(vectors(1));
});

test('ends the process when it has had no work for a while, and starts another for the next text', async () => {
  const { embedder, pids, starts } = start({ idleMs: 1 });
  expect(await embedder.embed(['a'])).toEqual(vectors(1));
  await hasEnded(pids[0]!);
  expect(await embedder.embedQuery('bb')).toEqual(Float32Array.of(2));
  expect(starts()).toBe(2);
  await hasEnded(pids[1]!);
});

test('a text in progress keeps the process, however short the others are', async () => {
  const { embedder, starts } = start({ idleMs: 1 });
  const waiting = embedder.embed(['wait']);
  for (let turn = 0; turn < 20; turn++) await embedder.embedQuery('a');
  await embedder.embedQuery('go');
  expect(await waiting).toEqual(vectors(4));
  expect(starts()).toBe(1);
});

test('the model itself ends when it is idle, and gives the same vectors after its next start', async () => {
  const { embedder, pids } = start({ program: MODEL, silenceMs: 600_000, idleMs: 1 });
  const before = await embedder.embedQuery('The contrast of the button is too low.');
  await hasEnded(pids[0]!);
  expect(await embedder.embedQuery('The contrast of the button is too low.')).toEqual(before);
  expect(pids).toHaveLength(2);
});

test('rejects all requests if the model cannot be started, and does not try again at once', async () => {
  const { embedder } = start({ program: '/nowhere/program.ts' });
  const failure = { kind: 'unavailable', retryAfterMs: expect.any(Number) };
  await expect(embedder.embed(['a', 'b'])).rejects.toMatchObject(failure);
  await expect(embedder.embedQuery('a')).rejects.toMatchObject(failure);
});

test('rejects requests after it was closed', async () => {
  const { embedder } = start();
  const pending = expect(embedder.embed(['hang'])).rejects.toMatchObject({ kind: 'aborted' });
  await embedder.embedQuery('a');
  await embedder.close();
  await pending;
  await expect(embedder.embedQuery('a')).rejects.toMatchObject({ kind: 'aborted' });
});

/** A service that uses the model and never closes it. Returns the process id of its model once it runs. */
async function startService(afterwards: string) {
  const file = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
  const script = `
    import { createLocalEmbedder } from ${file('create-local-embedder.ts')};
    import { startChildModel } from ${file('child-model.ts')};
    const embedder = createLocalEmbedder({
      start: (onMessage) => startChildModel(onMessage, ${JSON.stringify(FAKE)}),
      log: (message, { modelPid }) => process.stdout.write(String(modelPid)),
    });
    await embedder.embedQuery('a');
    ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [text] = await once(child.stdout, 'data');
  return { child, ended, modelPid: Number(text) };
}

async function hasEnded(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  const state = () => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)![0];
    } catch {
      return 'gone';
    }
  };
  // An ended process stays listed until its parent reads its status.
  await expect.poll(state, { timeout: 60_000 }).toMatch(/^(Z|gone)$/);
}

test('the model process ends with the service, whether that exits or is killed', async () => {
  const [left, killed] = await Promise.all([startService(''), startService('setInterval(() => {}, 1000);')]);
  expect(await left.ended).toEqual([0, null]);
  await hasEnded(left.modelPid);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await hasEnded(killed.modelPid);
});
