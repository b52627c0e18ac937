import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getTemplate } from '../../database/templates.ts'
import { templateKey } from './template-key.ts'

export const cmsGetSectionFields = defineTool({
  name: 'cms_getSectionFields',
  description:
    'Get the fields of a kind of section: their names, text or image, required or not. ' +
    'The names are those that content and images go by, and differ from kind to kind.',
  category: 'retrieval',
  topic: 'sections',
  phrases: ['section fields', 'what goes into a section', 'field names of a template'],
  related: ['cms_addSectionToPage', 'cms_updateSectionContent'],
  extraction: { path: '$root', type: 'template', idField: 'key', nameField: 'name' },
  inputSchema: z.object({ template: templateKey }),
  outputSchema: z.object({
    key: z.string(),
    name: z.string(),
    fields: z.array(
      z.object({ name: z.string(), kind: z.enum(['text', 'image']), required: z.boolean() }),
    ),
  }),
  execute: ({ template }, { services: { database } }: CmsContext) => {
    const { key, name, fields } = getTemplate(database, template)
    return { key, name, fields: [...fields] }
  },
})
