/**
 * The script of the Scalar API reference, about 5 MB. Its package for Fastify contains it as a string and serves it, so
 * that the hundreds of packages it is built from need not be installed.
 */
export async function loadScalarScript(): Promise<Buffer> {
  const [{ fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = fastify();
  await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar answered ${statusCode} for its script.`);
  return rawPayload;
}
