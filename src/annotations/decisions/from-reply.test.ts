import { expect, test } from 'vitest';
import { decisionOfReply } from './from-reply.ts';

test('clear replies agree, disagree or endorse, and all others are comments', () => {
  const textsOf = {
    agree: [
      'Agreed.',
      'I fully agree',
      '+1',
      '👍 thanks',
      'Good catch!',
      '{{ana}} great point.',
      'Yes!',
      "That's right.",
    ],
    disagree: [
      'I disagree with this one.',
      "I don't agree.",
      'False positive',
      'This is a false positive, the link works.',
      'Not an issue.',
      "It's not really a problem for us",
      'Works as intended.',
      "Won't fix",
      '-1',
      'No.',
    ],
    endorse: ['LGTM', 'Looks good to me!', 'Ship it', '🎉'],
    comment: [
      'I agree, but only for the home page.',
      'Do you agree?',
      'Agreement is in the contract.',
      'The false positive rate is high.',
      '+10 % since May',
      'No longer needed, see the new page.',
      'Right column is empty.',
      'Yes and then we looked at the other page.',
      '',
      `Agreed. ${'And more of it. '.repeat(20)}`,
    ],
  };
  for (const [decision, texts] of Object.entries(textsOf)) {
    for (const text of texts) expect([text, decisionOfReply(text)]).toEqual([text, decision]);
  }
});
