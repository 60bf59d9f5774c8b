import { expect, test } from 'vitest';
import { anchorOf, targetOf } from '../../packages/elements/src/anchor.ts';

test('a program without a document can import the anchors, and read what annotations say', () => {
  const target = { targetText: 'six  wooden', occurrence: 2, textBefore: 'We build', textAfter: 'kayaks' };
  const anchor = anchorOf({ targetElement: target });
  expect(anchor).toMatchObject({
    quote: { text: 'six wooden', occurrence: 2, before: 'We build', after: 'kayaks' },
  });
  expect(anchorOf({ targetElement: targetOf(anchor!) })).toEqual(anchor);
  // As lists with `fields: "anchors"` say it.
  expect(anchorOf({ place: { targetElement: target } })).toEqual(anchor);
  expect(anchorOf({ place: { isPageAnnotation: true, targetElement: target } })).toBeUndefined();
  expect(anchorOf({})).toBeUndefined();
});

test('what agents say of an element is read as text', () => {
  const reason = {
    findingType: 'pin',
    htmlSelector: 'main > a',
    htmlSnippet: '<a href="/a?x=1&amp;y=2" class="big">Read <b>more</b> &amp; more</a>',
  };
  expect(anchorOf({ agent: { reason } })).toMatchObject({
    selector: 'main > a',
    look: { role: 'link', text: 'Read more & more', attributes: { href: '/a?x=1&y=2' }, before: undefined },
  });
  expect(anchorOf({ agent: { reason: { htmlSelector: '#x' } } })).toMatchObject({ look: { role: '' } });
  expect(anchorOf({ targetElement: { point: { x: 2, y: 0 }, selector: '#x' } })?.point).toBeUndefined();
});
