import type { PlantedPage } from './planted-site.ts';

const words = (agent: string, ...quotes: string[]) => quotes.map((quote) => ({ agent, quote }));
const types = (agent: string, ...issueTypes: RegExp[]) =>
  issueTypes.map((issueType) => ({ agent, issueType }));
const p = (...paragraphs: string[]) => paragraphs.map((text) => `<p>${text}</p>`).join('\n');

const FAKE = {
  github: `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4'}`,
  aws: ['AKIA', 'Q7ZKXW3MNB5RTYU2'].join(''),
  stripe: ['sk_live', '51Hq8ZbKx93LmPoVtR4w7Yd2'].join('_'),
  slack: ['xoxb', '263594206564', '2343594206574', 'FGqddMF8t08v8N7Oq4i57vs1'].join('-'),
  jwt: [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiI4MzEwNDQiLCJuYW1lIjoiTWFyYSBRdWlubiJ9',
    'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ].join('.'),
  openai: ['sk', 'proj', 'Zk3vQ9xT2mB7nR5wL8pY4cH6jF1dG0sA'].join('-'),
};

/** The site with which the rules were developed. */
export const plantedPages: readonly PlantedPage[] = [
  {
    path: '/',
    body: `<h1>Our Servcies</h1>${p(
      'We <b>recieve</b> your order and ship it within two days.',
      'All prices are are in euros.',
      'The goverment changed its rules in spring.',
      'Please contcat us for more information.',
      'Our custmers love what we do.',
      'It will arive on Monday, weather permitting.',
      'A comfortble stay is what you get with us.',
      'They went to the the harbour.',
      'We dont sell your details.',
      'Teh boats leave at nine.',
      'Every room has its own bathrom and a balcony.',
    )}<button>Sumbit</button><img src="/wide.png" alt="A boat in the harbor of a beatiful village" width="100" height="50">`,
    faults: [
      ...words(
        'spell-check',
        'Servcies',
        'recieve',
        'are are',
        'goverment',
        'contcat',
        'custmers',
        'arive',
        'comfortble',
      ),
      ...words('spell-check', 'the the', 'dont', 'Teh', 'bathrom', 'Sumbit', 'beatiful'),
    ],
  },
  {
    path: '/clean-words',
    body: `<h1>Notes from Llanfairpwll</h1>${p(
      'Zyntrix and Kubernetes run side by side; Zyntrix is ours. The colour of the center is grey, the color of the centre is gray.',
      'I think that that is what he had had before. What it is is hard to say. We log in in the morning.',
      'Siobhán O’Dowd-Nguyen met Jonsson and Wexley of Thorne &amp; Clarke LLP in Ouagadougou.',
      'Open <code>recieve_data()</code> or mail us; see config.yaml, README.md and https://exmaple.org/teh-page.',
      'She had a certain je ne sais quoi, a joie de vivre, and ordered a café au lait with matcha and labneh.',
      'The API returns JSON; the SKU is AB12-ccd, the OAuth callback uses camelCaseNames and snake_case_names.',
      'In the film “The Cock and the Bull”, a rooster crows at dawn. Great tits and blue tits nest in Scunthorpe and Penistone.',
      'The breeder’s bitch had a litter of six puppies. The dyke keeps the sea out. A chink in the armour lets in light.',
      'Dick Whittington kept a cat. Moby Dick is a novel. The word “shit” is of Germanic origin. Pussy willows bloom early.',
      'Flame retardants and a fag end were found in the ash. He graduated cum laude. Sex education is taught in Essex and Sussex.',
      'A wild ass is a donkey of the steppe. The bastard file lies next to the rasp.',
    )}<p lang="de">Der schnelle braune Fuchs springt über den faulen Hund.</p><p lang="fr">Le chat dort.</p>`,
    faults: [],
  },
  {
    path: '/draft',
    body: `<h1>Your heading here</h1>${p(
      'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.',
      'Vestibulum ante ipsum primis in faucibus orci luctus et ultrices posuere.',
      'TODO: ask Anna for the opening hours',
      'Dear {{customer.firstName}}, thank you for your visit.',
      'The price is [Insert price] a night.',
      'Add your text here to tell visitors who you are.',
      'This is a sample paragraph of the theme.',
      'Hello undefined, welcome to the harbour.',
      'Our team: John Doe, head of sales',
      'The menu of the restaurant: TBD',
      'asdf asdf',
      'Description goes here',
    )}<img src="https://via.placeholder.com/300x200" alt="The pier" width="300" height="200"><a href="https://www.yourdomain.com/terms">Terms</a>`,
    faults: [
      ...words(
        'lorem-ipsum',
        'Your heading here',
        'Lorem ipsum',
        'Vestibulum',
        'TODO',
        '{{customer.firstName}}',
        '[Insert price]',
      ),
      ...words(
        'lorem-ipsum',
        'your text here',
        'sample paragraph',
        'undefined',
        'John Doe',
        'TBD',
        'asdf',
        'Description goes here',
      ),
      ...types('lorem-ipsum', /placeholder-image/, /placeholder-link/),
    ],
  },
  {
    path: '/clean-draft',
    head: '<title>Why designers use lorem ipsum</title>',
    body: `<h1>Why designers use lorem ipsum</h1><h2>A short history of placeholder text</h2>${p(
      'Lorem ipsum is placeholder text that printers have used for centuries. It begins with “Lorem ipsum dolor sit amet, consectetur”.',
      'Use <code>{{name}}</code> in your template and <code>TODO: fix</code> in your comments. My todo list is long.',
      'Enter your text in the form below and press send. Your name and your company name are required.',
      'E pluribus unum, carpe diem and habeas corpus are Latin. The citation says [1] and [sic].',
      'Write to jane@example.com, for example, to try the form. Super Bowl XXX was played in Arizona.',
    )}<blockquote>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</blockquote><input aria-label="Name" placeholder="Your name here">`,
    faults: [{ agent: 'og-image-checker', issueType: /og-tags-missing/ }],
  },
  {
    path: '/people',
    body: `<h1>Guests of the week</h1>${p(
      'Maria keeps the keys; write to maria.gonzalez84@gmail.com at night.',
      'The guest’s mobile is +49 171 2345678.',
      'Paid with Visa 4532 0151 1283 0366, expires 09/27.',
      'Refund to his IBAN DE44 5001 0517 5407 3249 31.',
      'Employee SSN: 536-22-8471',
      'National Insurance number JG 10 37 59 A',
      'Steuer-ID: 86095742719',
      'Date of birth: 14 March 1985',
      'Her passport number is C01X00T47.',
      'Home address: 742 Evergreen Terrace, Springfield',
      'The car’s licence plate is M-AB 1234.',
    )}<!-- guest list: peter.mueller@gmx.de, room 12 --><input type="hidden" name="customer_ssn" value="219-09-9998">
    <div data-customer-email="lisa.brand@web.de">Room 14</div><script>var guest = { phone: "+44 7911 123456", name: "x" };</script>`,
    faults: [
      ...words(
        'pii-detection',
        'maria.gonzalez84@gmail.com',
        '+49 171 2345678',
        '4532',
        'DE44',
        '536-',
        'JG 1',
      ),
      ...words('pii-detection', '8609', '14 March 1985', 'C01X', '742 Evergreen Terrace', 'M-AB 1234'),
      ...types('pii-detection', /pii-email/, /pii-email/, /pii-ssn/, /pii-phone/),
    ],
  },
  {
    path: '/clean-people',
    body: `<h1>Contact and orders</h1>${p(
      'Call us on +1 212 555 0187 or write to info@harbour-notes.example and support@harbour-notes.example.',
      'Press contact: Anna Berg, anna.berg@harbour-notes.example. Our office: 12 Quay Street, Bristol BS1 4DB.',
      'Order 4155550132 was shipped; tracking number 1234 5678 9012 3456. Invoice 2024-03-14, ISBN 978-3-16-148410-0.',
      'Harbour Notes Ltd, company number 01234567, VAT DE123456789. Donations: IBAN GB29 NWBK 6016 1331 9268 19.',
      'Part no. 123-45-6789 fits model 4532-0151. For testing use the card 4242 4242 4242 4242.',
      'The composer was born on 27 January 1936 in Leeds. Founded on 14 March 1985. Serial 86095742718.',
      'Opening hours: Mon 9-17, tel. 0117 496 0123. Version 10.0.12.7 of the app, build 192.168.',
    )}`,
    faults: [],
  },
  {
    path: '/leaks',
    body: `<h1>Build status</h1>${p(
      `The token is ${FAKE.github} for now.`,
      'Staging login: admin / Summer2024!',
      'Warning: mysqli_connect(): Access denied for user in /var/www/html/db.php on line 12',
      'Strictly confidential. The new prices come in May.',
      'DB_PASSWORD=tr0ub4dor_and_3',
    )}<script>const aws = "${FAKE.aws}"; const stripe = "${FAKE.stripe}";</script>
    <script>window.cfg = { slack: "${FAKE.slack}", model: "${FAKE.openai}", db: "postgres://app:h8Kd92mz@db.harbour.internal:5432/app" };</script>
    <!-- TODO: remove this test account before going live: tester -->
    <!-- build server http://10.20.30.40:8080/job/site -->
    <a href="/backup.sql">Archive</a><div data-api-key="9f8e7d6c5b4a39281706f5e4d3c2b1a0">Map</div>
    <pre id="key">-----BEGIN RSA PRIVATE KEY-----
MIIEowIBAAKCAQEAx1k2Vw9Zt3nQp7Yd5Rf8Lm0Sb4Hj6Gc2Ta</pre>
    <p>Session ${FAKE.jwt}</p>
    <pre>TypeError: Cannot read properties of undefined (reading 'id')
    at loadBoat (/srv/harbour/src/boats.js:41:17)
    at processTicksAndRejections (node:internal/process/task_queues:95:5)</pre>`,
    faults: [
      ...words(
        'sensitive-data',
        'ghp_',
        'admin /',
        'Warning: mysqli',
        'Strictly confidential',
        'DB_PASSWORD',
        '-----BEGIN',
        'eyJ',
        'at loadBoat',
      ),
      ...types(
        'sensitive-data',
        /credential/,
        /credential/,
        /credential/,
        /credential/,
        /credential/,
        /credential/,
      ),
      ...types('sensitive-data', /internal-comment/, /internal-host/, /exposed-file/),
    ],
  },
  {
    path: '/clean-leaks',
    body: `<h1>Set up your account</h1>${p(
      'Your password must have at least 8 characters. Password: required. Forgot your password?',
      'Open http://192.168.1.1 in your browser to reach the router. Version 10.2.30.4 is out.',
      'Your data is kept confidential. Keep your API key secret and rotate it every year.',
    )}<pre><code>export API_KEY=your-api-key-here
curl -H "Authorization: Bearer &lt;token&gt;" http://localhost:3000/
postgres://user:password@localhost:5432/db</code></pre>
    <form action="/clean-leaks"><input type="hidden" name="csrf_token" value="9f8e7d6c5b4a39281706f5e4d3c2b1a0"><label>Password <input type="password" name="password" autocomplete="current-password"></label></form>
    <script>const publishable = "pk_live_51Hq8ZbKx93LmPoVtR4w7Yd2"; const password = document.querySelector("[name=password]"); const analytics = "UA-12345678-1";</script>
    <!-- end of main content -->`,
    faults: [],
  },
  {
    path: '/rude',
    body: `<h1>Comments of visitors</h1>${p(
      'This hotel is shit and I want my money back.',
      'The cook is a complete asshole.',
      'What a f*cking mess at the reception.',
      'You are all a bunch of idiots.',
      'Go away, you b1tch.',
      'I will find you and kill you.',
      'Das Frühstück war scheiße.',
      'That damn elevator never works.',
      'Only a retard would book here.',
    )}`,
    faults: words(
      'profanity-filter',
      'shit',
      'asshole',
      'f*cking',
      'idiots',
      'b1tch',
      'kill you',
      'scheiße',
      'damn',
      'retard',
    ),
  },
  {
    path: '/preview',
    head: `<title>Preview</title><meta property="og:title" content=""><meta property="og:description" content="A page"><meta property="og:type" content="website">
<meta property="og:url" content="{origin}/other-page"><meta property="og:image" content="/small.png"><meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630"><meta name="twitter:card" content="large"><meta property="og:description" content="Another">`,
    body: '<h1>Preview</h1><p>A picture of the bay.</p>',
    faults: types(
      'og-image-checker',
      /og-title/,
      /og-url/,
      /og-image-relative/,
      /og-image-size/,
      /declared/,
      /og-image-alt/,
      /twitter-card/,
      /og-description-dup/,
    ),
  },
  {
    path: '/barriers',
    lang: 'xx-invalid-zz',
    body: `<h1>Rooms</h1><img id="bare" src="/wide.png"><a id="empty" href="/"></a><button id="mute"></button>
    <input id="nameless" type="text"><p style="color:#bbb;background:#fff">Breakfast is served until ten o’clock.</p>
    <iframe id="frame" srcdoc="&lt;html lang=en&gt;&lt;title&gt;Tide&lt;/title&gt;" width="200" height="100"></iframe><ul><div>One</div></ul>
    <div id="role" role="buton">Go</div><table><tr><th id="head"></th><td>1</td></tr></table>`,
    faults: [
      ...[
        'image-alt',
        'link-name',
        'button-name',
        'label',
        'color-contrast',
        'frame-title',
        'list',
        'aria-roles',
      ],
      ...['empty-table-header', 'html-lang-valid'],
    ].map((rule) => ({ agent: 'accessibility-checker', issueType: new RegExp(`^${rule}$`) })),
  },
];
