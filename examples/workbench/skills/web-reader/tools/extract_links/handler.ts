import { getPage } from '../../lib/get-page.ts'
import { pageLinks, type PageLink } from '../../lib/page-links.ts'
import { pageNote } from '../../lib/page-note.ts'
import type { WebContext } from '../../lib/web-context.ts'

interface Input {
  readonly url: string
  readonly sameHost?: boolean
  readonly limit?: number
}

interface Output {
  readonly url: string
  readonly links: readonly PageLink[]
  /** Links there are, shown or not. */
  readonly found: number
  readonly note?: string
}

export async function execute(input: Input, context: WebContext): Promise<Output> {
  const page = await getPage(input.url, context)
  const all = pageLinks(page.text, page.url)
  const wanted = input.sameHost === true ? all.filter(isOn(page.url.host)) : all
  const links = wanted.slice(0, input.limit ?? 100)
  return { url: page.url.href, links, found: wanted.length, ...pageNote(page) }
}

function isOn(host: string): (link: PageLink) => boolean {
  return ({ url }) => new URL(url).host === host
}
