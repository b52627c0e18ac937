import { expect, test } from 'vitest'
import { createToolIndex, layeredIndex } from '../../src/search/rank/tool-index.ts'

const MEDIA = [
  {
    name: 'gallery',
    description: 'What has been uploaded to the library.',
    phrases: ['list images', 'Pictures', 'what is there'],
  },
  { name: 'find_image', description: 'Find images in a list of images.', phrases: ['find image'] },
  { name: 'delete_image', description: 'Delete images from the list.', phrases: ['drop it'] },
]

test.each(['list images', 'List  Images!', 'list-images', 'pictures', 'what is there'])(
  'a request that is a phrase of one tool finds it first and is sure: %s',
  (query) => {
    const { results, confidence } = createToolIndex(MEDIA).search(query)
    expect(results[0]?.name).toBe('gallery')
    expect(confidence).toBeGreaterThanOrEqual(0.8)
  },
)

test.each(['all pictures', 'please list images', 'list images now'])(
  'a request that is a phrase and an ordinary word finds its tool first: %s',
  (query) => {
    const { results, confidence } = createToolIndex(MEDIA).search(query)
    expect(results[0]?.name).toBe('gallery')
    expect(confidence).toBeGreaterThanOrEqual(0.4)
  },
)

test('a long request that holds a phrase whole finds its tool', () => {
  const query = 'before lunch could somebody perhaps just list images for that old customer'
  const { results, confidence } = createToolIndex(MEDIA).search(query, { limit: 1 })
  expect(results[0]?.name).toBe('gallery')
  expect(confidence).toBeGreaterThan(0.03)
})

test('a phrase of one word is only a word in a longer request', () => {
  const query = 'find an image of the pictures'
  expect(createToolIndex(MEDIA).search(query).results[0]?.name).toBe('find_image')
})

test('a phrase that several tools have makes none of them sure', () => {
  const twice = [...MEDIA, { name: 'albums', description: 'Albums.', phrases: ['list images'] }]
  const { results, confidence } = createToolIndex(twice).search('list images')
  expect(new Set(results.slice(0, 2).map(({ name }) => name))).toEqual(
    new Set(['gallery', 'albums']),
  )
  expect(confidence).toBeLessThan(0.5)
})

test('a phrase goes with its document, and with one that takes its place', () => {
  const index = createToolIndex(MEDIA)
  index.add({ name: 'gallery', description: 'Rooms of a museum.', phrases: ['show rooms'] })
  expect(index.search('list images').results[0]?.name).not.toBe('gallery')
  expect(index.search('show rooms').results[0]?.name).toBe('gallery')
  index.remove('gallery')
  expect(index.search('show rooms').results).toEqual([])
})

test('a phrase finds nothing that may not be found or that a layer hides', () => {
  const index = createToolIndex(MEDIA)
  const only = (name: string) => name !== 'gallery'
  expect(index.search('what is there', { only }).results).toEqual([])
  const layered = layeredIndex(index, [{ name: 'gallery', description: 'Rooms of a museum.' }])
  expect(layered.search('what is there').results).toEqual([])
})

test('a name is stronger than a phrase of another tool', () => {
  const index = createToolIndex([
    ...MEDIA,
    { name: 'list_images', description: 'List them.', phrases: [] },
  ])
  expect(index.search('list images')).toMatchObject({
    results: [{ name: 'list_images' }, {}, {}, {}],
    confidence: 1,
  })
})
