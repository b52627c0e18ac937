import { realpath } from 'node:fs/promises'
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { type ToolContext, ToolError, WorkspaceError } from '../../../entries/index.ts'
import { textHash } from '../../../entries/kit.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside } from '../walk/read-inside.ts'
import type { SandboxCommand, SandboxSession } from './sandbox-session.ts'

/** The members of a sandbox that read files. */
export type ReadingSession = Pick<SandboxSession, 'readBinaryFile' | 'stat' | 'listDirectory'>

type ActiveSkill = ReturnType<ToolContext['activeSkills']>[number]

/** An active skill, and a path in its folder; the folder itself is `''`. */
interface SkillPlace {
  readonly skill: ActiveSkill
  readonly path: string
}

/**
 * Returns a reader of the files of a sandbox, and of the listed files of active skills. The files of the sandbox go
 * first: a skill counts where the sandbox has nothing, or does not let a path out of its folder.
 */
export function withSkillFolders(
  session: SandboxSession,
  skills: readonly ActiveSkill[],
): ReadingSession {
  const orOfSkill = async <T>(
    path: string,
    own: () => PromiseLike<T | null>,
    ofSkill: (place: SkillPlace) => T | null | Promise<T | null>,
  ): Promise<T | null> => {
    let refusal: unknown
    const found = await Promise.resolve()
      .then(own)
      .catch((error: unknown) => {
        if (!WorkspaceError.is(error) || error.code !== 'PATH_OUTSIDE') throw error
        refusal = error
        return null
      })
    if (found !== null) return found
    const place = findPlace(path, skills)
    const other = place && (await ofSkill(place))
    if (other === null && refusal !== undefined) throw refusal
    return other
  }
  return {
    readBinaryFile: (options) =>
      orOfSkill(
        options.path,
        () => session.readBinaryFile(options),
        (place) => readSkillFile(place, options.abortSignal),
      ),
    stat: (options) =>
      orOfSkill(
        options.path,
        () => session.stat(options),
        ({ skill: { files }, path }) => {
          const file = files.find((one) => one.path === path)
          if (file !== undefined) return { type: 'file', size: file.size }
          return entriesBelow(files, path).length > 0 ? { type: 'directory', size: 0 } : null
        },
      ),
    listDirectory: (options) =>
      orOfSkill(
        options.path,
        () => session.listDirectory(options),
        ({ skill: { files }, path }) => {
          const entries = entriesBelow(files, path)
          return entries.length === 0 ? null : entries
        },
      ),
  }
}

/** Finds the only active skill in whose folder a path is, or that lists a relative path; null for none. */
function findPlace(given: string, skills: readonly ActiveSkill[]): SkillPlace | null {
  const places = skills.flatMap((skill): readonly SkillPlace[] => {
    const { baseDirectory, files } = skill
    if (!isAbsolute(given)) {
      const path = posix.normalize(given)
      return files.some((file) => file.path === path) ? [{ skill, path }] : []
    }
    if (baseDirectory === undefined || !isInside(baseDirectory, resolve(given))) return []
    return [{ skill, path: relative(baseDirectory, resolve(given)).split(sep).join('/') }]
  })
  return places.length === 1 ? (places[0] ?? null) : null
}

/** Reads a file as the session activated it. */
async function readSkillFile(
  { skill, path }: SkillPlace,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  const file = skill.files.find((one) => one.path === path)
  if (file === undefined || skill.readFile === undefined) return null
  const text = await skill.readFile(path, signal)
  if (textHash(text) === file.hash) return Buffer.from(text)
  throw new ToolError('CONFLICT', `"${path}" changed since the skill was read.`, {
    details: { code: 'file-changed', skill: skill.name, path },
  })
}

function entriesBelow(files: ActiveSkill['files'], folder: string) {
  const start = folder === '' ? '' : `${folder}/`
  const entries = new Map<string, 'file' | 'directory'>()
  for (const { path } of files) {
    if (!path.startsWith(start)) continue
    const [name = '', ...rest] = path.slice(start.length).split('/')
    entries.set(name, rest.length > 0 ? 'directory' : 'file')
  }
  return [...entries].map(([name, type]) => ({ name, type }))
}

/** Returns the variables by which a program finds the folder of its skill, and Python the modules in it. */
export function skillVariables(folder: string): Record<string, string> {
  return {
    // Without this, running a Python script changes its folder, which is then no longer trusted.
    PYTHONDONTWRITEBYTECODE: '1',
    LOADOUT_SKILL_DIR: folder,
    CLAUDE_SKILL_DIR: folder,
    PYTHONPATH: folder,
  }
}

const SKILL_VARIABLE = /\$\{?(?:CLAUDE|LOADOUT)_SKILL_DIR\b/u

/**
 * Returns what a command in a shell needs to reach the folders of active skills: leave to read them behind a fence, copies
 * in a sandbox without the files of the host, and the variables of one skill: that whose folder the command names, else
 * the only active one. Where it is one of several, a command with the variable is refused.
 */
export async function commandOfSkills(
  command: string,
  { activeSkills }: Pick<ToolContext, 'activeSkills'>,
  session: SandboxSession,
): Promise<SandboxCommand> {
  const placed = activeSkills().flatMap(({ name, files, baseDirectory: folder }) =>
    folder === undefined ? [] : [{ name, files, folder }],
  )
  const named = placed.filter(({ folder }) => command.includes(`${folder}/`))
  const used = named.length > 0 || placed.length > 1 ? named : placed
  const [skill, another] = used
  const isOne = skill !== undefined && another === undefined
  if (!isOne && placed.length > 0 && SKILL_VARIABLE.test(command)) {
    const folders = placed.map(({ name, folder }) => `${name}: ${folder}`).join(', ')
    throw new ToolError(
      'VALIDATION',
      `Several skills are loaded, so CLAUDE_SKILL_DIR has no value. Write the folder instead: ${folders}.`,
      { details: { code: 'skill-folder-unclear' } },
    )
  }
  if ('startProgram' in session) {
    const folders = placed.map(({ folder }) => folder)
    const real = await Promise.all(folders.map((one) => realpath(one).catch(() => one)))
    const reads = [...new Set([...folders, ...real])]
    return { command, reads, ...(isOne && { env: skillVariables(skill.folder) }) }
  }
  for (const one of used) await copyActiveSkill(one.folder, one.files, one.folder, session)
  return { command, ...(isOne && { env: skillVariables(skill.folder) }) }
}

/** Larger files of a skill are left out. */
const COPIED = { maxBytes: 16 * 1024 * 1024, followLinksOut: false }

/** Copies the files of a skill, as the session activated them, into a folder of a sandbox. */
export async function copyActiveSkill(
  folder: string,
  files: ActiveSkill['files'],
  target: string,
  sandbox: SandboxSession,
): Promise<void> {
  for (const { path, hash } of files) {
    const read = await readInside(folder, join(folder, path), COPIED)
    if (!read.ok || textHash(read.bytes) !== hash) continue
    await sandbox.writeBinaryFile({ path: `${target}/${path}`, content: read.bytes })
  }
}
