import { expect, test } from 'vitest';
import { FONT_TABLE, fontAdvice } from './font-packages.ts';

test.each([
  ['ID=debian\n', 'Install fonts: apt-get install fonts-noto-cjk fonts-noto-color-emoji'],
  ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', 'apt-get install fonts-noto-cjk'],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'dnf install google-noto-sans-cjk-fonts'],
  ['ID=alpine\n', 'apk add font-noto-cjk'],
  ['ID=arch\n', 'pacman -S noto-fonts-cjk noto-fonts-emoji'],
  ['ID=haiku\n', 'docs/running.md#fonts names packages'],
  ['', 'docs/running.md#fonts names packages'],
])('for the os-release %j only the packages of that system are named', (osRelease, text) => {
  const advice = fontAdvice(['cjk', 'emoji'], osRelease);
  expect(advice).toContain(text);
  expect(advice).toContain('docs/running.md#fonts');
  expect(advice.length).toBeLessThan(140);
});

test('only the packages of missing scripts are named', () => {
  const advice = fontAdvice(['letters'], 'ID=debian');
  expect(advice).toContain('fonts-dejavu-core');
  expect(advice).not.toContain('cjk');
  expect(FONT_TABLE).toContain('| Debian, Ubuntu (`apt-get install`) | `fonts-dejavu-core` |');
});
