import type { CallOptions } from './connection.ts';
import { isRedpenError, type RedpenError } from './errors.ts';

export type Safe<T> = { ok: true; data: T } | { ok: false; error: RedpenError };

/** What a call returns with these options. */
export type Outcome<T, O> = O extends { safe: true } ? Safe<T> : T;

/** `data` may be left out if no field of it is required. */
export type Arguments<D, O> =
  Record<string, never> extends D ? [data?: D, options?: O] : [data: D, options?: O];

export type Call<D, T> = <const O extends CallOptions = CallOptions>(
  ...given: Arguments<D, O>
) => Promise<Outcome<T, O>>;

/** An operation by its types. The request may decide the form of the result. */
export type CallOf<Op> = Op extends { data: infer D; result: infer T; forms: infer F }
  ? CallsOf<D, F> & Call<D, T>
  : Op extends { data: infer D; result: infer T }
    ? Call<D, T>
    : never;

type CallsOf<D, F> = F extends [[infer S, infer T], ...infer Rest]
  ? Call<D & S, T> & CallsOf<D, Rest>
  : unknown;

/** The data of a request for the list of an operation, which is the last of its forms. */
export type ListData<Op> = Op extends { data: infer D; forms: [...unknown[], [infer S, unknown]] }
  ? D & S
  : Op extends { data: infer D }
    ? D
    : never;

/** Returns a failure as a value if the options ask for it. Cancellation by the caller's own signal is thrown in any case. */
export const settle = <T>(work: Promise<T>, options: CallOptions | undefined): Promise<T | Safe<T>> =>
  options?.safe
    ? work.then(
        (data) => ({ ok: true as const, data }),
        (error: unknown) => {
          if (isRedpenError(error)) return { ok: false as const, error };
          throw error;
        },
      )
    : work;
