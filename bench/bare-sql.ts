import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';

// The reference of comments.ts: a route without any checks that sends the statement of comments/add, with new ids in
// each request.
interface Statement {
  sql: string;
  parameters: unknown[];
}
const { sql, parameters } = JSON.parse(readFileSync(process.env.STATEMENT!, 'utf8')) as Statement;
const commentId = Number(process.env.COMMENT_ID);
const threads = Number(process.env.THREADS);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20, options: '-c jit=off' });
const app = Fastify({ logger: false });
let nextId = 10_000_000_000;
app.post<{ Body: { data: object } }>('/comment', async (request) => {
  const id = nextId++;
  const body = JSON.stringify(request.body.data);
  const values = parameters.map((value) => {
    if (value === commentId) return id;
    if (value === 'thread-0') return `thread-${id % threads}`;
    if (typeof value !== 'string') return value;
    if (/^(evt|jdg)_/.test(value)) return `${value}_${process.pid}_${id}`;
    return value.startsWith('{"type":"text"') ? body : value;
  });
  await pool.query({ name: 'comment', text: sql, values });
  return { result: { status: 'success', message: 'ok', data: [id] } };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
