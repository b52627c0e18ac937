import { defineAgent } from 'loadout'

/** Who looks after the site: starts with a search for tools, and nothing else. */
export const cmsAgent = defineAgent({
  name: 'editor',
  displayName: 'Site editor',
  description: 'Looks after the pages, posts and pictures of a site.',
  prompt: [
    'You look after the website of a guest house, for the people who run it.',
    'Answer questions about websites in general yourself. Look at the site before you say what is ' +
      'on it, and change only what you were asked to. Say in a sentence what you did.',
  ].join('\n\n'),
  discovery: 'activate-on-call',
})
