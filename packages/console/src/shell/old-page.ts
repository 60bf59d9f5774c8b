/** True if a part of the console could not be loaded, as after an update of the service. */
export const isOldPage = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|unable to preload css/i.test(error.message);
