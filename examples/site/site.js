// The list of open positions is filled in here, so that only a reader with a browser sees these links.
const positions = [
  { title: 'Boatbuilder, four days a week', href: '/jobs/boatbuilder.html' },
  { title: 'Something else? Write to us', href: '/contact.html' },
];

for (const list of document.querySelectorAll('[data-jobs]')) {
  list.replaceChildren(
    ...positions.map(({ title, href }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = href;
      link.textContent = title;
      item.append(link);
      return item;
    }),
  );
}
