// Runs the contract in workerd, as a request to a worker.
import { runContract, type Stage } from './contract.ts';

export default {
  fetch: async (request: Request): Promise<Response> =>
    Response.json(await runContract((await request.json()) as Stage)),
};
