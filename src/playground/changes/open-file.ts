import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note } from '../context/ui-state.ts'

/** Opens the file of a skill, or of one of its tools, in `$EDITOR`. */
export async function openFile(
  { ui, open }: PlaygroundContext,
  skill: Pick<Skill, 'path'> | undefined,
  tool?: string,
): Promise<void> {
  const file = fileOf(skill?.path, tool)
  if (file === null) return ui.setState({ banner: note('note', NO_FILE) })
  if (await open(file)) return
  const text = `${sanitiseLine(file)} was not opened: set $EDITOR to the command of an editor.`
  ui.setState({ banner: note('refused', text) })
}

const NO_FILE =
  'It has no file on this machine: it is defined in code, by a server, or known from the log.'

/** Returns the handler of a tool, else its schema, else the file of its skill; null when none is on this machine. */
function fileOf(path: string | undefined, tool: string | undefined): string | null {
  if (path === undefined) return null
  const names = tool === undefined ? [] : [tool, tool.replaceAll('_', '-')]
  const files = names.flatMap((name) =>
    TOOL_FILES.map((file) => join(dirname(path), 'tools', name + file)),
  )
  return [...files, path].find((file) => existsSync(file)) ?? null
}

/** The files of a tool after its name, the one that is edited most first. */
const TOOL_FILES: readonly string[] = [
  '/handler.ts',
  '/handler.js',
  '/handler.mjs',
  '.ts',
  '.js',
  '.mjs',
  '/schema.json',
  '/TOOL.md',
]
