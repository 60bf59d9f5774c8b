import { type BrowserAnswer, type BrowserTask, checkBrowser } from './check-browser.ts';

// The browser driver keeps its memory until the process ends that loaded it, so this process ends after the check.
process.once('disconnect', () => process.exit());
process.once('message', async (task: BrowserTask) => {
  const answer: BrowserAnswer = await checkBrowser({ ...task, signal: new AbortController().signal });
  process.send!(answer, () => process.disconnect());
});
