import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder, type Tree, writeTree } from '../temporary-folder.ts'
import type { LoadCase, LoadOutcome } from './loads-in-child.ts'

const CHILD = fileURLToPath(new URL('./loads-in-child.ts', import.meta.url))

/** Runs cases in one process: trusts each folder, imports its handler, changes files, and calls it. */
async function runCases(cases: readonly LoadCase[]): Promise<readonly LoadOutcome[]> {
  const home = await temporaryFolder()
  const child = spawn(process.execPath, [CHILD], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ home, cases }))
  const [outcomes] = await Promise.all([json(child.stdout), once(child, 'exit')])
  return outcomes as readonly LoadOutcome[]
}

interface Door {
  readonly door: string
  /** The module that is loaded late. */
  readonly late: string
  readonly good: string
  readonly evil: string
  /** The body of `execute`, which returns what the late module is. */
  readonly loads: string
  readonly more?: Tree
}

const esm = { good: 'export default "good"', evil: 'export default "evil"' }
const cjs = { good: 'module.exports = "good"', evil: 'module.exports = "evil"' }
const data = { good: '"good"', evil: '"evil"' }
const imported = (specifier: string) =>
  `return (await import(${JSON.stringify(specifier)})).default`
const required = (specifier: string) => `return require(${JSON.stringify(specifier)})`
const worker = {
  good: 'require("node:worker_threads").parentPort.postMessage("good")',
  evil: 'require("node:worker_threads").parentPort.postMessage("evil")',
}
const started = (made: string) => `return await new Promise((resolve, reject) => {
  const worker = ${made}
  worker.once('message', resolve)
  worker.once('error', reject)
})`

