import type { Page } from 'playwright-core';
import { report } from './figures.ts';
import { createLocalLighthouse } from './local-lighthouse.ts';

/** The cookies of the page, as an audit takes them. */
async function signInOf(page: Page, origin: string) {
  const cookies = await page.context().cookies(origin);
  return {
    origins: new Set([origin]),
    headers: {},
    cookies: cookies.map(({ domain, name, value, path, expires, httpOnly, secure, sameSite }) => ({
      name,
      value,
      path,
      expires,
      httpOnly,
      secure,
      sameSite,
      host: domain,
    })),
    storage: [],
    avoids: () => false,
  };
}

/** Audits a page of the console with Lighthouse, as the member who is signed in. */
export async function measureScores(page: Page, url: string): Promise<void> {
  const audit = await createLocalLighthouse();
  const { scores, audits } = await audit(url, {
    categories: ['performance', 'accessibility', 'best-practices'],
    formFactor: 'desktop',
    signIn: await signInOf(page, new URL(url).origin),
    timeoutMs: 180_000,
  });
  for (const [category, score] of Object.entries(scores)) {
    console.log(`start page, Lighthouse ${category}: ${score}`);
    report({ name: `console Lighthouse ${category}, desktop`, value: score ?? 0, unit: 'score' });
  }
  for (const { title, score, displayValue = '', weights } of audits) {
    if (score !== null && score < 1 && Object.values(weights).some((weight) => weight > 0))
      console.log(`  ${title}: ${score} ${displayValue}`);
  }
}
