import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { type LighthouseAudit, lighthouseCategories } from './lighthouse-report.ts';

/** An audit of Lighthouse, as it is reported when it fails without any points. */
export type KnownAudit = Pick<LighthouseAudit, 'id' | 'title' | 'description' | 'weights'>;

const texts = z.record(z.string(), z.object({ message: z.string() }));
const config = z.object({
  categories: z.record(
    z.string(),
    z.object({
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number(), group: z.string().optional() })),
    }),
  ),
});

const TEXT = /^core\/audits\/(?:.+\/)?([\w-]+)\.js \| (title|failureTitle|description)$/;
/** Metrics have no title of their own file, only the name of a shared text. */
const SHARED_TITLE = 'core/lib/i18n/i18n.js | ';

/** The audits that count for a score, from Lighthouse's own files of texts and weights. */
export async function listKnownAudits(): Promise<KnownAudit[]> {
  const resolve = createRequire(import.meta.url).resolve;
  const file = resolve('lighthouse/shared/localization/locales/en-US.json');
  const messages = texts.parse(JSON.parse(await readFile(file, 'utf8')));
  const { default: own } = await import('lighthouse/core/config/default-config.js');
  const { categories } = config.parse(own);
  const byAudit = new Map<string, Record<string, string>>();
  for (const [key, { message }] of Object.entries(messages)) {
    const [, id, field] = TEXT.exec(key) ?? [];
    if (id !== undefined && field !== undefined) byAudit.set(id, { ...byAudit.get(id), [field]: message });
  }
  const weights = new Map<string, Record<string, number>>();
  for (const category of lighthouseCategories) {
    for (const { id, weight, group } of categories[category]?.auditRefs ?? []) {
      if (weight > 0 && group !== 'hidden') weights.set(id, { ...weights.get(id), [category]: weight });
    }
  }
  return [...weights].map(([id, ofAudit]) => {
    const { title, failureTitle, description = '' } = byAudit.get(id) ?? {};
    const shared = messages[`${SHARED_TITLE}${camelCase(id)}Metric`]?.message;
    return { id, title: failureTitle ?? title ?? shared ?? id, description, weights: ofAudit };
  });
}

const camelCase = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
