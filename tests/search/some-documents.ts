import type { ToolDocument } from '../../src/search/index/tool-document.ts'

/** A small shop: enough tools that words are shared. */
export const SHOP: readonly ToolDocument[] = [
  {
    name: 'create_page',
    description: 'Create a page of the web site from a title and a body.',
    topic: 'pages',
    owner: 'site',
    inputSchema: { properties: { title: { description: 'The heading of the page.' } } },
  },
  { name: 'delete_page', description: 'Delete a page for good.', topic: 'pages', owner: 'site' },
  {
    name: 'find_image',
    description: 'Find pictures in the media library.',
    phrases: ['show me the hero image', 'a photo of our team'],
    topic: 'images',
    owner: 'media',
  },
  {
    name: 'refund_order',
    description: 'Pay the money of an order back to the customer.',
    phrases: ['give the customer their money back'],
    tags: ['payments'],
    owner: 'billing',
  },
  {
    name: 'send_invoice',
    description: 'Send an invoice by email.',
    owner: 'billing',
    inputSchema: { properties: { dueDate: { description: 'When it has to be paid.' } } },
  },
  {
    name: 'billing',
    kind: 'skill',
    description: 'Refunds, invoices and reminders.',
    tags: ['accounting'],
  },
  { name: 'getWeather', description: '查询城市的天气预报。' },
  { name: 'humidity_check', description: 'Read the humidity of a greenhouse.' },
]
