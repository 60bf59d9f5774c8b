/** Calls a listener. Its error is reported like that of any listener of the platform, and changes nothing here. */
export function notify(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
