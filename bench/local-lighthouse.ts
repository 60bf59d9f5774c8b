import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createLighthouse } from '../src/outside/lighthouse/create-lighthouse.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';

/** Lighthouse as the service has it, for pages of this machine. */
export async function createLocalLighthouse(): Promise<ReturnType<typeof createLighthouse>> {
  const { path: chromePath, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
  Object.assign(process.env, env);
  return createLighthouse({
    chromePath,
    guard: createGuard({ allowHosts: ['127.0.0.0/8'] }),
    log: () => {},
  });
}
