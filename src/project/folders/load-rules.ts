import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { parseRulesFile } from '../../skills/parse/parse-rules-file.ts'
import { type Found, joinFound, NOTHING_FOUND } from './found.ts'
import { readText } from '../walk/read-text.ts'
import type { RootContext } from './root-context.ts'
import type { Folder } from '../walk/walk-folders.ts'

/** Read the rules in a folder: one Markdown file a topic, named after it. */
export async function loadRules(
  folder: Folder,
  boundary: string,
  { options, keeps }: RootContext,
): Promise<Found> {
  const found: Found[] = []
  for (const { name } of folder.entries) {
    const path = join(folder.path, name)
    if (!name.endsWith('.md') || name === 'README.md' || !keeps(path)) continue
    const diagnostics: Diagnostic[] = []
    const text = await readText(boundary, path, options, diagnostics)
    const topic = name.slice(0, -'.md'.length)
    const parsed =
      text === null ? null : parseRulesFile({ text, file: path, folder: folder.path }, topic)
    diagnostics.push(...(parsed?.diagnostics ?? []))
    const rules = parsed?.rules ?? null
    found.push({
      ...NOTHING_FOUND,
      rules: rules === null ? [] : [rules],
      items: [{ kind: 'rules', path, name: rules?.topic ?? null }],
      diagnostics,
      files: 1,
    })
  }
  return joinFound(found)
}
