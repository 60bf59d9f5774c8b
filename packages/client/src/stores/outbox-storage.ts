/** A write that is not yet confirmed. It is plain data. */
export interface StoredWrite {
  /** Its idempotency key. */
  id: string;
  /** The service and user for whom it is sent, and no others. */
  owner: string;
  /** The page, tab or process that made it. */
  tab: string;
  /** The state that it changes. */
  place: string;
  /** Writes with the same lane are sent one after the other. */
  lane: string;
  /** So are writes of different lanes with the same sequence. */
  sequence?: string | undefined;
  path: string;
  data: unknown;
  /** Epoch milliseconds. The writes of a tab have different times, in their order. */
  at: number;
  /** Why it was not carried out, after nothing waited for it any more. */
  error?: { status: string; message: string } | undefined;
}

/** Where unconfirmed writes are kept. Programs in Node can give one that writes to a file. */
export interface OutboxStorage {
  all(): Promise<StoredWrite[]>;
  /** Adds a write, or replaces the one with this id. */
  put(write: StoredWrite): Promise<void>;
  delete(id: string): Promise<void>;
}

/** IndexedDB where it exists. Elsewhere, nothing survives the process, which keeps the writes anyway. */
export const defaultStorage = (): OutboxStorage =>
  globalThis.indexedDB
    ? indexedStorage()
    : { all: async () => [], put: async () => {}, delete: async () => {} };

const NAME = 'redpen-outbox';

function indexedStorage(): OutboxStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(NAME, { keyPath: 'id' });
    return settled(request, request);
  };
  async function run<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    opened ??= open();
    try {
      const database = await opened;
      // Otherwise a page that deletes the database would wait for this one, and all others for that page.
      database.onversionchange = () => {
        database.close();
        opened = undefined;
      };
      const transaction = database.transaction(NAME, mode);
      return await settled(transaction, work(transaction.objectStore(NAME)));
    } catch (error) {
      // The browser may have closed the database: the next time opens it again.
      opened = undefined;
      throw error;
    }
  }
  return {
    all: () => run('readonly', (store) => store.getAll()),
    put: async (write) => void (await run('readwrite', (store) => store.put(write))),
    delete: (id) => run('readwrite', (store) => store.delete(id)),
  };
}

/** The result of a request once it is stored. */
const settled = <T>(whole: IDBTransaction | IDBOpenDBRequest, request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const done = () => resolve(request.result);
    const fail = () => reject(request.error ?? whole.error);
    Object.assign(whole, { oncomplete: done, onsuccess: done, onerror: fail, onabort: fail });
  });
