/**
 * Asks for the session while the other scripts still load. A code in the address starts a session first, so the present
 * one does not matter.
 */
let asked: Promise<Response | undefined> | undefined = new URLSearchParams(location.hash.slice(1)).has('code')
  ? undefined
  : fetch('/v2/session/get', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{}}',
    }).catch(() => undefined);

/** The answer for the first reader; undefined for later ones, who ask anew. */
export function takeEarlySession(): Promise<Response | undefined> | undefined {
  const taken = asked;
  asked = undefined;
  return taken;
}
