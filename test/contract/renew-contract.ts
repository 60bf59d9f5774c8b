import { currentContract, keepContract } from './contract.ts';

// The program of `npm run contract`.
keepContract(currentContract());
// Modules of the service may keep the process alive.
process.exit();
