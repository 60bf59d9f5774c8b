// What the client promises, as a program that runs in every runtime: it imports nothing but the built package.
import { actorsOf, type Stage } from './actors.ts';
import { basicSections } from './basics.ts';
import { editorSections } from './editors.ts';
import { storeSections } from './stores.ts';
import { uploadSections } from './uploads.ts';

export type { Stage } from './actors.ts';

export interface Outcome {
  name: string;
  ms: number;
  /** Absent if the section passed. */
  error?: string;
}

/** So generous that it only ends a section that hangs, which the programs would do without a name. */
const HANGS_AFTER_MS = 120_000;
const HANGS = 'It hangs.';

const sections = { ...basicSections, ...uploadSections, ...storeSections, ...editorSections };

/** The error of some work, or that it hangs. */
async function errorOf(work: Promise<void>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hanging = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(HANGS), HANGS_AFTER_MS);
  });
  const ended = work.then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
  );
  const error = await Promise.race([ended, hanging]);
  clearTimeout(timer);
  return error;
}

/** Runs every section, one after the other. */
export async function runContract(stage: Stage): Promise<Outcome[]> {
  const actors = actorsOf(stage);
  const outcomes: Outcome[] = [];
  for (const [name, section] of Object.entries(sections)) {
    const began = Date.now();
    const error = await errorOf(section(actors));
    outcomes.push({ name, ms: Date.now() - began, ...(error !== undefined && { error }) });
    // What it has left open would disturb the others.
    if (error === HANGS) break;
  }
  return outcomes;
}
