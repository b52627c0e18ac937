import { htmlTokens } from './html-tokens.ts'

/** One link of a page. */
export interface PageLink {
  readonly url: string
  /** What the reader sees of it, or what stands for its picture. */
  readonly text: string
}

const MOST_TEXT = 200

/**
 * The links of a page that lead to other pages, in order, each address once: absolute, by the
 * page's first base, without fragments. Links within the page and to anything but http and https
 * are left out.
 */
export function pageLinks(html: string, page: URL): readonly PageLink[] {
  const found = new Map<string, string>()
  const here = withoutHash(page)
  let base: URL | undefined
  let open: { readonly url: string; text: string } | undefined
  const close = (): void => {
    if (open !== undefined) {
      const text = open.text.split(/\s+/).filter(Boolean).join(' ').slice(0, MOST_TEXT)
      found.set(open.url, found.get(open.url) || text)
    }
    open = undefined
  }
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      if (open !== undefined && open.text.length < 4 * MOST_TEXT) open.text += token.text
    } else if (token.kind === 'end') {
      if (token.name === 'a') close()
    } else if (token.name === 'base') {
      const href = token.attributes.get('href')
      if (href !== undefined) base ??= URL.parse(href, page.href) ?? undefined
    } else if (token.name === 'img' && open !== undefined) {
      open.text += ` ${token.attributes.get('alt') ?? ''} `
    } else if (token.name === 'a' || token.name === 'area') {
      close()
      const url = target(token.attributes.get('href'), base ?? page)
      if (url !== undefined && url !== here) open = { url, text: '' }
      if (token.name === 'area') {
        if (open !== undefined) open.text = token.attributes.get('alt') ?? ''
        close()
      }
    }
  }
  close()
  return [...found].map(([url, text]) => ({ url, text }))
}

function target(href: string | undefined, base: URL): string | undefined {
  if (href === undefined) return undefined
  const url = URL.parse(href.trim(), base.href)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  return withoutHash(url)
}

function withoutHash(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}
