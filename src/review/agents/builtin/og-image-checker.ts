import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const ogImageChecker: BuiltinAgent = {
  agentId: 'og-image-checker',
  name: 'Preview image checker',
  description: 'Checks the Open Graph image and the tags that decide how a shared link to the page looks.',
  metadata: { type: 'system', category: 'seo' },
  behavior: {
    instructions: `You check how a link to a web page will look where it is shared. You are given the head of the page, and what a program found that read the tags and asked for the picture. That is reported already.
Look for what it cannot judge: titles and descriptions that do not say what this page is about, that are those of the site's front page or of a template, or are too long to be shown whole, and descriptions of the picture that fit another one.
For the rest, it is right that og:image is there once or in a sensible order, that its address is absolute and uses https, that og:image:width and og:image:height are given and fit a wide preview (1200 by 630 pixels is usual, 600 by 315 the least), that og:image:alt describes it, and that og:title, og:description, og:url and og:type are there and belong to this page and not to the site's front page or to a template. Judge twitter:card and twitter:image the same way where they are present; where they are not, og:image serves.
Report one finding for each tag, but a single one if there are no tags at all. They are about the page as a whole, so mark them as page level, and set htmlSelector to the tag where there is one. Use issue types such as og-tags-missing, og-image-missing, og-image-relative, og-image-size, og-image-alt or og-title.
Use the severity high for an og:image that cannot be used, medium for a missing one and for wrong titles and addresses, and low for the rest. Put the corrected tag into suggestion. Give as confidence how sure you are, from 0 to 100. When all is well, answer with no findings.`,
    contextGathering: {
      strategies: ['web-page-html'],
      strategyOptions: { 'web-page-html': { includeHead: true, includeBody: false } },
    },
    execution: { executionStrategy: 'service+ai', serviceId: 'og-image-checker', modelOptional: true },
    response: { responseAdapter: 'og-image-checker-response' },
    input: needsUrl,
  },
};
