import type { Config } from '../../config.ts';
import type { Database } from '../../db/connections/connect.ts';
import type { Settings } from '../../deps.ts';
import { missingChromium } from '../../outside/browser/find-chromium.ts';
import { refusalOfWish } from '../../outside/models/choose-model.ts';
import type { Guard } from '../../outside/net/ssrf-guard.ts';
import { contendedTurns } from './contended-turns.ts';
import { keptDaysOf } from './kept-days.ts';

/** Few enough that codes cannot be guessed, and enough for an office behind one address. */
const SIGN_INS_PER_MINUTE = 60;

/** The settings that endpoints read. */
export function settingsOf(config: Config, database: Database, guard: Guard): Settings {
  return {
    plan: config.REDPEN_PLAN,
    signup: config.REDPEN_SIGNUP,
    workspaceRate: config.REDPEN_WORKSPACE_RATE,
    keyRate: config.REDPEN_KEY_RATE,
    addressRate: config.REDPEN_ADDRESS_RATE,
    connectionRate: config.REDPEN_CONNECTION_RATE,
    requestsAtOnce: config.REDPEN_REQUESTS_AT_ONCE,
    turns: database.requestConnections,
    contendedTurns: contendedTurns(database),
    replicaReads: config.REDPEN_REPLICA_READS,
    keyRateFactor: 1,
    storedBytes: config.REDPEN_STORED_MB && config.REDPEN_STORED_MB * 1_048_576,
    attachmentBytes: config.REDPEN_ATTACHMENT_MB * 1_048_576,
    webhookEndpoints: config.REDPEN_WEBHOOK_ENDPOINTS,
    runTokens: config.REDPEN_RUN_TOKENS,
    modelPrices: config.REDPEN_MODEL_PRICES,
    keptDays: keptDaysOf(config),
    trustProxy: config.REDPEN_TRUST_PROXY,
    publicUrl: config.REDPEN_PUBLIC_URL,
    keepAuditDays: config.REDPEN_KEEP_AUDIT,
    signingKeyDays: config.REDPEN_SIGNING_KEY_DAYS,
    signInRate: SIGN_INS_PER_MINUTE,
    console: config.REDPEN_CONSOLE === 'on',
    consoleHosts: config.REDPEN_CONSOLE_HOSTS,
    sendsMail: config.REDPEN_SMTP_URL !== undefined,
    unknownFields: config.REDPEN_UNKNOWN_FIELDS,
    bodyLimitBytes: 1_048_576,
    checkUrl: (url) => guard.checkUrl(url),
    missingBrowser: () => missingChromium(config.CHROME_PATH),
    checkModel: (wish) =>
      refusalOfWish(wish, { defaultModel: config.REDPEN_MODEL, allowedModels: config.REDPEN_MODELS }),
  };
}
