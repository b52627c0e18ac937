import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from 'loadout'
import { given } from './given.ts'
import { notFound } from './not-found.ts'
import { allRows, firstRow } from './query.ts'
import { slugOf } from './slug-of.ts'

/** One article of the blog. */
export interface Post {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly body: string
  readonly status: 'draft' | 'published' | 'archived'
  /** ISO 8601; null until it was published for the first time. */
  readonly published: string | null
}

export function listPosts(database: DatabaseSync): readonly Post[] {
  return allRows(database, 'SELECT * FROM posts ORDER BY id')
}

/** Throws `NOT_FOUND`, with the slugs there are. */
export function getPost(database: DatabaseSync, slug: string): Post {
  const post = firstRow<Post>(database, 'SELECT * FROM posts WHERE slug = ?', slug)
  if (post === undefined) throw notFound('post', slug, slugsOf(database))
  return post
}

/** A draft, under the slug of its title. Throws `CONFLICT` when that is taken. */
export function addPost(database: DatabaseSync, { title, body }: Pick<Post, 'title' | 'body'>) {
  const slug = slugOf(title)
  if (slugsOf(database).includes(slug)) {
    throw new ToolError('CONFLICT', `A post is at "${slug}" already. Choose another title.`)
  }
  database.prepare('INSERT INTO posts (slug, title, body) VALUES (?, ?, ?)').run(slug, title, body)
  return getPost(database, slug)
}

/** What is not given stays, and so does the slug: links to a post must not break. */
export function changePost(
  database: DatabaseSync,
  slug: string,
  changes: { readonly [Key in keyof Omit<Post, 'id' | 'slug'>]?: Post[Key] | undefined },
): Post {
  const post = { ...getPost(database, slug), ...given(changes) }
  database
    .prepare('UPDATE posts SET title = ?, body = ?, status = ?, published = ? WHERE id = ?')
    .run(post.title, post.body, post.status, post.published, post.id)
  return getPost(database, slug)
}

export function removePost(database: DatabaseSync, slug: string): Post {
  const post = getPost(database, slug)
  database.prepare('DELETE FROM posts WHERE id = ?').run(post.id)
  return post
}

function slugsOf(database: DatabaseSync): readonly string[] {
  return listPosts(database).map(({ slug }) => slug)
}
