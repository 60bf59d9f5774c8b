// A stand-in for the process of the local model. The vector of a text is its length; `die` and `hang` make it fail.
// A task with `wait` is answered once another one with `go` has come.
import type { ModelReport, ModelTask } from '../../src/outside/embed/local/model-process.ts';

const report = (message: ModelReport) => process.send?.(message);

let waiting: (() => void)[] = [];

process.once('disconnect', () => process.exit());
process.on('message', ({ id, texts }: ModelTask) => {
  if (texts.includes('die')) process.kill(process.pid, 'SIGKILL');
  if (texts.includes('hang')) while (true);
  const answer = () =>
    report({
      state: 'done',
      id,
      counts: texts.map(() => 1),
      vectors: Float32Array.from(texts, (text) => text.length),
    });
  if (texts.includes('wait')) {
    waiting.push(answer);
    return;
  }
  answer();
  if (!texts.includes('go')) return;
  for (const one of waiting) one();
  waiting = [];
});
report({ state: 'ready', dimension: 1, memoryBytes: 0 });
