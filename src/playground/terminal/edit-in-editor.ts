import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface EditRequest {
  readonly text: string
  /** The end of the file's name, such as `.json`, by which editors choose how to colour. */
  readonly suffix: string
  readonly env: Readonly<Record<string, string | undefined>>
  suspend(program: () => Promise<void>): Promise<void>
}

/**
 * Edit a text with `$VISUAL` or `$EDITOR`, as git does: a command line of the shell, to which the
 * file is added. Null without an editor, and when it fails or is left with an error.
 */
export async function editInEditor(request: EditRequest): Promise<string | null> {
  const { text, suffix, env, suspend } = request
  const editor = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one !== '')
  if (editor === undefined) return null
  const folder = await mkdtemp(join(tmpdir(), 'loadout-'))
  const file = join(folder, `edit${suffix}`)
  try {
    await writeFile(file, text, { mode: 0o600 })
    let code: unknown = null
    await suspend(async () => {
      code = await run(editor, file)
    })
    return code === 0 ? await readFile(file, 'utf8') : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exit code; null where it could not be started or was ended by a signal. */
async function run(editor: string, file: string): Promise<unknown> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' })
  try {
    const [code] = await once(child, 'close')
    return code
  } catch {
    return null
  }
}
