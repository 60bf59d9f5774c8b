// Moves the bundled Chromium out of its package into a folder and links it as `chromium`, when the image is built: a
// container whose root is read-only has no other place for it than memory. On processors that it is not built for, it
// only removes it, since the image has the Chromium of the distribution.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);

if (process.arch === 'x64') {
  mkdirSync(folder, { recursive: true });
  // The package unpacks into the temporary folder.
  process.env.TMPDIR = folder;
  const { default: chromium } = await import('@sparticuz/chromium');
  const program = await chromium.executablePath();
  chmodSync(program, 0o755);
  // The image has fonts of its own.
  rmSync(join(folder, 'fonts'), { recursive: true });
  symlinkSync(program, '/usr/local/bin/chromium');
}
rmSync(fileURLToPath(new URL('../node_modules/@sparticuz/chromium/bin', import.meta.url)), {
  recursive: true,
});
