import './private-files.ts';
import { findBundled } from './roles/bundle/find-bundle.ts';

await import((await findBundled('run-command')) ?? './run-command.ts');
