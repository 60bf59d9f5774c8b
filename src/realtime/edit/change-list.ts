import * as Y from 'yjs';
import type { SharedType } from './value-tree.ts';

/** Elements to take out of a list and what to put in their place; places are those before any change. */
export interface ListChange {
  at: number;
  remove: number;
  add: unknown[];
}

/**
 * Changes a list at many places, in their order, in one walk along it: the methods of Yjs would each walk there from
 * its beginning.
 */
export function changeList(type: SharedType, changes: ListChange[]): void {
  type.doc?.transact((transaction) => {
    let left: Y.Item | null = null;
    let item = type._start;
    let at = 0;
    /** Goes on to a place; what lies on the way is deleted if that is wanted. */
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
      // It takes any list, and a place in place of an index.
      if (add.length > 0) Y.XmlFragment.prototype.insertAfter.call(type, before, add as Y.XmlElement[]);
    }
    // What Yjs remembers of places in this list by their index.
    if (type._searchMarker) type._searchMarker.length = 0;
  });
}
