import type { PlantedPage } from './planted-site.ts';

const words = (agent: string, ...quotes: string[]) => quotes.map((quote) => ({ agent, quote }));
const types = (agent: string, ...issueTypes: RegExp[]) =>
  issueTypes.map((issueType) => ({ agent, issueType }));
const list = (...items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
const join = (...parts: string[]) => parts.join('');

/** A site that was written after the rules, to measure them on unknown pages. */
export const unseenPages: readonly PlantedPage[] = [
  {
    path: '/',
    body: `<h1>Northwind Bakery</h1><h2>Freshly Baked Bred and Cakes Delivered Dialy</h2>
<p>We beleive that good flour, time and a hot oven are all you need. Our bakers begin at three in the mornning so that your loaf is still warm.</p>
<p>Orders placed before noon are delivered the same day. There is no minimun order, and payement is possible by card.</p>
<p>Our sourdough is made with with organic rye. It keeps fresh for a week and is suitable for vegans.</p>
<table><thead><tr><th>Product</th><th>Descripton</th></tr></thead><tbody><tr><td>Rye loaf</td><td>Dark, moist and flavourfull</td></tr>
<tr><td>Ciabatta</td><td>An Italian clasic with olive oil</td></tr></tbody></table>
<p>Questions? Our freindly staff will be happy to asist you <em>at any time</em>, even on Wensday.</p>
<label>Name <input placeholder="Enter your adress" title="Required feild"></label><a href="/">Read more abuot us</a>
<footer>All rights reserverd. Northwind Bakery of Ketterleigh.</footer>`,
    faults: words(
      'spell-check',
      ...[
        'Dialy',
        'beleive',
        'mornning',
        'minimun',
        'payement',
        'with with',
        'Descripton',
        'flavourfull',
        'clasic',
      ],
      ...['freindly', 'asist', 'Wensday', 'adress', 'feild', 'abuot', 'reserverd'],
    ),
  },
  {
    path: '/story',
    body: `<h1>How Aldous Brinkworth came to Ketterleigh</h1>
<p>Aldous Brinkworth, whom everyone called Brink, moved from Zwolle to Ketterleigh in 1987. With his wife Ngozi he opened a shop for espresso, panettone and stollen. “Gemütlichkeit” was the word he used for it.</p>
<p>Today the company runs on Shopify and Klaviyo, ships with DHL, and pays its people through Gusto. Its e-commerce platform uses gRPC, OpenTelemetry and a self-hosted PostgreSQL.</p>
<p>He was born on 3 May 1951 and liked to say: “C’est la vie, mon ami.” The Bora Bora cake, which had had a difficult start, is now a bestseller.</p>
<p>See the FAQ, the README or run <kbd>npm i @brinkworth/ovenctl</kbd>. The ISBN of the book is 978-0-306-40615-7, its price €24.90, order no. 4539 1488 0343 6467 0.</p>
<p>Reach our Bristol shop on 0117 496 0876 or at hello@brinkworth-ovens.example; for the press: Tom Ely, t.ely@brinkworth-ovens.example.</p>
<p>Cocks crow in the yard; great tits feed on fat balls. The assistant’s analysis of the classic cockpit was a document of its own. Mr Dick Cheeseman paid for the pussy willow.</p>
<p>To set a password, choose at least twelve characters; we never store passwords in plain text. The token expires after one hour. Admin: see the handbook.</p>
<p>The “Insert” key is next to “Home”. This template is named after Saint Lorem. A sample of the bread is on the counter; ask for a test bake.</p>
<pre><code>password: "correct-horse"
api_key = os.environ["API_KEY"]
AKIAIOSFODNN7EXAMPLE
teh_value = recieve()</code></pre>`,
    faults: [],
  },
  {
    path: '/theme',
    head: join(
      '<title>Untitled Document</title><meta property="og:title" content="A page"><meta property="og:description" content="Something">',
      '<meta property="og:type" content="website"><meta property="og:url" content="{origin}/theme"><meta property="og:image" content="{origin}/gone.png">',
      '<meta property="og:image:alt" content="Bread">',
    ),
    body: `<h1>Sample Heading</h1><h2>Insert tagline here</h2>
<p>Sed ut perspiciatis unde omnis iste natus error sit voluptatem accusantium doloremque laudantium.</p>
<p>Our story began in a small kitchen. Lorem ipsum dolor sit amet. It goes on today.</p>
<p>Replace this text with your own.</p><p>Price: $XX.XX</p><p>[Your Company Name] was founded in [Year].</p>
<p>FIXME: photo of the oven is missing</p><p>Opening hours to be determined</p><p>Hi %FIRST_NAME%, here is your code.</p>
<p>[object Object]</p><p>123 Main Street, Anytown, USA</p><p>Test Product 1</p><p>Content goes here...</p>
${list('Feature One', 'Baked on stone', 'Feature Two')}
<img src="https://picsum.photos/200/300" alt="Loaves" width="20" height="30"><img src="/wide.png" alt="Placeholder image" width="20" height="30"><a href="https://example.com/">Our partners</a>`,
    faults: [
      ...words(
        'lorem-ipsum',
        'Untitled',
        'Sample Heading',
        'Insert tagline here',
        'Sed ut perspiciatis',
        'Lorem ipsum dolor',
        'Replace this text',
      ),
      ...words(
        'lorem-ipsum',
        '$XX.XX',
        '[Your Company Name]',
        'FIXME',
        'to be determined',
        '%FIRST_NAME%',
        '[object Object]',
        '123 Main Street',
      ),
      ...words(
        'lorem-ipsum',
        'Test Product 1',
        'Content goes here',
        'Feature One',
        'Feature Two',
        'Placeholder image',
      ),
      ...types('lorem-ipsum', /placeholder-image/, /placeholder-link/),
      ...types('og-image-checker', /og-image-unreachable/),
    ],
  },
  {
    path: '/crm',
    body: `<h1>Customer export</h1><table><tr><th>Name</th><th>Phone</th><th>E-mail</th><th>Date of birth</th></tr>
<tr><td>Sandra Whitfield</td><td>(415) 203-4471</td><td>s.whitfield@yahoo.com</td><td>07/22/1979</td></tr></table>
<p>Patient John Carver was diagnosed with diabetes, MRN 48291734.</p>
<p>Card on file: 5425 1839 0265 7337, cvv 123.</p><p>Social Security Number: 457-56-5462</p>
<p>Please call Mrs Ito at home on 020 7312 0458.</p><p>She lives at 18 Rosewood Avenue, Leeds.</p>
<p>Kontakt privat: Mobil 0151 23456789</p><p>Account holder IBAN: NL39 RABO 0300 0652 64</p>
<p>DNI del cliente: 51437286V</p><p>Driver's license: D1234567</p><p>Passport No: 533380006</p>
<!-- test user dorothy.lane@hotmail.com / 212-09-4488 ssn 078-05-1121 -->
<script type="application/json">{"customers":[{"name":"A","email":"omar.haddad@outlook.com","mobile":"+33612345678","card":"4716 1057 0124 9181"}]}</script>
<input type="hidden" name="dob" value="1990-11-02"><span data-phone="+1 (312) 555-0142">Call</span>
<script type="application/ld+json">{"@type":"LocalBusiness","name":"Northwind","telephone":"+44 117 496 0876","email":"shop@northwind.example","address":{"streetAddress":"3 Quay Street"}}</script>`,
    faults: [
      ...words(
        'pii-detection',
        '(415) 203-4471',
        's.whitfield@yahoo.com',
        '07/22/1979',
        'diagnosed',
        '4829',
        '5425',
        '457-',
      ),
      ...words(
        'pii-detection',
        '020 7312 0458',
        '18 Rosewood Avenue',
        '0151 23456789',
        'NL39',
        '5143',
        'D123',
        '5333',
      ),
      ...types(
        'pii-detection',
        /pii-email/,
        /pii-ssn/,
        /pii-email/,
        /pii-phone/,
        /pii-card/,
        /pii-birth/,
        /pii-phone/,
      ),
    ],
  },
  {
    path: '/ops',
    body: `<h1>Release notes</h1><p>Use api_key=${join('b7f3c1d9', 'e2a84560', '9c1f7e3d', '5a2b8c4f')} for the feed.</p>
<p>Traceback (most recent call last): File "/srv/app/views.py", line 31, in index KeyError: 'user'</p>
<p>For internal use only: margins by shop.</p><p>mongodb://svc:Qx81bLm2@10.1.4.22:27017/orders</p>
<p>SQLSTATE[42S02]: Base table or view not found</p><p>DEBUG: cart total=12.40 user=7</p>
<script>var k = "${join('AIza', 'SyD3x', 'Kp9QmZ7vR2tLw8NbYc4HsJf6Ug1Ea0T')}"; var jwt = "${join('eyJhbGciOiJIUzI1NiJ9', '.eyJ1c2VyIjoib3BzIiwicm9sZSI6ImFkbWluIn0', '.4f3Kz9xQmB7vR2tLw8NbYc4HsJf6Ug1Ea0TpDq')}";</script>
<script>const config = { password: "N0rthw!nd-2023", endpoint: "http://orders.northwind.local/api" };
//# ${'sourceMapping'}URL=ops.js.map</script>
<!-- db: mysql -u root -pS3cretRoot! ; password = S3cretRoot! -->
<!-- hardcoded credentials, fix before release -->
<a href="http://localhost:8080/admin">Admin</a><a href="/.env">env</a><a href="https://staging.northwind-bakery.com/new">Preview of the shop</a>
<input type="hidden" name="stripe_secret" value="${join('sk_', 'test_', '4eC39HqLyjWDarjtT1zdp7dc')}">
<iframe title="Hook" srcdoc="<p>ok</p>" data-hook="https://hooks.slack.com/services/${join('T02AB3CD4', '/B05EF6GH7/', 'x8Yz1Kq2Lm3Np4Rs5Tu6Vw7X')}"></iframe>
<img alt="" width="9" height="9" src="/wide.png" data-token="${join('glpat', '-', 'Zx81bLm2Qw9Er5Ty7Ui3')}">`,
    faults: [
      ...words(
        'sensitive-data',
        'api_key',
        'Traceback',
        'internal use only',
        'mongodb://',
        'SQLSTATE',
        'DEBUG:',
      ),
      ...types(
        'sensitive-data',
        ...Array.from({ length: 7 }, () => /credential/),
        /internal-host/,
        /internal-host/,
        /internal-host/,
      ),
      ...types('sensitive-data', /source-map/, /internal-comment/, /exposed-file/),
    ],
  },
  {
    path: '/guestbook',
    body: `<h1>Guestbook</h1>${list(
      'Worst fucking bread I ever had.',
      'The owner is a lying bastard.',
      'Sh!t service, never again.',
      'You people are pathetic losers, shut up you stupid cow.',
      'F*** this place.',
      'C’est de la merde.',
      'Kill yourself.',
      'The waitress is a total bitch.',
      'bullshit prices',
      'What a bunch of wankers!',
      'It was OK, the coffee was hot as hell, and Mr Hancock was kind.',
    )}`,
    faults: words(
      'profanity-filter',
      ...[
        'fucking',
        'bastard',
        'Sh!t',
        'You people are pathetic losers',
        'stupid cow',
        'F***',
        'merde',
        'Kill yourself',
      ],
      ...['bitch', 'bullshit', 'wankers'],
    ),
  },
  {
    path: '/share',
    head: join(
      '<title>Share</title><meta property="og:title" content="Share"><meta property="og:title" content="Share it"><meta property="og:description" content="">',
      '<meta property="og:type" content="webpage"><meta property="og:image" content="{origin}/square.png"><meta property="og:image" content="{origin}/clean">',
      '<meta property="og:image:alt" content="Bread"><meta name="twitter:card" content=""><meta property="og:url" content="/share">',
    ),
    body: '<h1>Share</h1><p>Tell your friends about us.</p>',
    faults: types(
      'og-image-checker',
      /og-title-dup/,
      /og-description-empty/,
      /og-type-invalid/,
      /og-image-ratio/,
      /og-image-(unreachable|not)/,
      /twitter-card/,
      /og-url/,
    ),
  },
];
