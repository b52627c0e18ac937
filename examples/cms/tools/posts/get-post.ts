import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getPost } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { postSlug } from './post-slug.ts'

export const cmsGetPost = defineTool({
  name: 'cms_getPost',
  description: 'Get one blog post with its text. The text is Markdown, as it was written.',
  category: 'retrieval',
  topic: 'posts',
  phrases: ['get post', 'read the article', 'show blog post'],
  related: ['cms_updatePost', 'cms_listPosts'],
  extraction: { path: '$root', type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: z.object({ post: postSlug }),
  outputSchema: postShape.extend({ body: z.string() }),
  execute: ({ post }, { services: { database } }: CmsContext) => getPost(database, post),
})
