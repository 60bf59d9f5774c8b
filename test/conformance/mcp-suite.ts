import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const suite = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

export interface Outcome {
  code: number;
  output: string;
}

/** Runs the public conformance suite in a process of its own, on loopback only. */
export const runSuite = (...options: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const node = ['--import', join(import.meta.dirname, 'loopback-only.ts'), suite, ...options];
    // The shell that starts a client splits its command at spaces, so the command is `node`, found through PATH.
    const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    execFile(process.execPath, node, { cwd: root, env: environment }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${stdout}\n${stderr}` }),
    );
  });
