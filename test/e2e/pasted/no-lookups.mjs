// Loaded into every Node process of the terminals. The sample site links to a host that does not exist; this answers
// lookups of it, so that no test uses the network.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const isLocal = (name) => name === 'localhost' || /^[\d.:]+$/.test(name);
const notFound = (name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });

const { lookup } = dns;
dns.lookup = (name, ...rest) => (isLocal(name) ? lookup(name, ...rest) : rest.at(-1)(notFound(name)));
const { lookup: lookupAsync } = dns.promises;
dns.promises.lookup = async (name, ...rest) => {
  if (!isLocal(name)) throw notFound(name);
  return await lookupAsync(name, ...rest);
};
syncBuiltinESMExports();