const DOORS: readonly Door[] = [
  { door: 'import()', late: 'late.js', ...esm, loads: imported('./late.js') },
  { door: 'import() with a query', late: 'late.js', ...esm, loads: imported('./late.js?a=1#b') },
  {
    door: 'import() of a URL',
    late: 'late.js',
    ...esm,
    loads: 'return (await import(new URL("late.js", import.meta.url))).default',
  },
  {
    door: 'import() from a subfolder',
    late: 'lib/deep/late.mjs',
    ...esm,
    loads: imported('./lib/deep/late.mjs'),
  },
  {
    door: 'a static import of a late module',
    late: 'late.js',
    ...esm,
    loads: imported('./lib/again.js'),
    more: { 'lib/again.js': 'export { default } from "../late.js"' },
  },
  {
    door: 'import() of TypeScript',
    late: 'late.ts',
    good: 'const one: string = "good"; export default one',
    evil: 'const one: string = "evil"; export default one',
    loads: imported('./late.ts'),
  },
  { door: 'import() of CommonJS', late: 'late.cjs', ...cjs, loads: imported('./late.cjs') },
  {
    door: 'import() of JSON',
    late: 'late.json',
    ...data,
    loads: 'return (await import("./late.json", { with: { type: "json" } })).default',
  },
  { door: 'import() with an escape', late: 'late.js', ...esm, loads: imported('./l%61t\te.js') },
  {
    door: 'import() of a URL in capitals',
    late: 'late.js',
    ...esm,
    loads:
      'return (await import(import.meta.resolve("./late.js").replace("file:", " FILE:"))).default',
  },
  {
    door: 'import() of an evaluated text',
    late: 'late.js',
    ...esm,
    loads: `const { Script, constants } = require("node:vm")
      const at = JSON.stringify(new URL("late.js", import.meta.url).href)
      const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
      return (await new Script(\`import(\${at})\`, { importModuleDynamically }).runInThisContext()).default`,
  },
  {
    door: 'require() from another place',
    late: 'late.cjs',
    ...cjs,
    loads: 'return createRequire("/")(new URL("late.cjs", import.meta.url).pathname)',
  },
  {
    door: 'require() of a name with signs of URLs',
    late: 'la#te?%2f%.cjs',
    ...cjs,
    loads: required('./la#te?%2f%.cjs'),
  },
  {
    door: 'the loader of Node itself',
    late: 'late.cjs',
    ...cjs,
    loads: `const Module = require("node:module")
      const one = new Module("late")
      one.load(new URL("late.cjs", import.meta.url).pathname)
      return one.exports`,
  },
  { door: 'require()', late: 'late.cjs', ...cjs, loads: required('./late.cjs') },
  {
    door: 'require() without an ending',
    late: 'lib/late.js',
    ...cjs,
    loads: required('./lib/late'),
    more: { 'lib/package.json': '{}' },
  },
  {
    door: 'require() of a folder',
    late: 'lib/index.js',
    ...cjs,
    loads: required('./lib'),
    more: { 'lib/package.json': '{}' },
  },
  { door: 'require() of JSON', late: 'late.json', ...data, loads: required('./late.json') },
  {
    door: 'require() of a module of ECMAScript',
    late: 'late.mjs',
    ...esm,
    loads: `${required('./late.mjs')}.default`,
  },
  {
    door: 'require() in a late module',
    late: 'late.cjs',
    ...cjs,
    loads: required('./lib/again.cjs'),
    more: { 'lib/again.cjs': 'module.exports = require("../late.cjs")' },
  },
  {
    door: 'an installed package',
    late: 'node_modules/pkg/late.js',
    ...esm,
    loads: imported('pkg'),
    more: { 'node_modules/pkg/package.json': '{ "exports": "./late.js", "type": "module" }' },
  },
  {
    door: 'a worker',
    late: 'late.cjs',
    ...worker,
    loads: started('new Worker(new URL("late.cjs", import.meta.url))'),
  },
  {
    door: 'a module that a worker loads',
    late: 'late.cjs',
    ...cjs,
    loads: started('new Worker(new URL("worker.mjs", import.meta.url))'),
    more: {
      'worker.mjs':
        'import { parentPort } from "node:worker_threads"; parentPort.postMessage((await import("./late.cjs")).default)',
    },
  },
  {
    door: 'a module that a worker of text loads',
    late: 'late.cjs',
    ...cjs,
    loads: started(
      'new Worker(`require("node:worker_threads").parentPort.postMessage(require(${JSON.stringify(new URL("late.cjs", import.meta.url).pathname)}))`, { eval: true })',
    ),
  },
  {
    door: 'a worker of a worker',
    late: 'late.cjs',
    ...worker,
    loads: started('new Worker(new URL("worker.mjs", import.meta.url))'),
    more: {
      'worker.mjs':
        'import { parentPort, Worker } from "node:worker_threads"; new Worker(new URL("late.cjs", import.meta.url)).once("message", (one) => parentPort.postMessage(one))',
    },
  },
  {
    door: 'a worker with options of its own',
    late: 'late.cjs',
    ...worker,
    loads: started(
      'new Worker(new URL("late.cjs", import.meta.url), { execArgv: ["--no-warnings"] })',
    ),
  },
]

const handler = (loads: string) =>
  `import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
const require = createRequire(import.meta.url)
export const execute = async () => { ${loads} }
`

const PACKAGE = '{ "type": "module" }'

async function doorFolder({ late, good, loads, more = {} }: Door): Promise<string> {
  return temporaryFolder({
    'package.json': PACKAGE,
    'handler.js': handler(loads),
    [late]: good,
    ...more,
  })
}

