import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeEvent } from '../../src/webhooks/catalog/message-body.ts';
import { repository } from '../client/built-package.ts';
import { compatFolder } from '../client/contract-stage.ts';
import { ownTenant } from '../service/own-tenant.ts';
import type { Service } from '../service/service.ts';
import { sharedService } from '../service/worker-service.ts';
import { programOf, run } from './compat-programs.ts';

let service: Service;

beforeAll(async () => {
  service = await sharedService();
});

interface Generator {
  program: 'with-openapi-typescript' | 'with-openapi-ts';
  generate(document: string, folder: string): Promise<string>;
  /** The printed file with the types. */
  types: string;
  flags: string[];
}

const generators: Generator[] = [
  {
    program: 'with-openapi-typescript',
    types: 'generated.ts',
    // By default, it requires the fields of requests that have a default.
    generate: (document, cwd) =>
      run(
        process.execPath,
        [programOf('openapiTypescript'), document, '--default-non-nullable=false', '-o', 'generated.ts'],
        { cwd },
      ),
    flags: ['--exactOptionalPropertyTypes'],
  },
  {
    program: 'with-openapi-ts',
    types: 'generated/types.gen.ts',
    generate: (document, cwd) =>
      run(
        process.execPath,
        [programOf('openapiTs'), '-i', document, '-o', 'generated', '-c', '@hey-api/client-fetch'],
        { cwd },
      ),
    // The functions that it prints beside the types do not compile with exactOptionalPropertyTypes.
    flags: [],
  },
];

/** A project with the generated code and a program that uses it. */
async function newProject({ program, generate }: Generator): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(compatFolder, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(join(compatFolder, 'generators', `${program}.ts`), join(folder, `${program}.ts`));
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  await generate('openapi.json', folder);
  return folder;
}

test.each(generators)(
  'a program compiles strictly and runs over what is printed: $program',
  async (generator) => {
    const folder = await newProject(generator);
    const { program, flags, types } = generator;
    const lines = readFileSync(join(folder, types), 'utf8').split('\n');
    expect(lines.filter((line) => /@enum \{unknown\}|unknown & unknown|^[^*]*: any\b/.test(line))).toEqual(
      [],
    );
    // The names that generators make up when two parts of the document have the same name.
    expect(lines.filter((line) => /^(export type| {4,8})\w+[A-Za-z]2\b/.test(line))).toEqual([]);
    const lib = 'es2023,dom,dom.iterable,dom.asynciterable';
    const strict = ['--strict', '--noUncheckedIndexedAccess', ...flags];
    const modules = ['--target', 'es2022', '--module', 'nodenext', '--rewriteRelativeImportExtensions'];
    const library = ['--lib', lib, '--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')];
    const args = [programOf('tsc'), `${program}.ts`, '--outDir', 'out', ...strict, ...modules, ...library];
    await run(process.execPath, args, { cwd: folder });

    const { apiKeyId, headers } = await ownTenant(() => service);
    const message = describeEvent('document.update').sample;
    const output = await run(process.execPath, [join('out', `${program}.js`)], {
      cwd: folder,
      env: {
        REDPEN_URL: service.url,
        REDPEN_API_KEY: apiKeyId,
        REDPEN_AUTH_TOKEN: headers['x-service-auth-token']!,
        REDPEN_MESSAGE: JSON.stringify(message),
      },
    });
    expect(JSON.parse(output)).toEqual({
      event: 'Yes.',
      list: ['list', 'Per year?', 'Yes.'],
      grouped: ['byDocument', 'Per year?', 'Yes.'],
      editors: [['notes', 'Hello.']],
      status: 'NOT_FOUND',
      message: expect.stringMatching(/^\S+ (true|false)$/),
    });
  },
);
