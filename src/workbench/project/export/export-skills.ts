import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Catalog, Diagnostic, Skill, Tool } from '../../../entries/index.ts'
import { checkSpecification, parseSkillFile } from '../../../entries/definitions.ts'
import type { SkillTool } from '../../../entries/manifest.ts'
import { exportFinding, folderFiles, skillSourceFiles } from './folder-files.ts'
import { hasListSeparator, skillFileText, toolFolderFiles } from './skill-file-text.ts'
import type { HandlerFile } from '../folders/loaded.ts'
import { SERVERS_FILE } from '../servers/server-source.ts'
import { createFiles, type NewFiles } from '../walk/create-files.ts'
import { isInside } from '../walk/is-inside.ts'
import { unsafeFileName } from '../walk/unsafe-file-name.ts'

/** The result of an export. */
export interface ExportedSkills {
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  /**
   * Findings about what plain folders cannot express, what was changed for them, and what was left
   * out.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Exports every skill of a catalog as a self-contained folder of the open format, `<to>/<name>/`:
 * with its files, and with every tool it brings as a tool of its own. A `SKILL.md` that is already
 * portable is copied byte for byte. Throws `FILES_EXIST`, and then writes nothing.
 */
export async function exportSkills(
  catalog: Catalog,
  handlers: readonly HandlerFile[],
  to: string,
  onFile?: (done: number, of: number) => void,
): Promise<ExportedSkills> {
  const byHash = new Map(handlers.map((one) => [one.tool.hash, one]))
  const files = new Map<string, string | Uint8Array>()
  const diagnostics: Diagnostic[] = []
  const taken = new Map<string, string>()
  for (const skill of catalog.skills.values()) {
    const why = unsafeFileName(skill.name) ?? sameName(skill.name, taken)
    if (why !== null) {
      const message = `The skill "${skill.name}" was left out: a folder cannot have its name, because ${why}.`
      diagnostics.push(exportFinding.leftOut(message, 'Rename the skill.', skill.path))
      continue
    }
    const written = await skillFolderFiles(skill, catalog, byHash)
    diagnostics.push(...written.diagnostics)
    for (const [path, content] of written.files) files.set(`${skill.name}/${path}`, content)
  }
  return {
    files: await createFiles(resolve(to), files, onFile),
    diagnostics: [...diagnostics, ...omittedDefinitions(catalog)],
  }
}

/** Returns why a folder of this name cannot be next to the earlier ones on every system; else null. */
function sameName(name: string, taken: Map<string, string>): string | null {
  const folded = name.normalize('NFKC').toLowerCase()
  const other = taken.get(folded)
  taken.set(folded, other ?? name)
  return other === undefined ? null : `on some systems it is the same name as "${other}"`
}

async function skillFolderFiles(
  skill: Skill,
  catalog: Catalog,
  handlers: ReadonlyMap<string, HandlerFile>,
): Promise<{ readonly files: NewFiles; readonly diagnostics: readonly Diagnostic[] }> {
  const { name, path, baseDirectory } = skill
  const folder = baseDirectory !== undefined && path !== undefined ? dirname(path) : null
  const copied = await skillSourceFiles(skill)
  const diagnostics = [...copied.diagnostics]
  const files = new Map<string, string | Uint8Array>(copied.files)
  // A tool of an extended skill comes with that skill, which is exported, too.
  const tools = (catalog.skillTools.get(name) ?? []).filter((one) => one.extendedFrom === undefined)
  const own = await skillToolFiles(name, folder, tools, handlers)
  diagnostics.push(...own.diagnostics)
  for (const [inner, content] of own.files) files.set(inner, content)
  const fileName = path === undefined ? 'SKILL.md' : basename(path)
  const original = files.get(fileName)
  files.delete(fileName)
  const text = typeof original === 'object' ? new TextDecoder().decode(original) : null
  const named = { file: path ?? `${name}/SKILL.md`, folder: name }
  const isSelfContained =
    skill.toolsets.length === 0 && skill.tools.every((one) => typeof one !== 'string')
  if (text !== null && isSelfContained && checkSpecification({ text, ...named }).length === 0) {
    files.set('SKILL.md', original ?? text)
    return { files, diagnostics }
  }
  const topic = text === null ? undefined : parseSkillFile({ text, ...named }).topic
  const written = skillFileText(
    { ...skill, tools: [], toolsets: [] },
    topic === undefined ? {} : { topic },
  )
  files.set('SKILL.md', written)
  diagnostics.push(...changeFindings(skill, catalog, files.has(SERVERS_FILE)))
  for (const { message, hint } of checkSpecification({ text: written, ...named })) {
    diagnostics.push(exportFinding.notPortable(`The skill "${name}": ${message}`, hint, path))
  }
  return { files, diagnostics }
}

function changeFindings(
  skill: Skill,
  { toolsets }: Catalog,
  hasServers: boolean,
): readonly Diagnostic[] {
  const { name, path } = skill
  const changed = (message: string, hint: string) => exportFinding.changed(message, hint, path)
  const used = skill.toolsets.map((one) => (typeof one === 'string' ? one : one.name))
  const servers = new Set([
    ...(hasServers ? [] : (skill.servers ?? [])),
    ...used.flatMap((toolset) => toolsets.get(toolset)?.servers ?? []),
  ])
  return [
    ...unknownFields(skill),
    ...used.map((toolset) => {
      if (!toolsets.has(toolset)) {
        return changed(
          `The toolset "${toolset}" of the skill "${name}" does not exist and was removed from the skill.`,
          'Also give the folder that contains the toolset.',
        )
      }
      const instructions = toolsets.get(toolset)?.instructions.trim() ?? ''
      return changed(
        `The tools of the toolset "${toolset}" became tools of the skill "${name}"${instructions === '' ? '' : "; the toolset's instructions are not in the folder"}.`,
        'Add what matters to the instructions of the skill.',
      )
    }),
    ...[...skill.triggers, ...skill.aliases, ...skill.capabilities]
      .filter(hasListSeparator)
      .map((phrase) =>
        changed(
          `The phrase "${phrase}" of the skill "${name}" lost its commas, which separate phrases.`,
          'Nothing needs to be done, unless the commas mattered.',
        ),
      ),
    ...skill.files.flatMap(({ path: inner, description = inner }) =>
      description === inner
        ? []
        : [
            changed(
              `The description of the file "${inner}" of the skill "${name}" is not in the folder.`,
              'Describe the file in the instructions.',
            ),
          ],
    ),
    ...[...servers].map((server) =>
      changed(
        `The server "${server}" of the skill "${name}" is not in the folder.`,
        `Write it into ${SERVERS_FILE} next to the SKILL.md.`,
      ),
    ),
    ...(skill.onActivate === undefined && skill.onDeactivate === undefined
      ? []
      : [
          changed(
            `The hooks of the skill "${name}" are code and are not in the folder.`,
            'Define the skill in code where its hooks are needed.',
          ),
        ]),
  ]
}

/** Reports definitions that belong to no skill. */
function omittedDefinitions(catalog: Catalog): readonly Diagnostic[] {
  const kinds = [
    ['agent', [...catalog.agents.keys()]],
    ['component', [...catalog.components.keys()]],
    ['shared tool', catalog.globalTools.map(({ name }) => name)],
    ['set of rules', [...catalog.rules.keys()]],
  ] as const
  return kinds.flatMap(([kind, names]) =>
    names.map((name) =>
      exportFinding.leftOut(
        `The ${kind} "${name}" belongs to no skill and was left out.`,
        'Agent Skills folders have no place for it. "export carnet" has one for agents.',
      ),
    ),
  )
}

/** Reports the unknown fields of a `SKILL.md`: a rewritten file does not have them. */
function unknownFields({ name, path, diagnostics }: Skill): readonly Diagnostic[] {
  return diagnostics
    .filter(({ code, file }) => code === 'unknown-field' && file === path)
    .map(({ message }) =>
      exportFinding.changed(
        `The SKILL.md of "${name}" was rewritten. ${message}`,
        'Move the field into metadata, where it is kept.',
        path,
      ),
    )
}

/**
 * Returns the folders of the tools that a skill brings and that are not in its own folder, by path in that: shared
 * tools, those of toolsets, and those defined in code. In the export each is a tool of the skill.
 */
async function skillToolFiles(
  skill: string,
  folder: string | null,
  tools: readonly SkillTool[],
  handlers: ReadonlyMap<string, HandlerFile>,
) {
  const files = new Map<string, string | Uint8Array>()
  const diagnostics: Diagnostic[] = []
  for (const { tool } of tools) {
    const file = handlers.get(tool.hash)
    if (folder !== null && file !== undefined && isInside(folder, file.file)) continue
    const base = `tools/${tool.name}`
    if (file?.folder === null && file.path !== null) {
      const bytes = await readFile(file.path)
      files.set(`tools/${basename(file.path)}`, bytes)
      diagnostics.push(...reachingOut(tool, file, [bytes]))
      continue
    }
    for (const [inner, text] of toolFolderFiles(tool)) files.set(`${base}/${inner}`, text)
    if (file === undefined || file.path === null) {
      if (file === undefined && tool.execute !== undefined) {
        diagnostics.push(
          exportFinding.codeMissing(
            `The tool "${tool.name}" of the skill "${skill}" is code: its definition was written without a handler.`,
            'Write handler.ts next to its schema.json.',
          ),
        )
      }
      continue
    }
    const copied = await folderFiles(dirname(file.path))
    diagnostics.push(...copied.diagnostics)
    for (const [inner, bytes] of copied.files) {
      if (inner !== 'TOOL.md') files.set(`${base}/${inner}`, bytes)
    }
    diagnostics.push(...reachingOut(tool, file, [...copied.files.values()]))
  }
  return { files, diagnostics }
}

/** Reports code that imports a file which is not in the export. */
function reachingOut(
  { name }: Tool,
  { file, folder }: HandlerFile,
  sources: readonly Uint8Array[],
): readonly Diagnostic[] {
  const pattern = folder === null ? ALONE : IN_FOLDER
  const [outside] = sources.flatMap(
    (bytes) => pattern.exec(new TextDecoder().decode(bytes))?.[1] ?? [],
  )
  if (outside === undefined) return []
  const message = `The code of the tool "${name}" imports "${outside}", which is not in the export.`
  return [
    exportFinding.reachesOut(message, 'Copy what it imports, or bundle it into the code.', file),
  ]
}

/** Matches a plain import of a path above the folder. */
const IN_FOLDER = /\b(?:from|import)\s{0,4}\(?\s{0,4}['"](\.\.\/[^'"\n]{0,200})['"]/

/** Matches a plain import of any path, for a tool that is one file. */
const ALONE = /\b(?:from|import)\s{0,4}\(?\s{0,4}['"](\.[^'"\n]{0,200})['"]/
