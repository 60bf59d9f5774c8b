import type { Endpoint, } from '../http/endpoint.ts';
import { workspace } from './workspace/index.ts';

/** Every operation of the service. */
export const endpoints: readonly Endpoint[] = [...workspace];
