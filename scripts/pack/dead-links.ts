import { posix } from 'node:path'
import type { FileAddress } from './repository-files.ts'
import { pageAnchors, pageLinks } from './read-page.ts'

/** Reads a text file; null when there is no file with this path. */
type ReadText = (path: string) => string | null

/** Texts and files that links may lead to. */
interface Reached {
  /** The files of the package. */
  readonly files: readonly string[]
  readonly read: ReadText
  /** The files of the repository, which absolute links lead to. */
  readonly repository: { readonly files: readonly string[]; readonly read: ReadText }
  /** The addresses of files in the repository, if it is known. */
  readonly address: FileAddress | undefined
}

/** The result of looking at the links of some pages. */
interface LinkReport {
  readonly links: number
  readonly pictures: number
  /** The number of links to other sites, which were not opened. */
  readonly elsewhere: number
  readonly problems: readonly string[]
}

/** Finds the links and pictures of pages that lead to no file or heading, and pictures in which nothing is seen. */
export function deadLinks(pages: readonly string[], reached: Reached): LinkReport {
  const { files, read, repository, address } = reached
  const problems: string[] = []
  const counts = { links: 0, pictures: 0, elsewhere: 0 }
  const root = (as: Parameters<FileAddress>[1]) => address?.('', as)
  for (const page of pages) {
    for (const { target, isPicture } of pageLinks(read(page) ?? '')) {
      counts[isPicture ? 'pictures' : 'links'] += 1
      const prefix = [root('page'), root('folder'), root('picture')].find(
        (one) => one !== undefined && target.startsWith(one),
      )
      const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(target)
      if (isAbsolute && prefix === undefined) {
        counts.elsewhere += 1
        continue
      }
      const at = prefix === undefined ? { files, read } : repository
      const [path = '', anchor] = target.slice(prefix?.length ?? 0).split('#')
      const relative = path === '' ? page : posix.join(posix.dirname(page), path)
      const file = (prefix === undefined ? relative : path).replace(/\/$/, '')
      const isFolder = at.files.some((one) => one.startsWith(`${file}/`))
      if (!at.files.includes(file) && !isFolder) {
        problems.push(
          `${page}: ${target} leads to no file of the ${prefix === undefined ? 'package' : 'repository'}.`,
        )
      } else if (anchor !== undefined && !pageAnchors(at.read(file) ?? '').has(anchor)) {
        problems.push(`${page}: ${target} names no heading of its page.`)
      } else if (isPicture && !showsStill(at.read(file) ?? '')) {
        problems.push(`${page}: ${target} shows nothing where pictures do not move.`)
      }
    }
  }
  return { ...counts, problems }
}

/** Returns true for a picture that shows something in a program that knows no animation. */
export function showsStill(svg: string): boolean {
  const isHidden =
    /\b(?:visibility\s*[:=]\s*"?hidden|display\s*[:=]\s*"?none|opacity\s*[:=]\s*"?0(?![.\d]))/
  const style = [...svg.matchAll(/<style[^>]*>([^]*?)<\/style>/g)]
    .map(([, text = '']) => text)
    .join('\n')
  // Rules within another one are of an animation, or of a screen with special needs.
  const always = style.replace(/@[^{]*\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
  if (isHidden.test(always)) return false
  const drawing = svg.replace(/<style[^>]*>[^]*?<\/style>|<title>[^]*?<\/title>/g, '')
  const [, first = ''] = /<svg[^>]*>\s*(?:<g([^>]*)>)?/.exec(drawing) ?? []
  return (
    /<(?:text|path|rect|image|circle|use|polygon|line)\b/.test(drawing) && !isHidden.test(first)
  )
}
