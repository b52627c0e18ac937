/** A part of a task: what is to be done, what it is about, and whether it may do harm. */
interface TaskStep {
  readonly what: string
  readonly topics: string[]
  readonly destructive: boolean
}

/** Where one part of a task ends and the next begins. */
const BETWEEN = /[.;\n]|,? (?:and then|then|and|afterwards) |, /u

/** Words that give a topic away, in the order a site is built. */
const WORDS: readonly (readonly [topic: string, words: readonly string[]])[] = [
  ['research', ['research', 'web', 'online', 'source', 'sources']],
  ['pages', ['page', 'pages']],
  ['sections', ['section', 'sections', 'hero', 'heading', 'headline', 'text']],
  ['images', ['image', 'images', 'picture', 'pictures', 'photo', 'photos']],
  ['pexels', ['pexels', 'stock']],
  ['posts', ['post', 'posts', 'article', 'articles', 'blog', 'draft']],
  ['navigation', ['menu', 'navigation', 'link']],
  ['entries', ['entry', 'entries', 'faq', 'collection']],
  ['http', ['api', 'http', 'webhook']],
]

const HARMFUL: readonly string[] = ['delete', 'remove', 'drop', 'clear']

/** Split a task into its parts. Goes by words alone, so the same task always gives the same plan. */
export function stepsOf(task: string): TaskStep[] {
  const parts = task.split(BETWEEN).map((part) => part.trim())
  return parts.filter((part) => part !== '').map(stepOf)
}

function stepOf(what: string): TaskStep {
  const words = new Set(what.toLowerCase().match(/\p{L}+/gu))
  const topics = WORDS.filter(([, known]) => known.some((word) => words.has(word)))
  return {
    what,
    topics: topics.map(([topic]) => topic),
    destructive: HARMFUL.some((word) => words.has(word)),
  }
}
