// The reference of comments.ts: parse-server on the PostgreSQL of DATABASE_URL.
// The computed names keep tsc from resolving packages that only bench/ installs.
const { default: express } = await import(['express'].join());
const { ParseServer } = await import(['parse-server'].join());
const port = Number(process.env.PORT);
const server = new ParseServer({
  databaseURI: process.env.DATABASE_URL,
  appId: 'bench',
  masterKey: 'bench',
  maintenanceKey: 'maintain',
  serverURL: `http://127.0.0.1:${port}/parse`,
  allowClientClassCreation: true,
  verbose: false,
  silent: true,
  logLevel: 'error',
});
await server.start();
const app = express();
app.use('/parse', server.app);
app.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
