import type { Post } from '../../database/posts.ts'

/** A post as results have it: the text of a post is read on purpose, never in passing. */
export function withoutBody({ id, slug, title, status, published }: Post): Omit<Post, 'body'> {
  return { id, slug, title, status, published }
}
