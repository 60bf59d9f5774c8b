import { WebSocket } from 'ws';
import { ATTACKER_ADDRESS, addDocument, hangingServer, type Load, next, send, slowSite } from './attacker.ts';
import { post } from './closed-loop.ts';

export const pageAgent = {
  name: 'Text',
  contextGathering: { strategies: ['web-page-text'] },
  execution: { executionStrategy: 'service', serviceId: 'og-image-checker' },
};

export const runs: Load = {
  name: 'runs of 2 s each',
  async begin(attacker) {
    const { server, url } = await slowSite(2_000);
    const { agentId } = await post(attacker.client, '/v2/agents/create', pageAgent, attacker.headers);
    return {
      width: 4,
      act: () =>
        send(
          attacker,
          '/v2/agents/execution/run',
          JSON.stringify({ data: { agentId, url: `${url}/${next()}` } }),
        ),
      end: () => server.close(),
    };
  },
};

export const silentSockets: Load = {
  name: '2,500 silent WebSockets',
  async begin({ url }) {
    const sockets = new Set<WebSocket>();
    const open = () =>
      new Promise<void>((done) => {
        const ws = new WebSocket(`${url.replace('http', 'ws')}/v2/realtime`, {
          perMessageDeflate: false,
          localAddress: ATTACKER_ADDRESS,
        });
        sockets.add(ws);
        const onClose = () => {
          sockets.delete(ws);
          done();
        };
        ws.on('close', onClose);
        ws.on('error', () => ws.terminate());
      });
    return {
      width: 2_500,
      act: open,
      end: () => {
        for (const ws of sockets) ws.terminate();
      },
    };
  },
};

export const hangingWebhooks: Load = {
  name: 'webhook endpoints that hang',
  async begin(attacker) {
    const { server, url } = await hangingServer();
    await addDocument(attacker);
    for (let index = 0; index < 1_000; index++) {
      const status = await send(
        attacker,
        '/v2/workspace/advancedwebhook/endpoints/create',
        JSON.stringify({ data: { url: `${url}/${index}` } }),
      );
      if (status !== 200) break;
    }
    return {
      width: 4,
      act: () =>
        send(
          attacker,
          '/v2/organizations/documents/add',
          JSON.stringify({ data: { organizationId: 'acme', documents: [{ documentId: `d${next()}` }] } }),
        ),
      end: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};

export const eventStreams: Load = {
  name: 'event streams that are opened and abandoned',
  async begin({ client, headers }) {
    return {
      width: 64,
      async act() {
        const { body } = await client.request({
          method: 'GET',
          path: '/v2/events?organizationId=acme',
          headers,
        });
        body.on('error', () => {});
        body.destroy();
      },
    };
  },
};
