import { VirtualWorkspace } from 'loadout'
import { describe, expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import { getImage } from './database/images.ts'
import { listPages } from './database/pages.ts'
import { allSections } from './database/sections.ts'
import { aSite } from './testing/a-site.ts'
import { callAgreed } from './testing/call-agreed.ts'

const catalog = await cmsCatalog()

/** A site, and what a call of a tool of it comes to. */
async function openSite() {
  const services = aSite()
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'editor', services })
  return {
    database: services.database,
    call: (tool: string, input: object) => callAgreed(workspace, tool, input),
  }
}

test.each<[tool: string, input: object, type: string, message: string]>([
  ['cms_getPage', { page: 'hom' }, 'NOT_FOUND', 'There are: home, rooms, contact.'],
  ['cms_getPage', { page: '__proto__' }, 'NOT_FOUND', 'No page is "__proto__".'],
  ['cms_createPage', { title: 'Rooms' }, 'CONFLICT', 'A page is at "rooms" already.'],
  ['cms_createPage', { title: 'A', slug: 'a/b' }, 'VALIDATION', 'letters, digits and hyphens'],
  ['cms_getSectionFields', { template: 'toString' }, 'NOT_FOUND', 'There are: hero, text.'],
  [
    'cms_addSectionToPage',
    { page: 'home', template: 'text', content: { heading: 'A' } },
    'VALIDATION',
    'needs the field "body"',
  ],
  [
    'cms_updateSectionContent',
    { section: 1, content: { image: '2' } },
    'VALIDATION',
    'has no text field "image". It has: heading, subheading (optional).',
  ],
  ['cms_addImageToSection', { section: 2, image: 1 }, 'VALIDATION', 'It has none of that kind.'],
  ['cms_addImageToSection', { section: 1, image: 9 }, 'NOT_FOUND', 'There are: 1, 2, 3.'],
  ['cms_deleteImage', { image: 1 }, 'CONFLICT', 'shown in the sections 1.'],
  ['cms_findImage', { description: 'zzz' }, 'NOT_FOUND', 'Pexels may have one.'],
  ['cms_createPost', { title: 'First snow', body: 'Again.' }, 'CONFLICT', 'first-snow'],
  ['cms_addNavigationItem', { label: 'A', href: '//evil.test' }, 'VALIDATION', 'must begin with'],
  ['cms_addNavigationItem', { label: 'A', href: 'javascript:1' }, 'VALIDATION', 'must begin with'],
  ['cms_getCollectionEntries', { collection: 'news' }, 'NOT_FOUND', 'There are: faq, guestbook.'],
])('%s %j fails with %s: %s', async (tool, input, type, message) => {
  const answer = await (await openSite()).call(tool, input)
  expect(answer).toMatchObject({ ok: false, error: { type } })
  expect(answer.ok ? '' : answer.error.message).toContain(message)
})

describe('what cannot be done whole is not done at all', () => {
  test('a page whose second section is wrong is not there', async () => {
    const { database, call } = await openSite()
    const sections = [
      { template: 'hero', content: { heading: 'A' } },
      { template: 'text', content: {} },
    ]
    const before = allSections(database)
    expect(await call('cms_createPageWithContent', { title: 'A', sections })).toMatchObject({
      ok: false,
    })
    expect(listPages(database)).toHaveLength(3)
    expect(allSections(database)).toEqual(before)
  })

  test('of sections of which one is not there none is deleted', async () => {
    const { database, call } = await openSite()
    expect(await call('cms_deletePageSections', { sections: [1, 99] })).toMatchObject({ ok: false })
    expect(allSections(database)).toHaveLength(2)
  })
})

test('an image that was replaced is shown nowhere, and can then be deleted', async () => {
  const { database, call } = await openSite()
  expect(await call('cms_replaceImage', { image: 1, by: 2 })).toMatchObject({
    data: { sections: [1], image: { id: 2 } },
  })
  expect(await call('cms_deleteImage', { image: 1 })).toMatchObject({ ok: true })
  expect(() => getImage(database, 1)).toThrow('No image is 1')
})

test('a post that comes back keeps the day it was published first', async () => {
  const { call } = await openSite()
  await call('cms_archivePost', { post: 'first-snow' })
  expect(await call('cms_publishPost', { post: 'first-snow' })).toMatchObject({
    data: { status: 'published', published: '2025-11-04T08:00:00.000Z' },
  })
  expect(await call('cms_publishPost', { post: 'winter-menu' })).toMatchObject({
    data: { published: '2026-01-05T09:00:00.000Z' },
  })
})

test('what is nearest comes first, and what is far not at all', async () => {
  const { call } = await openSite()
  const found = await call('search_vector', { query: 'are dogs welcome' })
  expect(found).toMatchObject({ data: { results: [{ type: 'entry', id: '1' }] } })
  expect(await call('cms_searchImages', { query: 'qqq' })).toMatchObject({ data: { images: [] } })
})

test('a plan has the parts of the task in order, and says which do harm', async () => {
  const { call } = await openSite()
  const task = 'Create a page with a photo, link it in the menu and then delete the old post.'
  expect(await call('plan_analyzeTask', { task })).toMatchObject({
    data: {
      steps: [
        { what: 'Create a page with a photo', topics: ['pages', 'images'], destructive: false },
        { what: 'link it in the menu', topics: ['navigation'], destructive: false },
        { what: 'delete the old post', topics: ['posts'], destructive: true },
      ],
    },
  })
})
