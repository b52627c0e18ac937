import { basename, join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineSkill } from '../../skills/definition/define-skill.ts'
import type { ListedFile } from '../../skills/parse/listed-files.ts'
import { parseSkillFile } from '../../skills/parse/parse-skill-file.ts'
import type { SkillFile } from '../../skills/definition/skill.ts'
import { type Found, NOTHING_FOUND } from './found.ts'
import { listFiles } from './list-files.ts'
import { loadOwnTools } from './load-own-tools.ts'
import { readBeside } from './read-sidecar-schema.ts'
import { readText } from '../walk/read-text.ts'
import type { RootContext } from './root-context.ts'
import { skillFileName } from './skill-file-name.ts'
import { skillFileReader } from './skill-file-reader.ts'
import type { Folder } from '../walk/walk-folders.ts'

/**
 * Read one skill: its `SKILL.md`, the tools in `tools/<name>/`, and the list of its other files.
 * A `lib` folder beside `tools` is the code its handlers share: not for the model, so not listed.
 * Nothing outside the skill's own folder is read, unless links may lead out.
 */
export async function loadSkillFolder(folder: Folder, context: RootContext): Promise<Found> {
  const { options, carnet } = context
  const diagnostics: Diagnostic[] = []
  const path = join(folder.path, skillFileName(folder) ?? 'SKILL.md')
  const none = () => ({
    ...NOTHING_FOUND,
    items: [{ kind: 'skill' as const, path, name: null }],
    diagnostics,
    files: 1,
  })
  const text = await readText(folder.real, path, options, diagnostics)
  if (text === null) return none()
  const beside = carnet && (await readBeside(folder, folder.real, options, diagnostics))
  const source = { text, file: path, folder: basename(folder.path) }
  const parsed = parseSkillFile(
    { ...source, ...(beside && { beside }) },
    carnet === null ? 'open' : 'carnet',
  )
  diagnostics.push(...parsed.diagnostics)
  const tools = await loadOwnTools(folder, context, parsed.topic)
  diagnostics.push(...tools.diagnostics)
  const { definition } = parsed
  if (definition === null) return none()
  const mine = new Set(tools.folders)
  const listing = await listFiles(
    folder,
    (inner) =>
      inner === basename(path) ||
      mine.has(inner) ||
      (mine.size > 0 && inner === 'lib') ||
      (beside && inner === 'schema.json') ||
      context.excludes(join(folder.path, inner)),
    options,
  )
  diagnostics.push(...listing.diagnostics)
  const files = describe(listing.files, parsed.listed, path, diagnostics)
  for (const { path: inner } of files) {
    if (basename(inner) === 'SKILL.md') diagnostics.push(nestedSkill(join(folder.path, inner)))
  }
  try {
    const skill = defineSkill({
      ...definition,
      tools: [...tools.handlers.map(({ tool }) => tool), ...(definition.tools ?? [])],
      files,
      ...(files.length > 0 && {
        readFile: skillFileReader(definition.name, folder, files, options.followLinksOut),
      }),
      baseDirectory: folder.path,
      path,
      // A tool that could not be read is missed; the skill itself is still there.
      diagnostics: diagnostics.filter(({ severity }) => severity !== 'error'),
    })
    const items = [{ kind: 'skill' as const, path, name: skill.name }, ...tools.items]
    const { handlers } = tools
    return {
      ...NOTHING_FOUND,
      skills: [skill],
      handlers,
      items,
      diagnostics,
      files: files.length + 1,
    }
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { message, hint } = error
    diagnostics.push({ code: 'skill-invalid', severity: 'error', message, hint, file: path })
    return none()
  }
}

/** Give files the descriptions of the front matter, and report those that are not there. */
function describe(
  files: readonly SkillFile[],
  listed: readonly ListedFile[],
  file: string,
  diagnostics: Diagnostic[],
): readonly SkillFile[] {
  const known = new Set(files.map(({ path }) => path))
  for (const { path, place } of listed) {
    if (known.has(path)) continue
    diagnostics.push({
      code: 'file-missing',
      severity: 'warning',
      message: `The front matter lists the file "${path}", which is not among the skill's files.`,
      hint: 'Add the file inside the folder of the skill, or take it off the list.',
      file,
      ...place,
    })
  }
  const descriptions = new Map(listed.map(({ path, description }) => [path, description]))
  return files.map((one) => {
    const description = descriptions.get(one.path)
    return description === undefined || description === '' ? one : { ...one, description }
  })
}

function nestedSkill(file: string): Diagnostic {
  return {
    code: 'skill-nested',
    severity: 'info',
    message: 'This SKILL.md lies inside another skill: it is a file of that one, not a skill.',
    hint: 'Move its folder beside the other skill to make it one.',
    file,
  }
}
