import { onTestFinished, TestRunner } from 'vitest';

type Step = () => Promise<unknown> | unknown;

const ofFile: Step[] = [];
const ofWorker: Step[] = [];

/**
 * Calls a step at the end of the running test, or, outside of a test, at the end of its file. Later steps are called first.
 * Programs other than tests call `endFileSteps` themselves.
 */
export function atEnd(step: Step): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await step()));
  else ofFile.push(step);
}

/** Calls what `atEnd` has noted outside of tests, also if a step fails. */
export async function endFileSteps(): Promise<void> {
  const errors = await callAll(ofFile);
  if (errors.length > 0) throw errors[0];
}

/**
 * Calls a step when the run ends this worker, which is killed then; later steps first. A worker that is killed before calls
 * nothing, so what outlives a file must also end by itself with its parent.
 */
export function atWorkerEnd(step: Step): void {
  if (ofWorker.push(step) > 1) return;
  const end = async () => void (await callAll(ofWorker));
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { onCleanup(step: Step): void } };
  if (worker) worker.onCleanup(end);
  else process.once('beforeExit', end);
}

/** Calls steps from the last to the first, and returns their errors. */
async function callAll(steps: Step[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
