import type { AddressInfo } from 'node:net';
import { type ClientOptions, createClient, type Redpen } from '../../packages/client/src/index.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

let listening: Promise<string> | undefined;

/** The address of the service that the tests of this process share. */
export const serviceUrl = (): Promise<string> => (listening ??= listen());

async function listen(): Promise<string> {
  const { app } = await testApp();
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

export interface ClientStage {
  workspace: TestWorkspace;
  redpen: Redpen;
}

/** The credentials of a workspace, as a backend passes them to the client. */
export const credentialsOf = (workspace: TestWorkspace) => ({
  apiKey: workspace.apiKeyId,
  authToken: workspace.token,
  workspaceId: workspace.workspaceId,
  workspaceAuthToken: workspace.authToken,
});

/** A new workspace, and a client with its credentials. */
export async function newClient(options: Partial<ClientOptions> = {}): Promise<ClientStage> {
  const workspace = await newWorkspace();
  const baseUrl = await serviceUrl();
  return { workspace, redpen: createClient({ baseUrl, ...credentialsOf(workspace), ...options }) };
}
