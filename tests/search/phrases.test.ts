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
  'a query that is a phrase of one tool finds it first with confidence: %s',
  (query) => {
    const { results, confidence } = createToolIndex(MEDIA).search(query)
    expect(results[0]?.name).toBe('gallery')
    expect(confidence).toBeGreaterThanOrEqual(0.8)
  },
)

test.each(['all pictures', 'please list images', 'list images now'])(
  'a query of a phrase and an ordinary word finds its tool first: %s',
  (query) => {
    const { results, confidence } = createToolIndex(MEDIA).search(query)
    expect(results[0]?.name).toBe('gallery')
    expect(confidence).toBeGreaterThanOrEqual(0.4)
  },
)

test('a long query that contains a phrase finds its tool', () => {
  const query = 'before lunch could somebody perhaps just list images for that old customer'
  const { results, confidence } = createToolIndex(MEDIA).search(query, { limit: 1 })
  expect(results[0]?.name).toBe('gallery')
  expect(confidence).toBeGreaterThan(0.03)
})

test('a phrase of one word is an ordinary word in a longer query', () => {
  const query = 'find an image of the pictures'
  expect(createToolIndex(MEDIA).search(query).results[0]?.name).toBe('find_image')
})

test('a phrase of several tools gives low confidence', () => {
  const twice = [...MEDIA, { name: 'albums', description: 'Albums.', phrases: ['list images'] }]
  const { results, confidence } = createToolIndex(twice).search('list images')
  expect(new Set(results.slice(0, 2).map(({ name }) => name))).toEqual(
    new Set(['gallery', 'albums']),
  )
  expect(confidence).toBeLessThan(0.5)
})

test('a phrase is removed with its document, also when it is replaced', () => {
  const index = createToolIndex(MEDIA)
  index.add({ name: 'gallery', description: 'Rooms of a museum.', phrases: ['show rooms'] })
  expect(index.search('list images').results[0]?.name).not.toBe('gallery')
  expect(index.search('show rooms').results[0]?.name).toBe('gallery')
  index.remove('gallery')
  expect(index.search('show rooms').results).toEqual([])
})

test('a phrase finds no forbidden or hidden document', () => {
  const index = createToolIndex(MEDIA)
  const only = (name: string) => name !== 'gallery'
  expect(index.search('what is there', { only }).results).toEqual([])
  const layered = layeredIndex(index, [{ name: 'gallery', description: 'Rooms of a museum.' }])
  expect(layered.search('what is there').results).toEqual([])
})

test('a name wins over a phrase of another tool', () => {
  const index = createToolIndex([
    ...MEDIA,
    { name: 'list_images', description: 'List them.', phrases: [] },
  ])
  expect(index.search('list images')).toMatchObject({
    results: [{ name: 'list_images' }, {}, {}, {}],
    confidence: 1,
  })
})
