// Loads the service and its commands once, so that Node keeps what it compiles of them, when the image is built.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
const programs = ['boot.ts', 'roles/start.ts', 'roles/announce-ready.ts'];
const commands = ['roles/commands/commands.ts', 'roles/commands/review/review-command.ts'];
for (const file of [...programs, ...commands]) await import(new URL(`../src/${file}`, import.meta.url));
flushCompileCache();
process.exit();
