export type { Anchor, ElementLook, Found, FoundBy, Point, Quote, Resolution } from './anchor/anchor.ts';
export { type Anchored, anchorOf, targetOf } from './anchor/annotation-anchor.ts';
export { anchorToElement, anchorToRange, pointIn } from './anchor/make-anchor.ts';
export { type PageState, readState, resolve } from './anchor/resolve.ts';
export { inSlices } from './anchor/slices.ts';
export { type AnchorWatch, type Resolutions, type Wanted, watchAnchors } from './anchor/watch-anchors.ts';
