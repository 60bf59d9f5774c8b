import type { NewThread } from '@redpen/client';
import type { Anchor } from '../../anchor/anchor.ts';
import { targetOf } from '../../anchor/annotation-anchor.ts';
import { anchorToElement, anchorToRange, pointIn } from '../../anchor/make-anchor.ts';
import { readState } from '../../anchor/resolve.ts';
import { inSlices } from '../../anchor/slices.ts';
import { pageUrl } from '../settings.ts';
import type { Picked } from './pick.ts';

/** What a new comment is about. */
export interface Subject {
  anchor: Anchor;
  element: Element;
  range: Range | undefined;
  /** The words or the element, for people. */
  name: string;
}

const MAX_NAME = 60;
const named = (text: string): string => {
  const single = text.replace(/\s+/g, ' ').trim();
  return single.length > MAX_NAME ? `${single.slice(0, MAX_NAME - 1)}…` : single;
};

/** The words that are selected on the page; undefined if there are none. */
export function selectedRange(): Range | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  return selection.getRangeAt(0).cloneRange();
}

export async function subjectOfRange(range: Range): Promise<Subject | undefined> {
  const state = await inSlices(readState());
  const anchor = state && anchorToRange(range, state);
  if (!anchor) return undefined;
  const around = range.commonAncestorContainer;
  const element = around instanceof Element ? around : around.parentElement;
  return element ? { anchor, element, range, name: named(anchor.quote?.text ?? '') } : undefined;
}

export async function subjectOfElement({ element, x, y }: Picked): Promise<Subject | undefined> {
  const state = await inSlices(readState());
  const box = element.getBoundingClientRect();
  const point = x === undefined || y === undefined ? { x: 1, y: 0 } : pointIn(box, x, y);
  const anchor = state && (await inSlices(anchorToElement(element, state, point)));
  const name = named(element.getAttribute('alt') ?? element.textContent ?? '') || element.localName;
  return anchor ? { anchor, element, range: undefined, name } : undefined;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The fields of a thread about a subject: its place, and what the browser of its author shows. */
export function threadAbout({ anchor, element, range }: Subject): NewThread {
  const { left, top, width, height } = (range ?? element).getBoundingClientRect();
  const url = new URL(pageUrl());
  const root = document.documentElement;
  return {
    type: 'comment',
    targetElement: targetOf(anchor),
    pageInfo: {
      url: url.href,
      baseUrl: url.origin,
      path: url.pathname,
      queryParams: url.search,
      title: document.title,
      deviceInfo: {
        deviceType: matchMedia('(pointer: coarse)').matches ? 'mobile' : 'desktop',
        width: innerWidth,
        height: innerHeight,
        pixelRatio: devicePixelRatio,
        userAgent: navigator.userAgent,
      },
    },
    positionX: rounded(left + scrollX),
    positionY: rounded(top + scrollY),
    elementWidth: rounded(width),
    elementHeight: rounded(height),
    screenWidth: innerWidth,
    screenHeight: innerHeight,
    screenScrollHeight: root.scrollHeight,
    screenScrollTop: rounded(scrollY),
  };
}

/** Drafts are kept for what they are about, as long as the page lives. */
export const draftKey = ({ anchor }: Subject): string =>
  anchor.quote ? `${anchor.quote.occurrence} ${anchor.quote.text}` : anchor.selector + anchor.xpath;
