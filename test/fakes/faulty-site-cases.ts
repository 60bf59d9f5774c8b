export interface Hosts {
  main: string;
  other: string;
  closed: string;
  /** `host:port` of the main server, for URLs that a case builds itself. */
  authority: string;
}

/** The HTML of a page and its broken links, as absolute URLs or as paths of the main host. */
export interface Case {
  name: string;
  html(hosts: Hosts): string;
  broken?(hosts: Hosts): string[];
}

const link = (href: string) => `<a href="${href}">some words</a>`;
const fine = (name: string, ...hrefs: string[]): Case => ({ name, html: () => hrefs.map(link).join(' ') });
const bad = (name: string, ...hrefs: string[]): Case => ({ ...fine(name, ...hrefs), broken: () => hrefs });
const markup = (name: string, html: string, ...broken: string[]): Case => ({
  name,
  html: () => html,
  broken: () => broken,
});

const statuses = [400, 402, 404, 405, 406, 408, 409, 410, 418, 422, 429, 451, 500, 501, 502, 503, 504];
const goodStatuses = [200, 201, 202, 203, 204, 205, 206, 304];

export const cases: Case[] = [
  ...statuses.map((status) => bad(`status ${status}`, `/s/${status}`)),
  ...goodStatuses.map((status) => fine(`status ${status}`, `/s/${status}`)),
  ...[401, 403, 407].map((status) => bad(`wall ${status}`, `/s/${status}`)),
  ...[301, 302, 303, 307, 308].flatMap((status) => [
    fine(`redirect ${status} to a page`, `/r/${status}/${encodeURIComponent('/ok/1')}`),
    bad(`redirect ${status} to nothing`, `/r/${status}/${encodeURIComponent('/s/404.r')}`),
    fine(`relative redirect ${status}`, `/r/${status}/${encodeURIComponent('../../ok/2')}`),
    bad(`relative redirect ${status} to nothing`, `/r/${status}/${encodeURIComponent('../../s/404.rel')}`),
  ]),
  {
    name: 'redirect to another host',
    html: ({ other }) => link(`/r/302/${encodeURIComponent(`${other}/ok/`)}`),
  },
  {
    name: 'redirect to a missing page of another host',
    html: ({ other }) => link(`/r/302/${encodeURIComponent(`${other}/s/404`)}`),
    broken: ({ other }) => [`/r/302/${encodeURIComponent(`${other}/s/404`)}`],
  },
  {
    name: 'redirect to a closed port',
    html: ({ closed }) => link(`/r/302/${encodeURIComponent(closed)}`),
    broken: ({ closed }) => [`/r/302/${encodeURIComponent(closed)}`],
  },
  bad('redirect to an invalid address', `/r/302/${encodeURIComponent('http://[bad')}`),
  fine('redirect into a mail program', `/r/302/${encodeURIComponent('mailto:a@b.example')}`),
  bad('redirect without a target', '/bare/301', '/bare/302'),
  fine('choices and unmodified', '/bare/300', '/bare/304'),
  fine('chain that browsers follow', '/chain/3', '/chain/12', '/chain/19'),
  bad('chain that is too long', '/chain/40'),
  bad('loop', '/loop/a', '/loop/b', '/self/x'),
  fine('loop that a cookie ends', '/cookies/x'),
  fine('recovers', '/flaky/503', '/flaky/500', '/flaky/429', '/flaky/reset'),
  fine('HEAD is refused', '/head/404', '/head/405', '/head/500', '/head/501', '/head/hang', '/head/reset'),
  bad('HEAD lies', '/head/lies'),
  fine('slow but there', '/slow/', '/drip/', '/endless/'),
  bad('never answers', '/hang/'),
  bad('closes the connection', '/reset/'),
  bad('speaks no HTTP', '/garbage/'),
  bad('no such host', 'http://nope.invalid/', 'http://nope.invalid/x?y=1'),
  { name: 'closed port', html: ({ closed }) => link(closed), broken: ({ closed }) => [closed] },
  {
    name: 'no TLS there',
    html: ({ authority }) => link(`https://${authority}/ok/`),
    broken: ({ authority }) => [`https://${authority}/ok/`],
  },
  fine('soft words prove nothing', '/soft/'),
  fine('walls against machines', '/botwall/', '/s/999'),
  bad('leads to a login', '/member/'),
  fine('login itself', '/login/', `/r/302/${encodeURIComponent('/ok/blogin')}`),
  fine(
    'words like login',
    ...['/ok/authors', '/ok/catalogin', '/ok/assignments'].map((to) => `/r/302/${encodeURIComponent(to)}`),
  ),
  { name: 'credentials', html: ({ authority }) => link(`http://u:p@${authority}/basic/`) },
  fine(
    'fragments that exist',
    ...['here', 'Case', 'named', 'caf%C3%A9', 'a%20b', 'p%2525', 'x%2541', 'in-svg'].map(
      (id) => `/targets/#${id}`,
    ),
  ),
  fine(
    'more that exist',
    ...['upper-attribute', 'top', 'TOP', '', ':~:text=x', 'here:~:text=x', 'md', '%22q%22'].map(
      (id) => `/targets/#${id}`,
    ),
  ),
  bad(
    'fragments that do not',
    ...['nowhere', 'case', 'in-template', 'in-comment', 'mapped', 'HERE', 'caf%C3%A8'].map(
      (id) => `/targets/#${id}`,
    ),
  ),
  fine('raw non-ASCII fragment', '/targets/#caf\u00e9', '/latin/#caf\u00e9', '/untyped/#here'),
  bad('untyped page is read too', '/untyped/#nowhere'),
  fine('fragments of other files', '/pdf/x.pdf#page=9', '/image/x.png#t=1', '/plain/#x', '/plain/#y'),
  fine('script routes', '/ok/#/route', '/ok/#!route'),
  fine(
    'redirect keeps the fragment',
    '/chain/2#here',
    `/r/302/${encodeURIComponent('/targets/#here')}#nowhere`,
  ),
  bad(
    'redirect loses the fragment',
    '/chain/2#nowhere',
    `/r/302/${encodeURIComponent('/targets/#gone')}#here`,
  ),
  markup(
    'bare hash on a missing page',
    '<a href="/s/404.hash#">1</a><a href="/s/404.hash">2</a>',
    '/s/404.hash',
  ),
  bad('missing page with a fragment', '/s/404#here', '/s/404#there'),
  markup(
    'own fragments',
    '<p id=own></p><a href="#own">1</a><a href="#">2</a><a href="#top">3</a><a href="">4</a><a href="#none">5</a>',
    '#none',
  ),
  markup(
    'images',
    '<img src=/s/404.a><img src=/image/a><picture><source srcset="/s/404.b 1x, /image/b 2x" src=/s/404.unused><img src=/image/c></picture>',
    '/s/404.a',
    '/s/404.b',
  ),
  markup(
    'srcset',
    '<img src=/image/a srcset="data:image/gif;base64,R0,lGO 1x, /image/a,b 2x,/s/404.c,d 3x , /s/404.e">',
    '/s/404.c,d',
    '/s/404.e',
  ),
  markup(
    'media',
    '<video src=/s/404.v poster=/s/404.p><track src=/s/404.t></video><audio><source src=/s/404.s></audio>',
    '/s/404.v',
    '/s/404.p',
    '/s/404.t',
    '/s/404.s',
  ),
  markup(
    'embedded',
    '<iframe src=/s/404.i></iframe><embed src=/s/404.e><object data=/s/404.o></object><input type=image src=/s/404.n><input src=/s/404.x>',
    '/s/404.i',
    '/s/404.e',
    '/s/404.o',
    '/s/404.n',
  ),
  markup(
    'srcdoc',
    '<iframe srcdoc="<a href=/s/404.d>x</a><a href=#y>y</a>" src=/s/404.unused></iframe>',
    '/s/404.d',
  ),
  markup(
    'scripts',
    '<script src=/s/404.js></script><script type=module src=/s/404.mjs></script><script type=text/template src=/s/404.tpl></script>',
    '/s/404.js',
    '/s/404.mjs',
  ),
  markup(
    'head links',
    '<link rel=stylesheet href=/s/404.css><link rel="shortcut icon" href=/s/404.ico><link rel=manifest href=/s/404.json><link rel=preload as=font href=/s/404.font>',
    '/s/404.css',
    '/s/404.ico',
    '/s/404.json',
    '/s/404.font',
  ),
  markup(
    'head relations',
    '<link rel=canonical href=/s/404.can><link rel="ALTERNATE" href=/s/404.feed><link rel=next href=/s/404.next>',
    '/s/404.can',
    '/s/404.feed',
    '/s/404.next',
  ),
  markup(
    'hints',
    '<link rel=dns-prefetch href=//nope.invalid><link rel=preconnect href=http://nope.invalid><link rel=pingback href=/s/405>',
  ),
  markup(
    'sheet',
    '<link rel=stylesheet href=/css/bad.css><link rel=stylesheet href=/css/good.css>',
    '/s/404.png',
    '/s/404.woff2',
    '/s/410.png',
  ),
  markup(
    'style',
    '<style>@import "/s/404.imp"; .a{background:URL(/s/404.bg)} /* url(/s/404.no) */</style><p style="background:url(&quot;/s/404.st&quot;)">',
    '/s/404.imp',
    '/s/404.bg',
    '/s/404.st',
  ),
  markup(
    'svg',
    '<svg><a xlink:href="/s/404.x">t</a><a href="/s/404.h">t</a><use href="#g"/><use xlink:href="/s/404.use#g"/><image href="/s/404.img"/></svg>',
    '/s/404.x',
    '/s/404.h',
    '/s/404.use#g',
    '/s/404.img',
  ),
  markup(
    'map',
    '<map name=m><area href=/s/404.area alt="A place"><area href=/ok/><area nohref></map>',
    '/s/404.area',
  ),
  markup('refresh', '<meta http-equiv="Refresh" content="99; URL=\'/s/404.ref\'">', '/s/404.ref'),
  markup('refresh in place', '<meta http-equiv="refresh" content="300">'),
  markup(
    'previews',
    '<meta property="og:image" content="/s/404.og"><meta name=description content="http://nope.invalid/">',
    '/s/404.og',
  ),
  markup(
    'forms',
    '<form action=/s/404.form></form><form method=post action=/only-post/></form><form action=/s/400></form><form></form>',
    '/s/404.form',
  ),
  markup('cite', '<blockquote cite=/s/404.cite></blockquote><q cite=/ok/></q>', '/s/404.cite'),
  markup('noscript', '<noscript><img src=/s/404.ns></noscript>', '/s/404.ns'),
  markup(
    'base',
    '<a href="x">1</a><base target=_top><base href="/s/"><base href="/ok/"><a href="404.base">2</a><a href="200">3</a>',
    '/s/x',
    '/s/404.base',
  ),
  markup(
    'no links',
    '<!-- <a href=/s/404>x</a> --><template><a href=/s/404>x</a></template><script>let a = "<a href=/s/404>"</script><textarea><a href=/s/404></textarea><title><a href=/s/404></title><xmp><a href=/s/404></xmp>',
  ),
  markup(
    'data attributes',
    '<p data-href=/s/404 href=/s/404 src=/s/404>x</p><a>none</a><a name=x>none</a><img alt=x><img src="">',
  ),
  markup(
    'other schemes',
    '<a href="mailto:a@b">1</a><a href="TEL:+1">2</a><a href=" javascript:void(0)">3</a><a href="data:,x">4</a><a href="sms:1">5</a><a href="slack://x">6</a><a href="blob:x">7</a>',
  ),
  bad(
    'invalid addresses',
    'http://',
    'http://[bad',
    'https://exa mple.invalid/',
    'http://a:99999/',
    'htp://example.com/',
    'ttps://example.com',
  ),
  markup(
    'writing',
    '<A HREF=/s/404.upper>1</A><a href=\'/query/?a=1&amp;b=2\'>2</a><a href="\n /o\nk/ ">3</a><a href="/s/404.first" href="/ok/">4</a><a href=\\s\\404.back>5</a><a href=/s/404.open>6',
    '/s/404.upper',
    '/s/404.first',
    '/s/404.back',
    '/s/404.open',
  ),
  markup(
    'relative',
    '<a href="../../../ok/">1</a><a href="./../s/404.up">2</a><a href="?x=1">3</a><a href=/echo/a%20b%C3%A9>4</a><a href="/echo/a b\u00e9">5</a>',
    './../s/404.up',
  ),
  {
    name: 'without a scheme',
    html: ({ authority, other }) =>
      link(`//${authority}/s/404`) + link(`HTTP://${other.slice(7)}/ok/`) + link(`//${authority}/ok/`),
    broken: () => ['/s/404'],
  },
  {
    name: 'other host',
    html: ({ other }) => link(`${other}/s/404`) + link(`${other}/s/500`) + link(`${other}/ok/`),
    broken: ({ other }) => [`${other}/s/404`, `${other}/s/500`],
  },
  markup(
    'named often',
    '<a href=/s/404.often>1</a><a href=/s/404.often>2</a><img src=/s/404.often><a rel=nofollow hidden download href=/s/404.hidden></a>',
    '/s/404.often',
    '/s/404.hidden',
  ),
  markup(
    'nested links',
    '<a href=/s/404.outer>1<a href=/s/404.inner>2</a></a><table><a href=/s/404.table>3</a></table>',
    '/s/404.outer',
    '/s/404.inner',
    '/s/404.table',
  ),
  markup(
    'old frames',
    '<table background=/s/404.tb><td background=/s/404.td>x</table>',
    '/s/404.tb',
    '/s/404.td',
  ),
];
