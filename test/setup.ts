import { afterAll } from 'vitest';
import { closeSharedBrowser } from './one-browser.ts';

afterAll(closeSharedBrowser);
