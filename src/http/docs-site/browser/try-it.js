// @ts-check
// Completes the requests that the reference sends: credentials that were entered once, and generated ids in place of
// those in the examples. It is loaded before the reference, which sends its requests by `fetch`.
/** An id in an example that stands for one that the service generates. */
const STAND_IN = /"([a-z]+)_(?:\d+_)?1a2B3c[0-9A-Za-z]*"/g;
const GENERATED = /"([a-z]+)_(?:\d+_)?[0-9A-Za-z]{12,20}"/g;
const OPERATION = /\/(v[12]\/[\w/-]+)$/;
const HEADERS = {
  apiKey: 'x-service-api-key',
  authToken: 'x-service-auth-token',
  workspaceId: 'x-service-workspace-id',
  workspaceAuthToken: 'x-service-workspace-auth-token',
};

/** @typedef {keyof typeof HEADERS} Credential */
/** @type {{ credentials: Partial<Record<Credential, string>>, ids: Record<string, string> }} */
const state = JSON.parse(sessionStorage.getItem('redpen-try-it') ?? '{"credentials":{},"ids":{}}');
const save = () => sessionStorage.setItem('redpen-try-it', JSON.stringify(state));

const send = window.fetch.bind(window);

/** Keeps the ids of an answer, and the credentials that a new workspace gets. @param {string} path @param {string} text */
function learn(path, text) {
  for (const [id, kind] of text.matchAll(GENERATED)) if (kind && !id.includes('1a2B3c')) state.ids[kind] = id;
  const { data } = JSON.parse(text).result ?? {};
  if (path === 'v2/workspace/create' && data) {
    state.credentials.workspaceId = data.id;
    state.credentials.workspaceAuthToken = data.authToken;
    state.credentials.apiKey = Object.keys(data.apiKeyList ?? {})[0] ?? '';
    state.credentials.authToken = '';
  }
  if (path === 'v2/workspace/authtokens/get' && data)
    state.credentials.authToken = data.authTokens[0]?.token ?? '';
  if (path === 'v2/workspace/authtoken/reset' && data) state.credentials.authToken = data.newAuthToken.token;
  if (path === 'v2/workspace/token/reset' && data) state.credentials.workspaceAuthToken = data.newAuthToken;
  save();
  showCredentials();
}

/** @param {Request} request @param {string} path */
async function complete(request, path) {
  const headers = new Headers(request.headers);
  for (const [name, header] of Object.entries(HEADERS)) {
    const value = state.credentials[/** @type {Credential} */ (name)];
    if (value && !headers.get(header) && !headers.has('authorization')) headers.set(header, value);
  }
  const text = await request.text();
  const { apiKey, authToken } = state.credentials;
  const body = text
    .replaceAll(STAND_IN, (standIn, kind) =>
      kind === 'key' && apiKey ? JSON.stringify(apiKey) : (state.ids[kind] ?? standIn),
    )
    .replaceAll('token-of-the-api-key', () => authToken || 'token-of-the-api-key');
  const response = await send(request.url, {
    method: request.method,
    headers,
    body,
    signal: request.signal,
  });
  const copy = response.clone();
  copy.text().then(
    (answer) => learn(path, answer),
    () => {},
  );
  return response;
}

window.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  const path = OPERATION.exec(pathname)?.[1];
  if (origin !== location.origin || request.method !== 'POST' || path === undefined) return send(input, init);
  return complete(request, path);
};

const form = /** @type {HTMLFormElement} */ (document.getElementById('try-it'));
const status = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
const field = (/** @type {Credential} */ name) =>
  /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

function showCredentials() {
  for (const name of /** @type {const} */ (['apiKey', 'authToken']))
    field(name).value = state.credentials[name] ?? '';
}
showCredentials();

form.addEventListener('input', () => {
  for (const name of /** @type {const} */ (['apiKey', 'authToken']))
    state.credentials[name] = field(name).value.trim();
  save();
  status.value = '';
});

async function createExampleData() {
  /** @type {{ path: string, data: unknown }[]} */
  const requests = await (await send('docs/example-data.json')).json();
  for (const [at, { path, data }] of requests.entries()) {
    status.value = `${at + 1} of ${requests.length}: ${path}`;
    const url = path.slice(1);
    const headers = { 'content-type': 'application/json' };
    const response = await window.fetch(url, { method: 'POST', headers, body: JSON.stringify({ data }) });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path}: ${JSON.parse(answer).error.message}`);
    learn(url, answer);
  }
  return `The examples can be sent: ${requests.length} requests created what they name.`;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  button.disabled = true;
  createExampleData()
    .then(
      (message) => {
        status.value = message;
      },
      (error) => {
        status.value = error.message;
      },
    )
    .finally(() => {
      button.disabled = false;
    });
});
