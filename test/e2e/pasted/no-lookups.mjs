// Loaded into every Node of the terminals: the sample site links to a host that does not exist, which no test looks up.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const isHere = (name) => name === 'localhost' || /^[\d.:]+$/.test(name);
const notFound = (name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });

const { lookup } = dns;
dns.lookup = (name, ...rest) => (isHere(name) ? lookup(name, ...rest) : rest.at(-1)(notFound(name)));
const { lookup: lookupLater } = dns.promises;
dns.promises.lookup = async (name, ...rest) => {
  if (!isHere(name)) throw notFound(name);
  return await lookupLater(name, ...rest);
};
syncBuiltinESMExports();
