// A stand-in for the process of the local model. The vector of a text is its length; `die` and `hang` make it fail.
import type { ModelReport, ModelTask } from '../../src/outside/embed/local/model-process.ts';

const report = (message: ModelReport) => process.send?.(message);

process.once('disconnect', () => process.exit());
process.on('message', ({ id, texts }: ModelTask) => {
  if (texts.includes('die')) process.kill(process.pid, 'SIGKILL');
  if (texts.includes('hang')) while (true);
  report({
    state: 'done',
    id,
    counts: texts.map(() => 1),
    vectors: Float32Array.from(texts, (text) => text.length),
  });
});
report({ state: 'ready', dimension: 1, memoryBytes: 0 });
