import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { changePost } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { postSlug } from './post-slug.ts'
import { postText } from './post-text.ts'
import { withoutBody } from './without-body.ts'

export const cmsUpdatePost = defineTool({
  name: 'cms_updatePost',
  description:
    "Change a blog post's title or text. What is not given stays; so does its slug. " +
    'A published post changes for everybody at once.',
  category: 'action',
  topic: 'posts',
  idempotent: true,
  phrases: ['update post', 'edit article', 'correct a blog post'],
  related: ['cms_getPost', 'cms_publishPost'],
  guidance: { before: 'Read the post first: the text you give replaces all of it.' },
  extraction: { path: '$root', type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: postText.partial().extend({ post: postSlug }),
  outputSchema: postShape,
  execute: ({ post, ...changes }, { services: { database } }: CmsContext) =>
    withoutBody(changePost(database, post, changes)),
})
