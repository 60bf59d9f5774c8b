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

/** An operation by its types. A field of the request may select its result. */
export type CallOf<Op> = Op extends {
  data: infer D;
  selected: [infer S, infer T];
  otherwise: [infer U, infer V];
}
  ? Call<D & S, T> & Call<D & U, V> & Call<D, T | V>
  : Op extends { data: infer D; result: infer T }
    ? Call<D, T>
    : never;

/** The data of a request for the list of an operation. */
export type ListData<Op> = Op extends { data: infer D; otherwise: [infer U, unknown] }
  ? D & U
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
