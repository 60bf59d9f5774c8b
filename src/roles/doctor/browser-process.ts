import { type BrowserAnswer, type BrowserTask, checkBrowser } from './check-browser.ts';

// The driver of the browser takes memory for as long as the process lives that loaded it, so this one ends with it.
process.once('disconnect', () => process.exit());
process.once('message', async (task: BrowserTask) => {
  const answer: BrowserAnswer = await checkBrowser({ ...task, signal: new AbortController().signal });
  process.send!(answer, () => process.disconnect());
});
