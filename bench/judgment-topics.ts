/** A judgment on an issue, a judgment on a related issue, and two queries that paraphrase the first. */
type Issue = [
  first: [decision: string, reasoning: string, content: string],
  second: [decision: string, reasoning: string, content: string],
  queries: [string, string],
];

export const topics: Record<string, Issue[]> = {
  accessibility: [
    [
      [
        'reject',
        'Light grey on white fails AA; people with low vision cannot read this text.',
        'Hint text below the email field',
      ],
      [
        'reject',
        'The orange link colour does not stand out from the background enough.',
        'Link "Learn more" in the hero',
      ],
      ['is the colour contrast of this label sufficient', 'text too pale for weak eyes'],
    ],
    [
      [
        'approve',
        'Purely decorative picture, an empty alt attribute is right here.',
        '<img src="swirl.svg" alt="">',
      ],
      ['reject', 'The product photo needs a description for screen readers.', '<img src="shoe.jpg">'],
      ['missing alternative text for an image', 'should this photograph be described to blind users'],
    ],
    [
      [
        'reject',
        'Keyboard users lose track of where they are because the outline was removed.',
        'button:focus { outline: none }',
      ],
      ['comment', 'The tab order jumps from the header to the footer.', 'Navigation menu'],
      ['focus indicator not visible', 'which element is active cannot be seen when tabbing'],
    ],
    [
      [
        'reject',
        'Form inputs have placeholders only; once typing starts nobody knows what the field is for.',
        'Sign-up form with three inputs',
      ],
      ['resolve', 'Labels are now tied to their inputs.', 'Newsletter form'],
      ['inputs without a label', 'fields need a caption that stays while one types'],
    ],
    [
      [
        'comment',
        'The video plays by itself with sound and cannot be stopped.',
        'Autoplay video in the banner',
      ],
      ['reject', 'Flashing banner may trigger seizures.', 'Animated sale banner'],
      ['media that starts without being asked', 'moving content must have a pause control'],
    ],
    [
      ['approve', 'Headings follow each other without gaps, so the outline makes sense.', 'h1, h2, h2, h3'],
      ['reject', 'This page skips from level two to level five.', 'h2 followed by h5'],
      ['order of heading levels', 'structure of titles is broken for assistive technology'],
    ],
  ],
  copy: [
    [
      [
        'reject',
        'We write in short sentences; this one goes on for sixty words.',
        'Paragraph about deliveries',
      ],
      ['comment', 'Please split the bullet, it makes two points at once.', 'Feature list, third bullet'],
      ['sentence is too long', 'hard to read because so much is packed into a single phrase'],
    ],
    [
      ['reject', 'Nobody outside the company understands this jargon.', 'Leverage our omnichannel synergies'],
      ['approve', 'API is fine here, the readers are developers.', 'Call the API with your key'],
      ['buzzwords customers do not know', 'use plain language instead of insider terms'],
    ],
    [
      ['reject', 'Spelling: it is "accommodate" with two m.', 'We can accomodate large groups'],
      ['reject', 'Wrong apostrophe: "its" is possessive here.', "The team and it's goals"],
      ['typo in the text', 'misspelt word on the page'],
    ],
    [
      ['approve', 'The button says what happens next.', 'Create my account'],
      ['reject', '"Click here" tells nothing about the target.', 'Click here for the terms'],
      ['call to action wording', 'vague words on a link'],
    ],
    [
      ['reject', 'Passive voice hides who does the work.', 'Your order will be processed'],
      ['comment', 'Address the reader as "you", not "the customer".', 'The customer may cancel'],
      ['write in active voice', 'who is acting is unclear in the phrase'],
    ],
    [
      ['comment', 'Headline case differs between sections; we use sentence case.', 'Our Story And Values'],
      ['reject', 'Do not shout: no capitals throughout.', 'FREE SHIPPING TODAY'],
      ['capital letters in titles', 'inconsistent upper and lower case in headlines'],
    ],
  ],
  search: [
    [
      [
        'reject',
        'Two pages share one title tag, so they compete in results.',
        '<title>Home</title> on /about',
      ],
      ['comment', 'The title is cut off after sixty characters.', 'Long title of the guide'],
      ['duplicate page titles', 'same name in the browser tab for different addresses'],
    ],
    [
      ['reject', 'The meta description is empty and the engine picks the cookie notice.', '/pricing'],
      ['approve', 'Description is concise and mentions the offer.', '/offers/spring'],
      ['snippet text below the result is missing', 'no summary for search engines on this page'],
    ],
    [
      [
        'reject',
        'The canonical points to the staging host.',
        '<link rel="canonical" href="https://staging.example.com">',
      ],
      ['comment', 'Parameters create endless copies of the list.', '/shop?sort=price&page=3'],
      ['wrong canonical address', 'the preferred URL of the page names the test server'],
    ],
    [
      ['reject', 'robots noindex was left in after the launch.', '<meta name="robots" content="noindex">'],
      ['approve', 'Internal search pages may stay out of the index.', '/search?q='],
      ['page blocked from indexing', 'crawlers are told to leave this page out'],
    ],
    [
      ['comment', 'Structured data lacks the price, so no rich result is shown.', 'Product JSON-LD'],
      ['resolve', 'Breadcrumb markup validates now.', 'BreadcrumbList'],
      ['schema.org markup incomplete', 'machine-readable product details are not complete'],
    ],
    [
      ['reject', 'The redirect chain has four hops before the page loads.', '/old-blog to /news'],
      ['reject', 'Links in the footer lead to a page that no longer exists.', 'Footer: Careers'],
      ['too many redirects', 'visitors are sent on several times before they arrive'],
    ],
  ],
  legal: [
    [
      ['reject', 'We may not promise a cure; health claims need evidence.', 'Cures headaches within minutes'],
      ['reject', '"Guaranteed returns" is not allowed for an investment.', 'Earn 12% guaranteed'],
      ['medical claim without proof', 'promises an effect on health that nobody has shown'],
    ],
    [
      ['reject', 'Tracking starts before the visitor has agreed.', 'Analytics script in head'],
      ['comment', 'Rejecting must be as easy as accepting.', 'Consent dialog'],
      ['cookie consent missing', 'we collect data prior to permission'],
    ],
    [
      ['approve', 'The imprint names the responsible person and the register.', '/imprint'],
      ['reject', 'The company address is missing from the footer.', 'Footer'],
      ['legal notice with company details', 'who runs this website must be stated'],
    ],
    [
      ['reject', 'Prices must include tax for consumers.', '49 EUR plus VAT'],
      ['reject', 'Shipping costs are shown only in the last step.', 'Checkout, step 3'],
      ['price shown without VAT', 'total cost has to be visible to private buyers'],
    ],
    [
      ['comment', 'The picture licence does not cover advertising.', 'Stock photo in the ad'],
      ['reject', 'We have no right to show this logo of a customer.', 'Reference logos'],
      ['copyright of a photograph', 'are we permitted to use this image commercially'],
    ],
    [
      [
        'approve',
        'The period to withdraw is given as fourteen days, as the law wants.',
        'Right of withdrawal',
      ],
      ['reject', 'Terms say no refunds at all, which is void.', 'No refunds'],
      ['cancellation period for purchases', 'how long may customers send goods back'],
    ],
  ],
  brand: [
    [
      ['reject', 'The logo needs clear space around it, half its height.', 'Logo next to the search box'],
      ['reject', 'Do not stretch the mark.', 'Logo in the mobile header'],
      ['spacing around our logo', 'wordmark is squeezed by its neighbours'],
    ],
    [
      ['approve', 'Warm and personal, just like us.', 'Hi there, good to see you again'],
      ['reject', 'Too stiff for our voice.', 'Dear Sir or Madam'],
      ['tone of the greeting', 'does this welcome sound like our company'],
    ],
    [
      ['reject', 'The product is called Redwood Cloud, never RWC.', 'Try RWC today'],
      ['comment', 'Write the company name with a capital B in the middle.', 'Welcome to greenbox'],
      ['product name abbreviated', 'what we sell has to be spelled out in full'],
    ],
    [
      ['reject', 'This blue is not in the palette; use the dark one.', 'Button background #3b82f6'],
      ['approve', 'Seasonal red is fine for the December campaign.', 'Holiday banner'],
      ['colour outside of the brand palette', 'shade that the style guide does not know'],
    ],
    [
      ['reject', 'Stock pictures with handshakes are banned.', 'Photo of a handshake'],
      ['approve', 'Real people from our team, good.', 'Photo of the support team'],
      ['photos look staged', 'pictures should show genuine people'],
    ],
    [
      ['reject', 'We do not name competitors in ads.', 'Faster than Acme'],
      ['comment', 'Superlatives need a source.', 'The best tool on the market'],
      ['comparison with a rival', 'mentions another vendor in an advertisement'],
    ],
  ],
  security: [
    [
      ['reject', 'An API key is visible in the page source.', 'const key = "sk_live_..."'],
      ['reject', 'The password is sent in the query string.', '/login?password='],
      ['leaked credential in the script', 'secret token can be read by anyone'],
    ],
    [
      ['reject', 'User input is written into the page without escaping.', 'innerHTML = comment'],
      ['resolve', 'A content security policy blocks inline scripts now.', 'CSP header'],
      ['cross-site scripting', 'visitors could inject code through a comment'],
    ],
    [
      ['comment', 'Form posts over plain HTTP.', 'action="http://forms.example.com"'],
      ['reject', 'Mixed content: pictures come over an insecure connection.', 'http://cdn.example.com/a.png'],
      ['data submitted without encryption', 'the connection of the form is not TLS'],
    ],
    [
      [
        'reject',
        'Error page prints the stack trace with paths of the server.',
        'NullPointerException at /srv/app',
      ],
      ['approve', 'A generic message is enough for the visitor.', 'Something went wrong'],
      ['internal details shown on failure', 'technical output exposes how the backend is built'],
    ],
    [
      ['reject', 'No limit on sign-in attempts.', 'POST /login'],
      ['comment', 'Offer a second factor to administrators.', 'Admin sign-in'],
      ['brute force protection of the login', 'guessing passwords is not slowed down'],
    ],
    [
      ['reject', 'Links with target blank lack noopener.', '<a target="_blank">'],
      ['approve', 'Third-party script is pinned by its hash.', '<script integrity="sha384-...">'],
      ['opener can be abused by opened tab', 'external link gives the other site control of our window'],
    ],
  ],
  performance: [
    [
      ['reject', 'The hero picture weighs four megabytes.', 'hero.png'],
      ['comment', 'Serve modern formats such as AVIF.', 'Gallery'],
      ['image file too heavy', 'big download at the top of the page'],
    ],
    [
      ['reject', 'Content jumps when the ad arrives because no space is kept.', 'Ad slot above the article'],
      ['reject', 'Give pictures width and height.', '<img src="a.jpg"> without size'],
      ['layout shift while loading', 'things move around after the page appears'],
    ],
    [
      ['reject', 'Three analytics scripts block rendering.', '<script src="tag.js"> in head'],
      ['resolve', 'Scripts are deferred now.', '<script defer>'],
      ['render-blocking javascript', 'nothing is drawn until code has been fetched'],
    ],
    [
      ['comment', 'Five font files for one headline are too many.', 'Inter 100-900'],
      ['approve', 'font-display swap keeps the text visible.', '@font-face'],
      ['too many web fonts', 'typefaces slow down the first view'],
    ],
    [
      ['reject', 'No cache headers on static files.', 'cache-control: no-store on /assets'],
      ['approve', 'Hashed file names may be kept for a year.', 'app.3fa9.js'],
      ['caching of assets', 'returning visitors download everything again'],
    ],
    [
      ['reject', 'The list renders ten thousand rows at once and freezes on phones.', 'Customer table'],
      ['comment', 'Search fires a request with every key press.', 'Search box'],
      ['long table makes the browser hang', 'rendering all entries together is slow on mobile'],
    ],
  ],
  interaction: [
    [
      ['reject', 'Touch targets are too close together for thumbs.', 'Pagination on mobile'],
      ['comment', 'Make the close icon of the dialog bigger.', 'Dialog'],
      ['buttons too small to tap', 'fingers hit the wrong control on a phone'],
    ],
    [
      ['reject', 'The error only says "invalid"; tell what to change.', 'Card number: invalid'],
      ['approve', 'Shows the problem next to the field as soon as it is left.', 'Inline validation'],
      ['unhelpful validation message', 'people cannot tell how to correct their entry'],
    ],
    [
      ['reject', 'Deleting happens at once, without a way back.', 'Delete project'],
      ['approve', 'Undo for ten seconds is better than a question.', 'Message archived. Undo'],
      ['destructive action without confirmation', 'accidental removal cannot be reversed'],
    ],
    [
      ['reject', 'The pop-up covers everything two seconds after arrival.', 'Newsletter overlay'],
      ['comment', 'Chat bubble hides the buy button.', 'Support chat'],
      ['modal interrupts the visitor', 'overlay gets in the way right after opening the page'],
    ],
    [
      ['reject', 'Nine steps to buy a ticket; ask for less.', 'Ticket purchase'],
      ['approve', 'Guests can order without an account.', 'Guest checkout'],
      ['checkout takes too many steps', 'purchase process is too lengthy'],
    ],
    [
      ['comment', 'Nothing shows that the report is still loading.', 'Report view'],
      ['resolve', 'A skeleton appears while data is fetched.', 'Dashboard'],
      ['no loading indicator', 'users think it is stuck as there is no progress feedback'],
    ],
  ],
};

