import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { addPost } from '../../database/posts.ts'
import { postShape } from './post-shape.ts'
import { postText } from './post-text.ts'
import { withoutBody } from './without-body.ts'

export const cmsCreatePost = defineTool({
  name: 'cms_createPost',
  description:
    'Write a new blog post. It is a draft until it is published. ' +
    'The slug is made of the title, and stays. Gives the post without its text.',
  category: 'action',
  topic: 'posts',
  phrases: ['create post', 'write a blog post', 'new article', 'draft'],
  related: ['cms_publishPost', 'cms_updatePost'],
  extraction: { path: '$root', type: 'post', idField: 'slug', nameField: 'title' },
  inputSchema: postText,
  outputSchema: postShape,
  execute: (post, { services: { database } }: CmsContext) => withoutBody(addPost(database, post)),
})
