import type { Config } from '../../config.ts';
import { decoded } from '../../lib/text/decoded.ts';

/** A URL without user, password and query, which may contain secrets. */
export function addressIn(text: string): string {
  const url = URL.parse(text);
  if (url === null) return 'an address that cannot be read';
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** Shorter values occur within other words. */
const MIN_CHARS = 4;

/** Returns a function that removes secret settings from a text. */
export function secretsCutter(config: Config): (text: string) => string {
  const urls = [
    config.DATABASE_URL,
    config.DATABASE_DIRECT_URL,
    ...(config.DATABASE_REPLICA_URL ?? []),
    config.REDIS_URL,
    config.REDPEN_SMTP_URL,
  ];
  const ofUrls = urls.flatMap((text) => {
    const url = text === undefined ? null : URL.parse(text);
    return url === null ? [] : [url.password, decoded(url.password), ...url.searchParams.getAll('password')];
  });
  const secrets = [
    ...ofUrls,
    config.REDPEN_MASTER_KEY,
    ...(config.REDPEN_MASTER_KEY_PREVIOUS ?? []),
    config.OPENAI_API_KEY,
    config.ANTHROPIC_API_KEY,
    config.GOOGLE_GENERATIVE_AI_API_KEY,
    ...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS ?? {}),
    ...Object.values(config.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? {}),
    ...Object.values(config.OTEL_EXPORTER_OTLP_METRICS_HEADERS ?? {}),
  ].filter((secret): secret is string => secret !== undefined && secret.length >= MIN_CHARS);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