/**
 * Judgments that differ only in a name. `#` is its placeholder, `##` that of a literal `#` and the name. Half of the
 * judgments have the name only in their content.
 */
export const issuesWithNames: [
  decision: string,
  reasoning: string,
  content: string,
  names: string[],
  queries: string[],
][] = [
  [
    'reject',
    'Fails the success criterion WCAG #.',
    'Sign-up form',
    ['1.4.3', '1.4.11', '2.4.7', '4.1.2'],
    ['WCAG #', 'does it meet success criterion #'],
  ],
  [
    'comment',
    'Customers reported # after paying.',
    'Payment page',
    ['ERR-4521', 'ERR-4522', 'ERR-4512', 'ERR-5421'],
    ['what did we decide on #', '# payment'],
  ],
  [
    'resolve',
    'Fixed as agreed in the ticket.',
    'Tracked as #',
    ['JIRA-12', 'JIRA-121', 'JIRA-21', 'PROJ-12'],
    ['#', 'status of ticket #'],
  ],
  [
    'approve',
    'Wording is fine for this release.',
    'Release notes of v#',
    ['2.3.1', '2.3.10', '2.13.1', '3.2.1'],
    ['release notes v#', 'version # wording'],
  ],
  [
    'reject',
    'The picture of the article is wrong.',
    'Article SKU #',
    ['AX200B', 'AX200C', 'AX210B', 'BX200B'],
    ['photo of #', 'SKU # image'],
  ],
  [
    'agree',
    'See pull request ## for the reason.',
    'Navigation',
    ['1234', '1243', '2134', '12345'],
    ['pull request ##', 'PR # reason'],
  ],
  [
    'reject',
    'The setting must be documented.',
    'Configuration: #',
    ['MAX_RETRIES', 'MAX_REDIRECTS', 'MIN_RETRIES', 'MAX_ENTRIES'],
    ['#', 'documentation of #'],
  ],
  [
    'comment',
    'Counts differ from those of the invoice #.',
    'Invoice view',
    ['INV-2024-001', 'INV-2024-010', 'INV-2025-001', 'INV-2024-100'],
    ['invoice #', 'difference in #'],
  ],
];
