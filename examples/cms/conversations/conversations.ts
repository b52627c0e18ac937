import { aboutPage } from './about-page.ts'
import type { Conversation } from './conversation.ts'
import { deletePage } from './delete-page.ts'
import { directAnswer } from './direct-answer.ts'
import { findHeroImage } from './find-hero-image.ts'

/** In the order they are run. */
export const CONVERSATIONS: readonly Conversation[] = [
  directAnswer,
  findHeroImage,
  aboutPage,
  deletePage,
]
