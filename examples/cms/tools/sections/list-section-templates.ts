import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listTemplates } from '../../database/templates.ts'

export const cmsListSectionTemplates = defineTool({
  name: 'cms_listSectionTemplates',
  description:
    'List the kinds of section that pages can be built of. ' +
    'Gives their keys, which other tools take as template.',
  category: 'retrieval',
  topic: 'sections',
  phrases: ['list section templates', 'kinds of section', 'section types', 'layouts'],
  related: ['cms_getSectionFields', 'cms_addSectionToPage'],
  extraction: {
    path: 'templates',
    isArray: true,
    type: 'template',
    idField: 'key',
    nameField: 'name',
  },
  outputSchema: z.object({
    templates: z.array(z.object({ key: z.string(), name: z.string(), description: z.string() })),
  }),
  execute: (_, { services: { database } }: CmsContext) => ({
    templates: listTemplates(database).map(({ key, name, description }) => {
      return { key, name, description }
    }),
  }),
})
