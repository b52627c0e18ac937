import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { removePost } from '../../database/posts.ts'
import { postSlug } from './post-slug.ts'

export const cmsDeletePost = defineTool({
  name: 'cms_deletePost',
  description:
    'Delete a blog post. This cannot be undone. To take it offline only, use cms_archivePost.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'posts',
  phrases: ['delete post', 'remove the article'],
  related: ['cms_archivePost', 'cms_listPosts'],
  guidance: { before: 'Offer to archive it instead: that can be undone.' },
  inputSchema: z.object({ post: postSlug }),
  outputSchema: z.object({ deleted: z.string() }),
  execute: ({ post }, { services: { database } }: CmsContext) => ({
    deleted: removePost(database, post).slug,
  }),
})
