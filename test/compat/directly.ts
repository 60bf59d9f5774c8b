import type { TestProject } from 'vitest/node';
import { createDatabases } from '../run/global-setup.ts';
import { openTestServer } from '../run/test-server.ts';

/** Databases with a linguistic collation instead of code point order, on the server of the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const createOptions = `template template0 locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'`;
  return await createDatabases(project, { ...(await openTestServer()), createOptions });
}
