/**
 * Topics on which scripted reviewers decide. Each has four names of the thing, four descriptions of its fault, and
 * reasons for either side. Only queries use the last name and description, so that they paraphrase the judgments. A
 * line is `things | faults | reasons to approve | reasons to reject`, each a list separated by `;`.
 */
export interface Topic {
  things: string[];
  faults: string[];
  approve: string[];
  reject: string[];
}

const parseTopics = (lines: string): Topic[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [things, faults, approve, reject] = line
        .split('|')
        .map((part) => part.split(';').map((text) => text.trim()));
      return { things: things!, faults: faults!, approve: approve!, reject: reject! };
    });

/** Topics on which the constants of the product were fitted. */
export const topicsToLearnFrom = parseTopics(`
the hero headline; the main heading; the title of the landing page; the big line at the top | is in title case; capitalises every word; has capitals on each word; starts all its words with capital letters | sentence case is our style; headings follow the style guide | campaign titles keep their capitals; marketing wants it this way
the product photo; the picture of the jacket; the catalogue image; the shot of the item | has no alt text; lacks a text alternative; misses an alt attribute; is not described for screen readers | screen readers need it; accessibility law demands a description | it is decorative; the caption says the same already
the footer link; the link to the careers page; the help link; the address at the bottom | leads to a 404; is broken; points to a page that is gone; ends in not found | broken links must be fixed; visitors end up nowhere | the page comes back next week; a redirect is being set up
the price of the pro plan; the monthly fee; the subscription cost; what the plan costs | is shown without VAT; leaves the tax out; does not include sales tax; comes net of taxes | consumers must see gross prices; the law wants the tax included | this page is for businesses only; net prices are usual in our trade
the newsletter form; the sign-up box; the email capture; the field for subscribing | has no consent checkbox; asks for no opt-in; lacks a permission tick; does not ask for agreement | GDPR demands consent; we need explicit opt-in | double opt-in by mail is enough; the notice below covers it
the call to action; the buy button; the green button; the main button | has too little contrast; is hard to read on its background; fails the contrast ratio; can hardly be made out against its colour | text must have 4.5 to 1; people with weak sight cannot read it | brand colours are fixed; it passes for large text
the blog article; the latest post; the story on our site; the news piece | uses the passive voice; is written in passive; has passive sentences; never says who acts | we write actively; active voice is clearer | passive is right for reports; the actor is unknown here
the company name; our brand; the name of the firm; how we are called | is misspelled; has a wrong letter; is written with a typo; is spelled incorrectly | the brand must be right everywhere; typos in the name look careless | it is a quotation of an old text; that is the historic spelling
the phone number; the hotline; the contact number; the line to call | lacks the country code; is without international prefix; misses the +49; cannot be dialled from abroad | customers abroad call us too; numbers follow E.164 | only local customers call; the short number is well known
the video; the product clip; the film on the start page; the moving pictures in the header | starts by itself with sound; autoplays loudly; plays at once and not muted; makes noise without being asked | autoplay with sound annoys; it breaks the accessibility rules | visitors expect it on this page; it is a video landing page
the delivery promise; the shipping claim; the delivery time; how fast parcels arrive | says guaranteed next day; promises arrival tomorrow without exception; assures 24 hours; vows that it comes the following day | we cannot guarantee it; legal wants softer words | the carrier contract covers it; the promise was cleared by legal
the customer quote; the testimonial; the praise by a client; the recommendation of a user | has no named source; is anonymous; does not say who said it; leaves out its author | quotes need a name; anonymous praise looks made up | the client asked not to be named; we hold the permission on file
the date in the header; the event day; the day of the webinar; when the meeting is | is written month first; uses the US format; reads 03/04/2025; puts the month before the day | dates are day first in Europe; write the month as a word | the page is for the US market; American readers expect it
the cookie banner; the tracking notice; the consent popup; the window about cookies | has no reject button; hides how to refuse; offers accept alone; gives no way to decline | refusing must be as easy; regulators fined us for that | only necessary cookies are set; the settings page allows refusing
the discount; the summer sale; the price reduction; the cut by a third | has no end date; does not say until when; lacks a deadline; never tells when it is over | offers need an end; open-ended sales are misleading | it is a permanent price; the date follows in the terms
the checkout page; the payment step; the order form; the last page before paying | loads too slowly; takes seconds to appear; has a poor loading time; makes people wait | slow pages lose orders; the budget is two seconds | the payment provider is at fault; it was a test server
the password field; the login form; the sign-in input; where the secret is typed | forbids pasting; blocks the clipboard; refuses inserted text; does not let password managers fill it | pasting helps security; password managers need it | the bank demands typing; it is a rule of the auditors
the job advert; the vacancy; the position offered; the opening in the team | uses only male words; is not gender neutral; speaks of salesmen; addresses men alone | adverts must be neutral; inclusive language is required | the term is the legal title; both forms follow below
the chart; the sales diagram; the graph of growth; the plotted figures | has no labelled axes; leaves its units out; does not name its scale; shows bars without saying what they measure | figures need units; axes must be labelled | the caption gives the units; it is only an illustration
the medical claim; the health statement; the sentence on curing headaches; what it says about healing | is not backed by a study; has no evidence; lacks a source; rests on no research | health claims need proof; regulators forbid it | the study is linked in the footnotes; it quotes an approved leaflet
`);

