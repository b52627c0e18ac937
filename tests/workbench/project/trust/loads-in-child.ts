import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { registerHooks } from 'node:module'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { importModule } from '../../../../src/workbench/project/trust/import-module.ts'
import { isTrusted } from '../../../../src/workbench/project/trust/is-trusted.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'

/** A trusted folder whose `handler.js` is imported, and which changes before `execute` is called. */
export interface LoadCase {
  readonly folder: string
  /** Files to write, by path from the folder; null removes one. */
  readonly write?: Readonly<Record<string, string | null>>
  /** Links to make, by path from the folder, with their targets. */
  readonly link?: Readonly<Record<string, string>>
  readonly untrust?: boolean
  /** A loader of the host: it reads other bytes once, while the file has them, or rewrites all that it reads. */
  readonly loader?: 'swaps' | 'rewrites'
}

export type LoadOutcome =
  { readonly returned: unknown } | { readonly code: unknown; readonly message: string }

// A process of its own, in which Node loads modules and not the test runner.
const { home, cases } = (await json(process.stdin)) as {
  readonly home: string
  readonly cases: readonly LoadCase[]
}
const trustStore = openTrustStore({ file: join(home, 'trust.json') })
let loader: LoadCase['loader']
registerHooks({
  load(url, context, next) {
    if (loader === undefined || !url.includes('/late')) return next(url, context)
    const path = fileURLToPath(url)
    const good = readFileSync(path, 'utf8')
    if (loader === 'rewrites') {
      return { ...next(url, context), source: good.replace('good', 'rewritten') }
    }
    loader = undefined
    writeFileSync(path, good.replace('good', 'evil'))
    const read = next(url, context)
    writeFileSync(path, good)
    return read
  },
})
const outcomes: LoadOutcome[] = []
for (const one of cases) outcomes.push(await run(one))
process.stdout.write(JSON.stringify(outcomes))

async function run({
  folder,
  write = {},
  link = {},
  untrust,
  ...one
}: LoadCase): Promise<LoadOutcome> {
  await trustStore.trust(folder)
  if (!(await isTrusted(folder, { trustStore }))) throw new Error('It is not trusted.')
  const imported = await importModule(folder, join(folder, 'handler.js'))
  if (!imported.ok) throw new Error(imported.message)
  const execute = imported.exports['execute'] as () => Promise<unknown>
  for (const path of [...Object.keys(link), ...Object.keys(write)]) {
    await rm(join(folder, path), { force: true, recursive: true })
  }
  for (const [path, text] of Object.entries(write)) {
    if (text === null) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [path, target] of Object.entries(link)) await symlink(target, join(folder, path))
  if (untrust === true) {
    await trustStore.untrust(folder)
    await isTrusted(folder, { trustStore })
  }
  loader = one.loader
  try {
    return { returned: await execute() }
  } catch (error) {
    const { code, message } = error as { readonly code: unknown; readonly message: string }
    return { code, message }
  }
}
