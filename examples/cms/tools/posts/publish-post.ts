import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { changePost, getPost } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { postSlug } from './post-slug.ts'
import { withoutBody } from './without-body.ts'

export const cmsPublishPost = defineTool({
  name: 'cms_publishPost',
  description:
    'Publish a draft or an archived blog post: everybody can read it from now on. ' +
    'The date of its first publication stays.',
  category: 'action',
  topic: 'posts',
  idempotent: true,
  phrases: ['publish post', 'put the article online', 'make a draft public'],
  related: ['cms_getPost', 'cms_archivePost'],
  extraction: { path: '$root', type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: z.object({ post: postSlug }),
  outputSchema: postShape,
  execute: ({ post }, { services: { database, now } }: CmsContext) => {
    const published = getPost(database, post).published ?? now()
    return withoutBody(changePost(database, post, { status: 'published', published }))
  },
})
