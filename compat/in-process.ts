// Runs the contract in Node, Deno and Bun: the stage arrives in the environment, the outcomes leave as a line of JSON.
import { env, stdout } from 'node:process';
import { runContract, type Stage } from './contract.ts';

const stage = JSON.parse(env.REDPEN_STAGE ?? '') as Stage;
stdout.write(`${JSON.stringify(await runContract(stage))}\n`);