describe('loads from a trusted folder', () => {
  test('files that did not change are loaded through every door', async () => {
    const folders = await Promise.all(DOORS.map(doorFolder))
    const outcomes = await runCases(folders.map((folder) => ({ folder })))
    expect(DOORS.map(({ door }, at) => [door, outcomes[at]])).toEqual(
      DOORS.map(({ door }) => [door, { returned: 'good' }]),
    )
  })

  test('a file that changed since its folder was trusted is loaded through none', async () => {
    const folders = await Promise.all(DOORS.map(doorFolder))
    const outcomes = await runCases(
      DOORS.map(({ late, evil }, at) => ({ folder: folders[at] ?? '', write: { [late]: evil } })),
    )
    expect(DOORS.map(({ door }, at) => [door, outcomes[at]])).toEqual(
      DOORS.map(({ door, late }, at) => [
        door,
        {
          code: 'TRUST_CHANGED',
          message: `"${join(folders[at] ?? '', late)}" is not loaded: it has changed since its folder was trusted. Read it, then trust the folder again: loadout trust "${folders[at]}"`,
        },
      ]),
    )
  })

  test('a file that became a link to one elsewhere is loaded through none', async () => {
    const elsewhere = await temporaryFolder(
      Object.fromEntries([
        ...DOORS.map(({ late, evil }, at) => [`${at}/${late}`, evil]),
        ...DOORS.map(({ late, more = {} }, at) => [
          `${at}/${join(late, '..', 'package.json')}`,
          more[join(late, '..', 'package.json')] ?? PACKAGE,
        ]),
      ]),
    )
    const folders = await Promise.all(DOORS.map(doorFolder))
    const outcomes = await runCases(
      DOORS.map(({ late }, at) => ({
        folder: folders[at] ?? '',
        link: { [late]: join(elsewhere, String(at), late) },
      })),
    )
    expect(
      DOORS.map(({ door }, at) => [door, (outcomes[at] as { readonly code?: unknown }).code]),
    ).toEqual(DOORS.map(({ door }) => [door, 'TRUST_CHANGED']))
  })

  test('a native addon that changed is not given to the loader of the system', async () => {
    const loads = [
      'return require("./late.node")',
      'process.dlopen({ exports: {} }, new URL("./late.node", import.meta.url).pathname)',
    ]
    const trees = loads.map((one) => ({
      'package.json': PACKAGE,
      'handler.js': handler(one),
      'late.node': 'no addon',
    }))
    const elsewhere = join(await temporaryFolder({ 'late.node': 'another' }), 'late.node')
    const folders = await Promise.all([...trees, ...trees, ...trees].map(temporaryFolder))
    const outcomes = await runCases(
      folders.map((folder, at) => ({
        folder,
        ...(at > 1 && at < 4 && { write: { 'late.node': 'another' } }),
        ...(at > 3 && { link: { 'late.node': elsewhere } }),
      })),
    )
    expect(outcomes.map((one) => ('code' in one ? one.code : one))).toEqual([
      'ERR_DLOPEN_FAILED',
      'ERR_DLOPEN_FAILED',
      ...trees.flatMap(() => ['TRUST_CHANGED', 'TRUST_CHANGED']),
    ])
  })

  const LATE = { 'package.json': PACKAGE, 'handler.js': handler(imported('./lib/late.js')) }

  test.each<{
    name: string
    tree: Tree
    loads?: string
    change: Omit<LoadCase, 'folder'>
    file: string
  }>([
    {
      name: 'a file that was added',
      tree: {},
      change: { write: { 'lib/late.js': esm.evil } },
      file: 'lib/late.js',
    },
    {
      name: 'a file that became a link to one elsewhere',
      tree: { 'lib/late.js': esm.good },
      change: { link: { 'lib/late.js': 'ELSEWHERE/late.js' } },
      file: 'lib/late.js',
    },
    {
      name: 'a folder that became a link to one elsewhere',
      tree: { 'lib/late.js': esm.good },
      change: { link: { lib: 'ELSEWHERE' } },
      file: 'lib/late.js',
    },
    {
      name: 'a package that became a link to one elsewhere',
      tree: { 'node_modules/pkg/index.js': esm.good, 'node_modules/pkg/package.json': PACKAGE },
      loads: imported('pkg'),
      change: { link: { 'node_modules/pkg': 'ELSEWHERE' } },
      file: 'node_modules/pkg',
    },
    {
      name: 'a package that was added as a link',
      tree: {},
      loads: imported('@a/pkg/late.js'),
      change: { write: { 'node_modules/@a/x': '' }, link: { 'node_modules/@a/pkg': 'ELSEWHERE' } },
      file: 'node_modules/@a/pkg',
    },
    {
      name: 'a module that an added package.json makes another kind',
      tree: { 'lib/late.js': esm.good },
      change: { write: { 'lib/package.json': PACKAGE } },
      file: 'lib/package.json',
    },
    {
      name: 'a module whose package.json changed',
      tree: { 'lib/late.js': esm.good },
      change: { write: { 'package.json': '{ "type": "module", "a": 1 }' } },
      file: 'package.json',
    },
    {
      name: 'a module without its package.json',
      tree: { 'lib/late.js': esm.good, 'lib/package.json': PACKAGE },
      change: { write: { 'lib/package.json': null } },
      file: 'lib/package.json',
    },
  ])('$name is not loaded', async ({ tree, loads = imported('./lib/late.js'), change, file }) => {
    const elsewhere = await temporaryFolder({
      'late.js': esm.evil,
      'index.js': esm.evil,
      'package.json': PACKAGE,
    })
    const folder = await temporaryFolder({ ...LATE, 'handler.js': handler(loads), ...tree })
    const links = Object.entries(change.link ?? {})
    const link = Object.fromEntries(
      links.map(([path, to]) => [path, to.replace('ELSEWHERE', elsewhere)]),
    )
    const [outcome] = await runCases([{ folder, ...change, link }])
    expect(outcome).toMatchObject({
      code: expect.stringMatching(/^TRUST_CHANGED$/),
      message: expect.stringContaining(`"${join(folder, file)}" `),
    })
  })

  test('a file behind a link is compared where the link leads', async () => {
    const elsewhere = await temporaryFolder({ 'late.js': esm.good, 'package.json': PACKAGE })
    const make = async () => {
      const folder = await temporaryFolder(LATE)
      await symlink(elsewhere, join(folder, 'lib'))
      return folder
    }
    const one = await make()
    const other = await temporaryFolder({ ...LATE, 'lib/x': '' })
    await symlink(join(elsewhere, 'late.js'), join(other, 'lib/late.js'))
    const cases = [{ folder: one }, { folder: other }]
    expect(await runCases(cases)).toEqual([{ returned: 'good' }, { returned: 'good' }])
    const evil = { write: { 'lib/late.js': esm.evil } }
    for (const folder of [one, other]) {
      await writeTree(elsewhere, { 'late.js': esm.good })
      const [outcome] = await runCases([{ folder, ...evil }])
      expect(outcome).toMatchObject({ code: 'TRUST_CHANGED' })
    }
  })

  test('bytes that no UTF-8 decoder keeps are compared as they are', async () => {
    const late = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('module.exports = "good"//'),
      Buffer.from([0xff]),
    ])
    const loads = [imported('./lib/late.cjs'), required('./lib/late.cjs')]
    const trees = loads.map((one) => ({
      ...LATE,
      'handler.js': handler(one),
      'lib/late.cjs': late,
    }))
    const cases = (await Promise.all(trees.map(temporaryFolder))).map((folder) => ({ folder }))
    expect(await runCases(cases)).toEqual([{ returned: 'good' }, { returned: 'good' }])
  })

  test('the bytes that are loaded are those that were compared, also while the file changes back and forth', async () => {
    const make = () => temporaryFolder({ ...LATE, 'lib/late.js': esm.good })
    const [one, other] = [await make(), await make()]
    expect(
      await runCases([
        { folder: one, loader: 'swaps' },
        { folder: other, loader: 'rewrites' },
      ]),
    ).toEqual([{ returned: 'good' }, { returned: 'rewritten' }])
  })

  test('nothing is loaded from a folder whose trust was withdrawn', async () => {
    const folder = await temporaryFolder({ ...LATE, 'lib/late.js': esm.good })
    const [outcome] = await runCases([{ folder, untrust: true }])
    expect(outcome).toMatchObject({
      code: 'TRUST_CHANGED',
      message: expect.stringContaining('its folder is no longer trusted'),
    })
  })

  test('modules outside of the folder are not compared', async () => {
    const elsewhere = await temporaryFolder({ 'late.js': esm.good, 'package.json': PACKAGE })
    const loads = imported(join(elsewhere, 'late.js'))
    const folder = await temporaryFolder({ ...LATE, 'handler.js': handler(loads) })
    const write = { [relative(folder, join(elsewhere, 'late.js'))]: esm.evil }
    expect(await runCases([{ folder, write }])).toEqual([{ returned: 'evil' }])
  })
})
