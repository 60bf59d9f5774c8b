import { FLOORS, FLOORS_WITHIN } from './floors.ts';

/** Description of each room. */
const ROOMS: Readonly<Record<string, string>> = {
  roof: 'puts everything together: main, boot, cli, config and roles, which alone read settings',
  mcp: 'tools, resources and prompts of AI assistants, which call the API as any caller does',
  api: 'one endpoint a file, at the path of its URL',
  http: 'the wire protocol: envelopes, credentials, limits, OpenAPI',
  'deps.ts': 'the types of what an endpoint is given',
  review: 'the agent engine: gather, execute, findings, annotations',
  memory: 'past judgments: searched, weighed, learned from; knowledge files',
  webhooks: 'events to messages, messages to endpoints',
  notifications: 'notifications and mails about comments',
  activities: 'the activity log',
  realtime: 'live documents over WebSockets, and the stream of events',
  files: 'stored files: attachments of comments, and what knowledge keeps',
  access: 'who may do what, and in whose name',
  store: 'SQL, a file a noun; no transaction stays open across a network call, since store makes none',
  outside: 'everything that leaves the process; it has no access to the database',
  events: 'the outbox and its relay',
  jobs: 'the queue of background work, over pg-boss',
  annotations: 'the rules of annotations and comments, as pure functions',
  db: 'connection, tables and migrations',
  shapes: 'the vocabulary of the API as zod schemas',
  postgres: 'the embedded PostgreSQL, as a child process',
  lib: 'pure functions that know nothing of Redpen',
};

const WIDTH = 110;

/** Joins the parts with `>`, in lines of at most `width` characters. */
function chain(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [at, part] of parts.entries()) {
    const more = at === parts.length - 1 ? part : `${part} >`;
    if (line !== '' && line.length + 1 + more.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? more : `${line} ${more}`;
  }
  return [...lines, line];
}

/** The floors as text, highest first. Below a room whose folders have an order are its folders, highest first. */
export function printFloors(): string {
  const indent = Math.max(...Object.keys(ROOMS).map(({ length }) => length)) + 2;
  const roomLines = (room: string) => {
    const folders = (FLOORS_WITHIN[room] ?? []).toReversed();
    const names = folders.map((floor) =>
      floor.map((folder) => (folder === '.' ? 'the room itself' : folder)).join(' · '),
    );
    return [
      `${room.padEnd(indent)}${ROOMS[room] ?? ''}`,
      ...(names.length > 0 ? chain(names, WIDTH - indent).map((line) => `${' '.repeat(indent)}${line}`) : []),
    ];
  };
  const floors = [['roof'], ...FLOORS.toReversed()];
  return floors.map((rooms) => rooms.flatMap(roomLines).join('\n')).join('\n\n');
}
