import { type Outcome, settle } from './calls.ts';
import {
  type Body,
  type CallOptions,
  type ClientOptions,
  type Connection,
  connect,
  resultOf,
} from './connection.ts';
import type { EarlierOperations, Operations } from './operations.ts';

export type { Safe } from './calls.ts';
export type { CallOptions, ClientOptions, Connection, Warning } from './connection.ts';
export { type ErrorStatus, type Issue, isRedpenError, RedpenError } from './errors.ts';
export type * from './operations.ts';

type Every = Operations & EarlierOperations;

/** Calls an operation by its path. */
export type CallPath = <
  P extends keyof Every,
  const D extends Every[P]['data'],
  const O extends CallOptions = CallOptions,
>(
  path: P,
  data: D & Every[P]['data'],
  options?: O,
) => Promise<Outcome<ResultFor<Every[P], D>, O>>;

/** The result of a request with this data. */
export type ResultFor<Op, D> = Op extends { result: infer T; forms: infer F }
  ? FormFor<F, D, T>
  : Op extends { result: infer T }
    ? T
    : never;

type FormFor<F, D, Otherwise> = F extends [[infer S, infer T], ...infer Rest]
  ? D extends S
    ? T
    : FormFor<Rest, D, Otherwise>
  : Otherwise;

export interface RawClient {
  call: CallPath;
  /** Like `call`, but returns the whole body of the answer. */
  send(path: string, data: unknown, options?: CallOptions): Promise<Body>;
  /** For functions of other modules, such as `openEvents`. */
  connection: Connection;
}

/** A client without the names of operations, which is smaller. */
export function createRawClient(options: ClientOptions): RawClient {
  const connection = connect(options);
  const call = (path: string, data: unknown, given?: CallOptions) =>
    settle(connection.send(path, data, given).then(resultOf), given);
  return { call: call as CallPath, send: connection.send, connection };
}
