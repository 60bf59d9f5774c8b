import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  name: string;
  id?: string;
  if?: string;
  run?: string;
  shell?: string;
  uses?: string;
  with?: Record<string, string>;
  'continue-on-error'?: boolean;
  env?: Record<string, string>;
}

export interface Action {
  inputs: Record<string, { description: string; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Step[] };
}

export const readAction = (file: string): Action => parse(readFileSync(file, 'utf8')) as Action;

export interface JobResult {
  conclusion: 'success' | 'failure';
  outputs: Record<string, string>;
  /** Standard output and error of the scripts, by the name of the step. */
  logs: Record<string, string>;
  /** Exit codes of the scripts. */
  codes: Record<string, number | null>;
  /** Other actions that ran, with their inputs. */
  used: Record<string, Record<string, string>>;
  summary: string;
}

type Context = Record<string, string>;

/** Evaluates the part of GitHub's expressions that the action uses: paths, strings, `always()`, `==`, `!=`, `&&`. */
export function evaluate(expression: string, context: Context): string | boolean {
  const both = expression.split('&&');
  if (both.length > 1) {
    let value: string | boolean = true;
    for (const part of both) {
      value = evaluate(part, context);
      if (value === false || value === '') return value;
    }
    return value;
  }
  const [, left, operator, right] = /^(.*?)(==|!=)(.*)$/.exec(expression) ?? [];
  if (operator) {
    const isEqual = evaluate(left!, context) === evaluate(right!, context);
    return operator === '==' ? isEqual : !isEqual;
  }
  const word = expression.trim();
  if (word === 'always()') return true;
  if (/^'[^']*'$/.test(word)) return word.slice(1, -1);
  if (!/^(inputs|steps|github)\.[\w.-]+$/.test(word)) throw new Error(`Not understood: ${expression}`);
  return context[word] ?? '';
}

const fill = (text: string, context: Context): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression, context)));

/** Parses GITHUB_OUTPUT: `name=value`, or `name<<end`, lines, `end`. */
function parseOutputs(text: string): [string, string][] {
  const found: [string, string][] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const [, name, delimiter] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name && delimiter) {
      const end = lines.indexOf(delimiter, index + 1);
      if (end < 0) throw new Error(`The output ${name} does not end.`);
      found.push([name, lines.slice(index + 1, end).join('\n')]);
      index = end;
    } else if (line.includes('=')) {
      const [key = '', value = ''] = line.split(/=(.*)/s);
      found.push([key, value]);
    } else if (line !== '') throw new Error(`Not an output: ${line}`);
  }
  return found;
}

/** Runs the steps of a composite action as the runner does. Other actions are only noted. */
export async function runAction(
  folder: string,
  options: {
    work: string;
    inputs: Record<string, string>;
    env: Record<string, string>;
    /** Another action that fails. */
    failing?: string;
    /** Called with the process of each script. */
    started?: (name: string, pid: number) => void;
  },
): Promise<JobResult> {
  const { work, inputs, env, failing, started } = options;
  const { inputs: declared, outputs, runs } = readAction(join(folder, 'action.yml'));
  const context: Context = { 'github.token': 'token' };
  for (const [name, { default: fallback = '' }] of Object.entries(declared))
    context[`inputs.${name}`] = inputs[name] ?? fill(fallback, context);
  for (const name of Object.keys(inputs)) if (!declared[name]) throw new Error(`No input ${name}.`);
  const temp = join(work, 'temp');
  const workspace = join(work, 'workspace');
  for (const each of [temp, workspace]) mkdirSync(each, { recursive: true });
  const summary = join(temp, 'summary.md');
  writeFileSync(summary, '');
  const result: JobResult = {
    conclusion: 'success',
    outputs: {},
    logs: {},
    codes: {},
    used: {},
    summary: '',
  };
  for (const step of runs.steps) {
    const holds = evaluate(step.if ?? "'yes'", context);
    const isMeant = step.if?.includes('always()') || result.conclusion === 'success';
    if (!holds || !isMeant) continue;
    if (step.uses) {
      const given = Object.entries(step.with ?? {}).map(([key, value]) => [key, fill(value, context)]);
      result.used[step.uses] = Object.fromEntries(given);
      if (step.uses === failing && !step['continue-on-error']) result.conclusion = 'failure';
      continue;
    }
    const output = join(temp, `output-${step.name}`);
    const script = join(temp, `script-${step.name}.sh`);
    writeFileSync(output, '');
    writeFileSync(script, step.run!);
    const stepEnv = Object.entries(step.env ?? {}).map(([key, value]) => [key, fill(value, context)]);
    const { code, log } = await runScript(script, workspace, step.name, started, {
      ...env,
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: folder,
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temp,
      ...Object.fromEntries(stepEnv),
    });
    result.logs[step.name] = log;
    result.codes[step.name] = code;
    if (code !== 0) result.conclusion = 'failure';
    for (const [name, value] of parseOutputs(readFileSync(output, 'utf8')))
      context[`steps.${step.id}.outputs.${name}`] = value;
  }
  result.summary = readFileSync(summary, 'utf8');
  for (const [name, { value }] of Object.entries(outputs)) result.outputs[name] = fill(value, context);
  return result;
}

const runScript = (
  script: string,
  cwd: string,
  name: string,
  started: ((name: string, pid: number) => void) | undefined,
  env: Record<string, string>,
) =>
  new Promise<{ code: number | null; log: string }>((resolve, reject) => {
    // The command line of `shell: bash`.
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd, env });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, log }));
    if (child.pid !== undefined) started?.(name, child.pid);
  });
