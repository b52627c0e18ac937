import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Files by path, with `/`. */
export type Tree = Readonly<Record<string, string | Uint8Array>>

/** A folder of its own for one test, with these files; it is gone when the test is over. */
export async function temporaryFolder(tree: Tree = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'loadout-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeTree(folder, tree)
  return folder
}

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(folder, path)
    await mkdir(dirname(full), { recursive: true })
    await writeFile(full, content)
  }
}

/** The text of a sound SKILL.md. */
export function skillText(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\n# ${name}\n`
}

/** The files of a tool folder with a handler. */
export function toolTree(folder: string, handler: string | null = ECHO): Tree {
  const name = folder.split('/').at(-1)
  const schema = {
    toolId: name,
    description: `Runs ${name}.`,
    parameters: { type: 'object', properties: { text: { type: 'string' } } },
  }
  return {
    [`${folder}/schema.json`]: JSON.stringify(schema),
    [`${folder}/doc_summary.md`]: `Runs ${name}.\nSafe.\n`,
    ...(handler !== null && { [`${folder}/handler.js`]: handler }),
  }
}

const ECHO = 'export const execute = ({ text }) => ({ echoed: text })\n'
