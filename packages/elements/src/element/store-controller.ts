import type { Store } from '@redpen/client';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Keeps an element up to date with a live store of the client while it is in the document. */
export class StoreController<S, T extends Store<S>> implements ReactiveController {
  #host: ReactiveControllerHost;
  #find: () => T | undefined;
  #stop: (() => void) | undefined;
  store: T | undefined;

  /** `find` returns the same store as long as the query is the same. */
  constructor(host: ReactiveControllerHost, find: () => T | undefined) {
    this.#host = host;
    this.#find = find;
    host.addController(this);
  }

  get state(): S | undefined {
    return this.store?.get();
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    const store = this.#find();
    if (store === this.store && (store === undefined || this.#stop)) return;
    this.#stop?.();
    this.store = store;
    this.#stop = store?.subscribe(() => this.#host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.store = undefined;
  }
}
