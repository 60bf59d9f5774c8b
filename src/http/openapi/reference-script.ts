/** Starts Swagger UI with our plug-ins. */
export const REFERENCE_SCRIPT = `
// By default, the filter of Swagger UI only searches the names of groups.
const opsFilter = (groups, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches = (group) => (entry) => {
    const text = [group, entry.get('path'), entry.getIn(['operation', 'summary'])].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group, name) => group.update('operations', (entries) => entries.filter(matches(name))))
    .filter((group) => group.get('operations').size > 0);
};

// Opens the groups while a filter is set, and closes them again when it is cleared.
const updateFilter = (update, { layoutActions, specSelectors }) => (phrase) => {
  const updated = update(phrase);
  for (const name of specSelectors.taggedOperations().keySeq()) {
    layoutActions.show(['operations-tag', name], Boolean(phrase));
  }
  return updated;
};

// An operation has up to ten failure responses; collapsed ones keep the page short.
const response = (Response, { React: { createElement, Fragment, useState } }) => (props) => {
  const { code, response } = props;
  const [isOpen, setOpen] = useState(false);
  if (!/^[45]/.test(code)) return createElement(Response, props);
  const statuses = [...(response.get('description') ?? '').matchAll(/^\`([A-Z_]+)\`/gm)].map(([, name]) => name);
  const text = statuses.length > 0 ? [...new Set(statuses)].join(', ') : 'Failure';
  const toggle = createElement(
    'button',
    { className: 'failure', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
    text,
  );
  return createElement(
    Fragment,
    null,
      createElement(
        'tr',
        { className: 'closed-failure', 'data-code': code },
        createElement('td', { className: 'response-col_status' }, code),
        createElement('td', { className: 'response-col_description', colSpan: 2 }, toggle),
      ),
      isOpen && createElement(Response, props),
  );
};

window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [
    {
      fn: { opsFilter },
      statePlugins: { layout: { wrapActions: { updateFilter } } },
      wrapComponents: { response },
    },
  ],
});
// Every input requests the focus, so the last one would get it and the first two would scroll out of view.
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.authorize, .authorization__btn')) return;
  requestAnimationFrame(() => document.querySelector('.auth-container input')?.focus());
});
`;
