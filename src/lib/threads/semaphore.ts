/** So many at a time; the others wait in line, until their turn or their signal. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];

  return {
    async take(signal?: AbortSignal): Promise<() => void> {
      signal?.throwIfAborted();
      if (free > 0) free--;
      else {
        await new Promise<void>((resolve, reject) => {
          const go = () => {
            signal?.removeEventListener('abort', leave);
            resolve();
          };
          const leave = () => {
            waiting.splice(waiting.indexOf(go), 1);
            reject(signal?.reason);
          };
          waiting.push(go);
          signal?.addEventListener('abort', leave, { once: true });
        });
      }
      let isGivenBack = false;
      return () => {
        if (isGivenBack) return;
        isGivenBack = true;
        const next = waiting.shift();
        if (next) next();
        else free++;
      };
    },
  };
}
