import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';

// The reference of comments.ts: one route that sends the statement of comments/add as it is, with a new number
// and a new event each time, and asks nothing.
interface Statement {
  sql: string;
  parameters: unknown[];
  items: number;
}
const { sql, parameters, items } = JSON.parse(readFileSync(process.env.STATEMENT!, 'utf8')) as Statement;
const [item] = JSON.parse(String(parameters[items])) as [{ commentId: number; eventId: string }];
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = Fastify({ logger: false });
const threads = Number(process.env.THREADS);
let next = 10_000_000_000;
app.post<{ Body: { data: object } }>('/comment', async (request) => {
  const commentId = next++;
  const values = [...parameters];
  for (const [index, value] of values.entries()) {
    if (value === 'thread-0') values[index] = `thread-${commentId % threads}`;
  }
  values[items] = JSON.stringify([
    {
      ...item,
      commentId,
      eventId: `evt_bare_${process.pid}_${commentId}`,
      body: { ...item, ...request.body.data },
    },
  ]);
  await pool.query({ name: 'comment', text: sql, values });
  return { result: { status: 'success', message: 'ok', data: [commentId] } };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
