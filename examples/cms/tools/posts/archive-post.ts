import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { changePost } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { postSlug } from './post-slug.ts'
import { withoutBody } from './without-body.ts'

export const cmsArchivePost = defineTool({
  name: 'cms_archivePost',
  description:
    'Take a blog post offline without deleting it. Publishing brings it back. ' +
    'Its text and its slug are kept.',
  category: 'action',
  topic: 'posts',
  idempotent: true,
  phrases: ['archive post', 'unpublish', 'take the article offline', 'hide a post'],
  related: ['cms_publishPost', 'cms_deletePost'],
  extraction: { path: '$root', type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: z.object({ post: postSlug }),
  outputSchema: postShape,
  execute: ({ post }, { services: { database } }: CmsContext) =>
    withoutBody(changePost(database, post, { status: 'archived' })),
})
