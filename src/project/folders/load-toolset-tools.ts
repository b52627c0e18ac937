import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { parseToolFolder } from '../../skills/parse/parse-tool-folder.ts'
import { splitFrontMatter } from '../../skills/parse/split-front-matter.ts'
import { type Found, joinFound, NOTHING_FOUND } from './found.ts'
import { readText } from '../walk/read-text.ts'
import type { RootContext } from './root-context.ts'
import type { Folder } from '../walk/walk-folders.ts'

/**
 * Read the tools that Carnet describes beside a `TOOLSET.md`, in a Markdown file each. A file
 * without front matter describes none, which is said; names in `skip` are other files.
 */
export async function loadToolsetTools(
  folder: Folder,
  boundary: string,
  { options, keeps }: RootContext,
  skip: readonly string[],
): Promise<Found> {
  const found: Found[] = []
  for (const { name } of folder.entries) {
    const file = join(folder.path, name)
    if (!name.endsWith('.md') || skip.includes(name) || !keeps(file)) continue
    const diagnostics: Diagnostic[] = []
    const text = await readText(boundary, file, options, diagnostics)
    const split = text === null ? null : splitFrontMatter(text)
    if (split?.ok === false && split.reason === 'missing') {
      found.push({ ...NOTHING_FOUND, diagnostics: [notATool(file)] })
      continue
    }
    const parsed =
      text === null
        ? null
        : parseToolFolder({ file, folder: name.slice(0, -'.md'.length), tool: { text, file } })
    const tool = parsed?.tool ?? null
    found.push({
      ...NOTHING_FOUND,
      tools: tool === null ? [] : [tool],
      items: [{ kind: 'tool', path: file, name: tool?.name ?? null }],
      diagnostics: [...diagnostics, ...(parsed?.diagnostics ?? [])],
      files: 1,
    })
  }
  return joinFound(found)
}

function notATool(file: string): Diagnostic {
  return {
    code: 'toolset-file-ignored',
    severity: 'info',
    message: 'The file stands beside a TOOLSET.md and has no front matter: it describes no tool.',
    hint: 'Give it front matter with name and description to make it one.',
    file,
  }
}
