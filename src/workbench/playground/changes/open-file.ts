import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Skill } from '../../../entries/index.ts'
import { type FilePlace, sanitiseLine } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note } from '../context/ui-state.ts'

/** Opens the file of a skill, or of one of its tools, in `$EDITOR`. */
export async function openFile(
  context: PlaygroundContext,
  skill: Pick<Skill, 'path'> | undefined,
  tool?: string,
): Promise<void> {
  const path = skill?.path
  const own = path === undefined || tool === undefined ? [] : toolFiles(dirname(path), tool)
  const shared = tool === undefined ? null : context.toolFile(tool)
  const files = [...own, shared, path].filter((one) => typeof one === 'string')
  const file = files.find((one) => existsSync(one)) ?? null
  if (file === null) return context.ui.setState({ banner: note('note', NO_FILE) })
  await openPlace(context, { file })
}

/** Opens a file in `$EDITOR`, at a line if one is known. */
export async function openPlace(
  { ui, open }: PlaygroundContext,
  { file, line }: FilePlace,
): Promise<void> {
  if (await open(file, line)) return
  const text = `${sanitiseLine(file)} was not opened: set $EDITOR to the command of an editor.`
  ui.setState({ banner: note('refused', text) })
}

/** Says that a row or text names no place. */
export function sayNoPlace({ ui }: PlaygroundContext): void {
  ui.setState({ banner: note('note', 'No rule and no file is named here.') })
}

const NO_FILE =
  'It has no file on this machine: it is defined in code, by a server, or known from the log.'

/** Returns the files that a tool may have in the folder of its skill: its handler, then its schema. */
function toolFiles(folder: string, tool: string): readonly string[] {
  const names = [tool, tool.replaceAll('_', '-')]
  return names.flatMap((name) => TOOL_FILES.map((file) => join(folder, 'tools', name + file)))
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
