import './private-files.ts';
import { findBundled } from './roles/bundle/find-bundle.ts';

await import((await findBundled('run-service')) ?? './run-service.ts');
