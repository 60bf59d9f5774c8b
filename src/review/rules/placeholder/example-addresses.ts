import { attributeOf, type Element } from '../html-page.ts';

const IMAGE_HOST =
  /^(https?:)?\/\/([\w-]+\.)*(placeholder\.com|placehold\.(co|it|jp)|picsum\.photos|loremflickr\.com|dummyimage\.com|placekitten\.com|placebear\.com|placeimg\.com|fakeimg\.pl|lorempixel\.com|unsplash\.it|placecage\.com|baconmockup\.com|fillmurray\.com|placebeard\.it|placedog\.net|placeholder\.pics|imgplaceholder\.com|via\.placeholder\.com|dummyjson\.com\/image|source\.unsplash\.com\/random|satyr\.dev|place-hold\.it|placeholdit\.imgix\.net)(?=[/:?]|$)/i;
const IMAGE_FILE =
  /(^|\/)(img|image|photo|picture|product|avatar)?[-_]?(placeholder|dummy|sample)[-_]?(img|image|photo|picture|\d+(x\d+)?)?\.(png|jpe?g|gif|webp|svg|avif)([?#]|$)/i;
const EXAMPLE_HOST =
  /^(https?:)?\/\/([\w-]+\.)*(example\.(com|org|net|edu)|(your|my|company)-?(domain|site|website|company|business|brand|shop|store|blog|link|url|app)(name|here)?\.(com|org|net|io|co)|(domain|yourname|sitename|website|companyname|yourwebsite|link-here)\.(com|org|net))(?=[/:?#]|$)/i;
const EXAMPLE_MAIL =
  /^mailto:[^?]*@(example\.(com|org|net)|(your|my)-?(domain|site|website|company|business)\.(com|org|net)|(domain|email|company|test)\.(com|org|net))\b/i;
const EXAMPLE_PHONE =
  /^tel:[+\d\s().-]*?(123[-. ]?456[-. ]?7890|555[-. ]?555[-. ]?5555|000[-. ]?000[-. ]?0000|0123456789|1234567890)$/i;
const NOWHERE =
  /^(https?:\/\/)?(#?(todo|tbd|insert[-_ ]?link|link[-_ ]?here|your[-_ ]?link([-_ ]?here)?|url[-_ ]?here|xxx+|placeholder)|\{\{.*\}\}|%7B%7B.*%7D%7D|\[[^\]]*\])$/i;

/** Address of a placeholder picture. */
export function placeholderImage(element: Element): string | undefined {
  const { tagName } = element;
  if (!/^(img|source|input|video|image)$/.test(tagName) || isInCode(element)) return undefined;
  const isLazy = element.attrs.some(({ name }) => /^data-(src|srcset|lazy|original)/.test(name));
  const addresses = ['src', 'poster', 'srcset', 'href'].map(
    (name) => attributeOf(element, name)?.trim() ?? '',
  );
  return addresses
    .map((address) => address.split(/\s/)[0]!)
    .find((address) => IMAGE_HOST.test(address) || (!isLazy && IMAGE_FILE.test(address)));
}

/** Address of a link that its author has not filled in. */
export function placeholderAddress(element: Element): string | undefined {
  if (!/^(a|area|form|iframe)$/.test(element.tagName) || isInCode(element)) return undefined;
  const address = (
    attributeOf(element, 'href') ??
    attributeOf(element, 'action') ??
    attributeOf(element, 'src') ??
    ''
  ).trim();
  const isExample = [EXAMPLE_HOST, EXAMPLE_MAIL, EXAMPLE_PHONE, NOWHERE].some((pattern) =>
    pattern.test(address),
  );
  return isExample ? address : undefined;
}

function isInCode(element: Element): boolean {
  for (let node: unknown = element; node && typeof node === 'object'; ) {
    if ('tagName' in node && /^(code|pre|kbd|samp|template|noscript)$/.test(String(node.tagName)))
      return true;
    node = 'parentNode' in node ? node.parentNode : undefined;
  }
  return false;
}
