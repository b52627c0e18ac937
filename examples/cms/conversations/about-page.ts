import type { Conversation } from './conversation.ts'

/**
 * Type C: several tools over several turns. The third uses what the first one found, without a
 * search. Ids are those of the seeded site: the hero of the new page is section 3, the mountains are image 1.
 */
export const aboutPage: Conversation = {
  name: 'C',
  title: 'several tools, and a third turn that needs no search',
  turns: [
    {
      user: 'Create an about page with a hero.',
      says: [
        [{ tool: 'tool_search', input: { query: 'create a page, section fields' } }],
        [{ tool: 'cms_getSectionFields', input: { template: 'hero' } }],
        [
          {
            tool: 'cms_createPageWithContent',
            input: {
              title: 'About',
              sections: [{ template: 'hero', content: { heading: 'Two sisters, one house' } }],
            },
          },
        ],
        'The page is at /about. Its hero has no image yet.',
      ],
    },
    {
      user: 'Put a mountain picture into it, and link the page in the menu.',
      says: [
        [
          { tool: 'tool_search', input: { query: 'search images, add image to section' } },
          { tool: 'tool_search', input: { query: 'add an item to the navigation menu' } },
        ],
        [{ tool: 'cms_searchImages', input: { query: 'mountains' } }],
        [
          { tool: 'cms_addImageToSection', input: { section: 3, image: 1 } },
          { tool: 'cms_addNavigationItem', input: { label: 'About', href: '/about' } },
        ],
        'The hero shows the mountains at sunrise, and the menu has "About".',
      ],
    },
    {
      user: 'Now a page "Jobs" in the same way.',
      says: [
        [
          {
            tool: 'cms_createPageWithContent',
            input: {
              title: 'Jobs',
              sections: [{ template: 'hero', content: { heading: 'Work above the valley' } }],
            },
          },
        ],
        'The page is at /jobs.',
      ],
    },
  ],
}
