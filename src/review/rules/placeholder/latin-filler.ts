const list = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** Words of filler texts that hardly occur in other texts. */
const TELLING = list(`
  lorem ipsum dolor amet consectetur consectetuer adipiscing adipisicing elit eiusmod tempor incididunt labore dolore
  aliqua veniam nostrud exercitation ullamco laboris nisi aliquip commodo consequat duis aute irure reprehenderit
  voluptate velit cillum fugiat nulla pariatur excepteur occaecat cupidatat proident officia deserunt mollit laborum
  perspiciatis unde omnis iste natus voluptatem accusantium doloremque laudantium totam rem aperiam eaque inventore
  veritatis architecto beatae vitae dicta explicabo nemo ipsam aspernatur odit consequuntur magni eos ratione sequi
  nesciunt neque porro quisquam dolorem adipisci numquam eius modi tempora incidunt quaerat vero accusamus iusto
  dignissimos ducimus blanditiis praesentium voluptatum deleniti atque corrupti quos dolores molestias excepturi
  vestibulum pellentesque habitant morbi tristique senectus netus malesuada fames turpis egestas curabitur phasellus
  maecenas nullam donec vivamus praesent aenean etiam mauris proin suspendisse integer cras nunc fusce quisque ligula
  felis tincidunt ornare lectus vulputate sagittis sollicitudin condimentum fermentum ullamcorper scelerisque
  hendrerit pretium pharetra imperdiet facilisis volutpat mattis lobortis porttitor dapibus dictum dictumst habitasse
  platea viverra rhoncus luctus posuere cubilia ultrices ultricies faucibus primis bibendum efficitur venenatis
  sodales feugiat convallis tortor augue eget justo eros enim quam nibh odio ante leo lacinia molestie congue gravida
  interdum placerat euismod aliquam erat semper suscipit vehicula varius accumsan blandit elementum finibus
  consectetur tellus massa sapien urna purus metus risus libero nisl sem diam arcu nec laoreet dignissim hac
`);
/** Words of filler texts that also occur in others. */
const JOINING = list(`
  sit sed do ut et ad minim quis ex ea in esse eu sint non sunt culpa qui id est anim magna ab illo quasi quia autem
  fugit sed quo vel illum at ac nam cum per a tempus orci mi nec si lacus dui porta sociis natoque penatibus magnis dis
  parturient montes nascetur ridiculus mus cursus
  class aptent taciti sociosqu ad litora torquent conubia nostra inceptos himenaeos
`);
const ORDINARY =
  /^(the|of|and|is|are|was|for|with|this|that|from|our|your|you|we|it|to|as|on|by|be|not|have|has|will|text|word|words|placeholder|filler|dummy|called|history|generator)$/;

export interface Filler {
  from: number;
  to: number;
}

/** Ranges of Latin filler in a text, of four words or more. */
export function latinFiller(text: string): Filler[] {
  const words = [...text.matchAll(/\p{L}+/gu)].map((match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const ordinary = words.filter(({ word }) => ORDINARY.test(word)).length;
  const fillers: Filler[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!isLatin(words[at]!.word)) continue;
    let end = at;
    let otherWords = 0;
    for (let next = at + 1; next < words.length && otherWords <= 1; next += 1) {
      if (isLatin(words[next]!.word)) {
        end = next;
        otherWords = 0;
      } else otherWords += 1;
    }
    const candidate = words.slice(at, end + 1);
    const telling = new Set(candidate.filter(({ word }) => TELLING.has(word)).map(({ word }) => word)).size;
    const latin = candidate.filter(({ word }) => isLatin(word)).length;
    const named = candidate.some(
      ({ word }, index) => word === 'lorem' && candidate[index + 1]?.word === 'ipsum',
    );
    const isLong = telling >= 3 && latin >= 4 && latin / candidate.length >= 0.75;
    // "Lorem ipsum" alone is a name where other words are about it.
    const isName = named && (candidate.length > 2 ? telling >= 2 : ordinary === 0 && words.length <= 6);
    const isFragment = telling >= 3 && latin === words.length;
    if (isLong || isName || isFragment) fillers.push({ from: candidate[0]!.from, to: candidate.at(-1)!.to });
    at = Math.max(at, end);
  }
  return fillers;
}

const isLatin = (word: string): boolean => TELLING.has(word) || JOINING.has(word);

/** True if a text is about filler text, not filler text itself. */
export const isAboutFiller = (text: string): boolean => {
  if (!/lorem[\s-]+ipsum|\b(placeholder|dummy|filler|blind) (text|copy)\b/i.test(text)) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => ORDINARY.test(word) || !isLatin(word)).length;
  return english >= 2 && english > words.length - english;
};
