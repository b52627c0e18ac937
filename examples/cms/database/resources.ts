import type { DatabaseSync } from 'node:sqlite'
import { listEntries } from './entries.ts'
import { listImages } from './images.ts'
import { listPages } from './pages.ts'
import { listPosts } from './posts.ts'
import { allSections } from './sections.ts'

/** Anything of the site that can be looked for, with the text that stands for it. */
export interface Resource {
  readonly type: 'page' | 'section' | 'image' | 'post' | 'entry'
  readonly id: string
  readonly name: string
  readonly text: string
}

/** The whole site, as things to look for. */
export function resources(database: DatabaseSync): readonly Resource[] {
  return [
    ...listPages(database).map(({ slug, title, description }) =>
      resource('page', slug, title, description),
    ),
    ...allSections(database).map(({ id, name, content }) =>
      resource('section', id, name, Object.values(content).join(' ')),
    ),
    ...listImages(database).map(({ id, filename, alt }) => resource('image', id, filename, alt)),
    ...listPosts(database).map(({ slug, title, body }) => resource('post', slug, title, body)),
    ...listEntries(database).map(({ id, title, content }) => resource('entry', id, title, content)),
  ]
}

function resource(
  type: Resource['type'],
  id: string | number,
  name: string,
  text: string,
): Resource {
  return { type, id: String(id), name, text }
}
