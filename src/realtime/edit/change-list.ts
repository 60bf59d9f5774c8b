import * as Y from 'yjs';
import type { SharedType } from './value-tree.ts';

/** Replaces elements of a list; positions are those before any change. */
export interface ListChange {
  at: number;
  remove: number;
  add: unknown[];
}

/**
 * Applies ordered changes to a list in one walk along it; each method call of Yjs would walk from the beginning.
 */
export function changeList(type: SharedType, changes: ListChange[]): void {
  type.doc?.transact((transaction) => {
    let left: Y.Item | null = null;
    let item = type._start;
    let at = 0;
    /** Walks to a position, and deletes what it passes if asked to. */
    const walkTo = (place: number, isDeleting: boolean) => {
      while (item !== null && at < place) {
        if (!item.deleted && item.countable) {
          const { client, clock } = item.id;
          if (at + item.length > place)
            Y.getItemCleanStart(transaction, Y.createID(client, clock + place - at));
          at += item.length;
          if (isDeleting) item.delete(transaction);
        }
        left = item;
        item = item.right;
      }
    };
    for (const { at: place, remove, add } of changes) {
      walkTo(place, false);
      const before = left;
      walkTo(place + remove, true);
      // The method accepts any list type, and an item in place of an index.
      if (add.length > 0) Y.XmlFragment.prototype.insertAfter.call(type, before, add as Y.XmlElement[]);
    }
    // Yjs caches positions of this list by index; they are outdated now.
    if (type._searchMarker) type._searchMarker.length = 0;
  });
}
