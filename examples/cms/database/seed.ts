import type { DatabaseSync } from 'node:sqlite'
import { addImage, setSectionImage } from './images.ts'
import { addNavigationItem } from './navigation.ts'
import { addPage } from './pages.ts'
import { addPost, changePost } from './posts.ts'
import { addSection } from './sections.ts'
import { addTemplate } from './templates.ts'

const TEXT = { kind: 'text', required: true } as const
const OPTIONAL = { kind: 'text', required: false } as const
const IMAGE = { kind: 'image', required: false } as const

/** A small site to work on: a guest house in the mountains. The same rows and ids every time. */
export function seed(database: DatabaseSync): DatabaseSync {
  addTemplate(database, {
    key: 'hero',
    name: 'Hero',
    description: 'The first thing on a page: a headline over a large image.',
    fields: [
      { name: 'heading', ...TEXT },
      { name: 'subheading', ...OPTIONAL },
      { name: 'image', ...IMAGE },
    ],
  })
  addTemplate(database, {
    key: 'text',
    name: 'Text',
    description: 'A heading and a few paragraphs.',
    fields: [
      { name: 'heading', ...TEXT },
      { name: 'body', ...TEXT },
    ],
  })
  for (const [filename, alt] of IMAGES) {
    addImage(database, { filename, alt, credit: null, bytes: new Uint8Array() })
  }
  for (const [title, slug, description] of PAGES) addPage(database, { title, slug, description })
  const content = { heading: 'Quiet nights above the valley', subheading: 'Ten rooms, one fire' }
  const hero = addSection(database, { page: 'home', template: 'hero', content })
  setSectionImage(database, { section: hero.id, field: 'image', image: 1 })
  const rooms = { heading: 'Our rooms', body: 'Wool blankets, wooden floors, no screens.' }
  addSection(database, { page: 'home', template: 'text', content: rooms })
  for (const [label, href] of NAVIGATION) addNavigationItem(database, { label, href })
  addPost(database, { title: 'First snow', body: 'The pass is white since Tuesday.' })
  changePost(database, 'first-snow', { status: 'published', published: '2025-11-04T08:00:00.000Z' })
  addPost(database, { title: 'Winter menu', body: 'Soups, dumplings, and a pear cake.' })
  database.exec(COLLECTIONS)
  return database
}

const IMAGES = [
  ['hero-mountains.jpg', 'Snowy mountains at sunrise: the hero image of the home page'],
  ['dining-room.jpg', 'The dining room with its open fire'],
  ['forest-path.jpg', 'A path through the forest in autumn'],
] as const

const PAGES = [
  ['Home', 'home', 'The guest house at a glance'],
  ['Rooms', 'rooms', 'What a night costs'],
  ['Contact', 'contact', 'How to find us'],
] as const

const NAVIGATION = [
  ['Home', '/home'],
  ['Rooms', '/rooms'],
  ['Contact', '/contact'],
] as const

const COLLECTIONS = `
  INSERT INTO collections VALUES ('faq', 'Questions'), ('guestbook', 'Guest book');
  INSERT INTO entries (collection, title, content) VALUES
    ('faq', 'Are dogs welcome?', 'Yes, one for each room, and not in the dining room.'),
    ('faq', 'When is breakfast?', 'From seven to ten.'),
    ('guestbook', 'Anna, March', 'We slept like stones.');
`
