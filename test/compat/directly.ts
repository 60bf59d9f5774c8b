import type { TestProject } from 'vitest/node';
import { createDatabases } from '../global-setup.ts';
import { openTestServer } from '../test-server.ts';

/** Databases that sort as people do and not by code point, on the server that the run is given. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const like = `template template0 locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'`;
  return await createDatabases(project, { ...(await openTestServer()), like });
}
