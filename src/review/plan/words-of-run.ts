import { parse } from 'parse5';
import type { Db } from '../../db/tables.ts';
import type { SafeFetch } from '../../outside/net/outbound-fetch.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { siteWordsOf } from '../../store/agents/execution-site-words.ts';
import { getConfig } from '../../store/platform/stored-key-config.ts';
import type { SavedWords } from '../core/execution-strategy.ts';
import type { Run } from '../core/run-state.ts';
import { decodeText } from '../links/page/charset.ts';
import { collectSiteWords } from '../rules/spelling/site-words.ts';
import { services } from '../services/index.ts';

/** True if the service of a run's agent reads the words of the whole site. */
export const needsSiteWords = ({ behavior }: Pick<Run, 'behavior'>): boolean =>
  services.find(({ id }) => id === behavior.execution?.serviceId)?.needsSiteWords === true;

export interface WordTap {
  /** Fetches as before, and collects the words of each HTML page until `end` is called. */
  fetch: SafeFetch;
  /** The words so far, for `saveSiteWords`; empty after the end. */
  stored(): string;
  end(): void;
}

/** Collects the words of a site from the pages that its crawl fetches. */
export function tapWords(fetch: SafeFetch): WordTap {
  let collector: ReturnType<typeof collectSiteWords> | undefined = collectSiteWords();
  return {
    async fetch(url, options) {
      const result = await fetch(url, options);
      const type = result.headers['content-type'] ?? '';
      if (collector && result.status === 200 && /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type))
        collector.add(parse(decodeText(result.body, type)));
      return result;
    },
    stored: () => collector?.store() ?? '',
    end() {
      collector = undefined;
    },
  };
}

/** The words that a run's service may take for right: those of its site, and those of its API key. */
export async function savedWordsOf(db: Db, { scope }: Run, ref: RunRef): Promise<SavedWords> {
  const { config } = await getConfig(db, scope);
  return { site: await siteWordsOf(db, ref), own: config.spellCheckWords ?? [] };
}
