import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listPosts } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { withoutBody } from './without-body.ts'

export const cmsListPosts = defineTool({
  name: 'cms_listPosts',
  description:
    'List blog posts, of one status or all. Gives slugs, titles and dates, without the texts.',
  category: 'retrieval',
  topic: 'posts',
  phrases: ['list posts', 'show drafts', 'what articles are published'],
  related: ['cms_getPost'],
  extraction: { path: 'posts', isArray: true, type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: z.object({
    status: postShape.shape.status.optional().describe('All of them when left out.'),
  }),
  outputSchema: z.object({ posts: z.array(postShape) }),
  execute: ({ status }, { services: { database } }: CmsContext) => {
    const posts = listPosts(database).filter(
      (post) => status === undefined || post.status === status,
    )
    return { posts: posts.map(withoutBody) }
  },
})