/** Topics on which the product is only measured. */
export const topicsToMeasure = parseTopics(`
the search box; the finder; the site search; the lookup field | shows no hint on empty results; stays blank when nothing is found; gives no message without hits; leaves people with nothing if there is no match | empty states need words; visitors think it is broken | the design team is on it; suggestions appear by themselves
the legal notice; the imprint; the page about the publisher; the provider information | lacks the register number; leaves out the commercial register; has no company id; does not give the number of the court entry | the imprint must be complete; warnings cost money | small traders need none; the number was only just applied for
the table of features; the comparison grid; the plan matrix; the overview of packages | cannot be scrolled on phones; is cut off on small screens; overflows on mobile; runs out of view on a handset | most visitors use phones; content must reflow | the app has its own view; nobody compares on phones
the welcome mail; the greeting message; the first email; the letter after registering | addresses people by surname only; says Dear Smith; greets without a first name; is stiff in how it speaks to readers | we are on first-name terms; the tone should be warm | bank customers want formality; titles are a must here
the recipe; the cooking instructions; the dish of the week; the steps for the meal | gives amounts in cups; uses imperial units; measures in ounces; is not in grams | our readers cook metric; grams are exact | it is the American edition; cups are part of the charm
the app icon; the logo in the corner; the favicon; the small emblem | is blurred on sharp displays; looks pixelated; is too low in resolution; appears fuzzy on retina | logos must be vectors; it looks unprofessional | it is drawn as pixel art; the sharp one is delivered later
the terms of use; the conditions; the small print; the rules for customers | speak of a withdrawn law; cite an outdated paragraph; refer to an act that no longer applies; mention legislation that was repealed | references must be current; lawyers flagged it | the old law applies to old contracts; the archive stays unchanged
the error page; the failure message; the alert after a crash; what is shown when things go wrong | shows a stack trace; reveals internals; prints code of the server; lets technical details through | attackers learn from it; users cannot make sense of it | it is the staging system; developers asked for it
the map; the route plan; the directions; the drawing of how to get there | is loaded from a third party without asking; sends the address of visitors to a provider; embeds an outside service at once; contacts another company before consent | outside embeds need consent; privacy demands two clicks | the map is hosted by ourselves; the contract covers processing
the author line; the byline; the writer's name; who wrote it | is missing on the article; does not appear; was left off; cannot be found beside the text | readers trust named authors; search engines want it | agency texts have none; the editorial board signs together
the acronym; the abbreviation; the short form; the initials | is not explained on first use; stands without its long form; is never spelled out; leaves newcomers guessing what it means | first mentions are written out; not everyone is an expert | experts read this; everyone knows it
the tooltip; the hint on hover; the little help bubble; the explanation at the pointer | cannot be reached by keyboard; needs a mouse; does not open with tab; is out of reach without a pointing device | everything must work by keyboard; it fails the audit | the same text is in the manual; it only repeats the label
the warranty text; the guarantee; the promise of repair; the pledge to replace | says lifetime without defining it; speaks of forever; has no stated duration; never tells how long that is | durations must be stated; unclear promises are risky | the terms define it; the maker stands for it
the invoice; the bill; the receipt; the statement of charges | rounds amounts wrongly; is a cent off; has sums that do not add up; shows totals differing from their lines | accounting must be exact; the tax office complains | rounding by line is allowed; it is the currency conversion
the interview; the talk with the founder; the conversation; the questions and answers | has exclamation marks everywhere; shouts with punctuation; ends each line with !; is overly excited in its signs | one is enough; our tone is calm | it is spoken language; that is how she talks
the download; the PDF brochure; the file to take away; the printable leaflet | does not tell its size; is offered without file size; hides how many megabytes it has; says nothing of how heavy it is | people on mobile want to know; sizes belong to links | it is tiny; browsers show it anyway
the survey; the questionnaire; the poll; the feedback form | asks for the date of birth; wants the age in detail; collects birthdays; demands to know when people were born | we collect no more than needed; data must be minimal | age groups are the aim of the study; the field may stay empty
the slider; the carousel; the rotating banner; the changing teasers | moves too fast to read; turns within a second; has no pause; switches before one is through | motion needs a stop; readers cannot follow | it shows pictures alone; it stops on hover
the security page; the statement on encryption; the text about protection; how data is kept safe | claims to be unhackable; says one hundred percent secure; promises total safety; asserts that nothing can ever happen | nobody can promise that; it invites lawsuits | it is an ironic headline; the sentence goes on to qualify it
the translation; the French version; the localised text; the wording in the other language | addresses readers informally; uses tu; is too familiar; speaks to customers like to friends | our customers expect vous; formal address is the rule | young brands say tu; the campaign is for students
`);
