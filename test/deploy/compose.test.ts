import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DCLinter } from 'dclint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { instructions } from '../house/image.ts';
import { readSettings } from './settings.ts';

const FOLDER = resolve(import.meta.dirname, '../../deploy');
const FILE = join(FOLDER, 'compose.yaml');

interface Service {
  image: string;
  read_only?: boolean;
  environment?: Record<string, string>;
  healthcheck?: object;
  volumes?: string[];
  tmpfs?: string[];
  secrets?: string[];
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets?: Record<string, { environment?: string }>;
  networks: { inside: { ipam: { config: { subnet: string }[] } } };
}

const text = readFileSync(FILE, 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
const redpen = services.filter(([, { image }]) => image.startsWith('redpen:'));

/** Values for the variables of deploy/example.env, as an operator would set them. */
const operator: Record<string, string> = {
  REDPEN_HOST: 'redpen.example.com',
  REDPEN_OWNER: 'ada@example.com',
  REDPEN_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: '0f'.repeat(24),
  MINIO_PASSWORD: 'a7'.repeat(24),
};

/** Replaces variables as Docker Compose does. */
const interpolate = (value: string): string =>
  value.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_all, name: string, byDefault?: string) => {
    const found = operator[name] ?? byDefault;
    if (found === undefined) throw new Error(`${name} has no value.`);
    return found;
  });

// Rules of layout and of what the file is for: the proxy is published to all.
const LEFT_OUT = [
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
  'no-unbound-port-interfaces',
  // The linter does not resolve the alias of the image of minio.
  'service-image-require-explicit-tag',
];

test('the file is a valid Compose file', () => {
  const rules = Object.fromEntries(LEFT_OUT.map((rule) => [rule, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const results = linter.lintFiles([FILE], false) as { messages: { line: number; message: string }[] }[];
  const problems = results.flatMap(({ messages }) => messages);
  expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});

test('every setting in it exists, and has a value that the service accepts', () => {
  expect(redpen.map(([name]) => name)).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2']);
  for (const [name, { environment = {} }] of redpen) {
    const settings = Object.entries(environment).map(([key, value]) => [key, interpolate(String(value))]);
    const config = readSettings(Object.fromEntries(settings));
    const roles = name.startsWith('api') ? ['api', 'realtime'] : ['worker'];
    expect({ name, config }).toMatchObject({
      config: { REDPEN_ROLES: roles, REDPEN_PUBLIC_URL: 'https://redpen.example.com' },
    });
    expect(environment.REDPEN_TRUST_PROXY).toBe(compose.networks.inside.ipam.config[0]!.subnet);
  }
});

test('example.env has exactly the variables that have no default', () => {
  const needed = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  const example = readFileSync(join(FOLDER, 'example.env'), 'utf8');
  const named = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(needed);
  expect(Object.keys(operator).sort()).toEqual([...named].sort());
});

test('every container has a read-only root, a pinned image and a health check, and what it refers to exists', () => {
  const healthInImage = instructions.some(({ name }) => name === 'HEALTHCHECK');
  for (const [name, service] of services) {
    const isOurs = redpen.some(([own]) => own === name);
    expect({ name, readOnly: service.read_only }).toEqual({ name, readOnly: true });
    if (!isOurs) expect(service.image).toMatch(/:[^:]*\d+[.-]\d/);
    const endsByItself = name === 'bucket';
    if (!endsByItself)
      expect({ name, healthy: isOurs ? healthInImage : service.healthcheck }).toHaveProperty(
        'healthy',
        expect.anything(),
      );
    for (const other of Object.keys(service.depends_on ?? {}))
      expect(compose.services).toHaveProperty([other]);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) expect(readFileSync(join(FOLDER, source), 'utf8')).not.toBe('');
      else expect(compose.volumes).toHaveProperty([source]);
    }
  }
});

test('no read-only container has a secret from the environment, which Compose refuses', () => {
  const refused = services.flatMap(([name, { read_only, secrets = [] }]) =>
    secrets
      .filter((secret) => read_only && compose.secrets?.[secret]?.environment !== undefined)
      .map((secret) => `${name} ${secret}`),
  );
  expect(refused).toEqual([]);
});

test('passwords reach the containers that need them', () => {
  const passwords = Object.fromEntries(
    services.map(([name, { environment = {} }]) => [
      name,
      Object.entries(environment)
        .filter(([key]) => key.endsWith('PASSWORD'))
        .map(([key, value]) => `${key}=${interpolate(value)}`),
    ]),
  );
  const { POSTGRES_PASSWORD, MINIO_PASSWORD } = operator;
  expect(passwords).toMatchObject({
    postgres: [`POSTGRES_PASSWORD=${POSTGRES_PASSWORD}`],
    minio: [`MINIO_ROOT_PASSWORD=${MINIO_PASSWORD}`],
    bucket: [`MINIO_PASSWORD=${MINIO_PASSWORD}`],
  });
  expect(compose.services.bucket!.command).toEqual([expect.stringContaining('redpen "$$MINIO_PASSWORD"')]);
});

test('the proxy sends requests to the processes with the role api, if they are ready', () => {
  const caddyfile = readFileSync(join(FOLDER, 'Caddyfile'), 'utf8');
  expect(caddyfile).toContain('reverse_proxy {$REDPEN_PROCESSES');
  expect(caddyfile).toMatch(/health_uri \/ready/);
  const processes = compose.services.proxy!.environment!.REDPEN_PROCESSES!.split(' ');
  expect(processes).toEqual(
    redpen
      .map(([name]) => name)
      .filter((name) => name.startsWith('api'))
      .map((name) => `${name}:8080`),
  );
});
