// Runs the contract in a page, which the test calls.
import { runContract } from './contract.ts';

Object.assign(globalThis, { runContract });
