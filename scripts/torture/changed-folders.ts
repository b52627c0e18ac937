import { mkdir, mkdtemp, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAsSurveyed, surveyFolder } from '../../src/workbench/project/trust/survey-folder.ts'
import { openTrustStore, type TrustStore } from '../../src/workbench/project/trust/trust-store.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'

/** Changes one thing in a trusted folder, in every place that code may come from. */
export const changedFolders: TorturePart = {
  name: 'trust',
  claim: 'Any change below a trusted folder ends the trust in it, and undoing it brings it back.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const kinds = Object.keys(CHANGES).flatMap((change) =>
      PLACES.map((place) => ({ change, place, order: dice(1_000_000) })),
    )
    const tried = kinds
      .toSorted((a, b) => a.order - b.order)
      .slice(0, Math.ceil(kinds.length * scale))
    const failures: string[] = []
    let made = 0
    for (const { change, place } of tried) {
      if (performance.now() >= until) break
      made += 1
      const seen = await tryChange(change, place, dice)
      if (seen !== 'trusted, changed, trusted') failures.push(`${change} of ${place}: ${seen}`)
    }
    return {
      figures: {
        'kinds of change': kinds.length,
        'changes made and undone': made,
        'not noticed, or noticed where there was none': failures.length,
      },
      failures,
      ...(made < tried.length && { done: made / tried.length }),
    }
  },
}

/** Files of all kinds that code can import, source or read. */
const PLACES: readonly string[] = [
  'SKILL.md',
  'loadout.config.ts',
  'lib.inc',
  'tools/t/handler.js',
  'tools/t/helper',
  'tools/t/odd.foo',
  'tools/t/.hidden',
  'tools/t/backup~',
  'tools/t/.helper.js.swp',
  'tools/t/.DS_Store',
  'tools/t/.git/x.js',
  'tools/t/node_modules/dep/index.js',
  'node_modules/dep/index.js',
  'node_modules/.bin/tool',
  'scripts/inc.sh',
  'a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/deep',
  'names/with space and \n line',
  'names/ünïcode 漢 \u202E',
  'names/back\\slash:colon',
  'names/__proto__',
]

/** Makes a change and returns the way to undo it. */
type Change = (path: string, folder: string, dice: Dice) => Promise<() => Promise<unknown>>

const TEXT = 'export default 1\n'

const restored = (path: string) => async () => {
  await rm(path, { recursive: true, force: true })
  await writeFile(path, TEXT)
}

const CHANGES: Readonly<Record<string, Change>> = {
  'another byte': async (path, _, dice) => {
    const at = dice(TEXT.length)
    const changed = String.fromCharCode(TEXT.charCodeAt(at) ^ 1)
    await writeFile(path, TEXT.slice(0, at) + changed + TEXT.slice(at + 1))
    return restored(path)
  },
  'a longer text': async (path) => {
    await writeFile(path, `${TEXT}//`)
    return restored(path)
  },
  'an empty file': async (path) => {
    await writeFile(path, '')
    return restored(path)
  },
  'a file that is too large': async (path) => {
    await truncate(path, 65 * 1024 * 1024)
    return restored(path)
  },
  'no file': async (path) => {
    await rm(path)
    return restored(path)
  },
  'another name': async (path) => {
    await rename(path, `${path}.js`)
    return () => rename(`${path}.js`, path)
  },
  'a new file next to it': async (path) => {
    await writeFile(`${path}.new`, '')
    return () => rm(`${path}.new`)
  },
  'a new file in a new folder': async (path) => {
    const folder = `${path}.d`
    await mkdir(folder)
    await writeFile(join(folder, 'index.js'), '')
    return () => rm(folder, { recursive: true })
  },
  'a folder in its place': async (path) => {
    await rm(path)
    await mkdir(path)
    return restored(path)
  },
  'a link to the same text': async (path, folder) => {
    await rm(path)
    await symlink(join(folder, 'same'), path)
    return restored(path)
  },
  'a link to nothing': async (path) => {
    await rm(path)
    await symlink('nowhere', path)
    return restored(path)
  },
  'a new link to a folder': async (path, folder) => {
    await symlink(join(folder, 'v1'), `${path}.link`)
    return () => rm(`${path}.link`)
  },
}

/** Returns the status of a new trusted folder before the change, after it, and after undoing it. */
async function tryChange(change: string, place: string, dice: Dice): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'loadout-trust-'))
  try {
    const folder = join(root, 'project')
    for (const file of [...PLACES, 'same', 'v1/index.js']) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), TEXT)
    }
    const store = openTrustStore({ file: join(root, 'trust.json') })
    await store.trust(folder)
    const before = await statusOf(store, folder)
    const survey = { ...(await surveyFolder(folder, store.file)), isSettled: true }
    await timeOfFilesPasses(root)
    if (!isAsSurveyed(survey)) return 'seen before the change'
    const undo = await CHANGES[change]?.(join(folder, place), folder, dice)
    if (isAsSurveyed(survey)) return 'not seen by a look at its files'
    const changed = await statusOf(store, folder)
    await undo?.()
    return `${before}, ${changed}, ${await statusOf(store, folder)}`
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Resolves when a file that is written gets another time than one that was written before. */
async function timeOfFilesPasses(folder: string): Promise<void> {
  const path = join(folder, 'time')
  const write = async () => {
    await writeFile(path, '')
    return (await stat(path)).ctimeMs
  }
  const first = await write()
  while ((await write()) === first);
}

async function statusOf(store: TrustStore, folder: string): Promise<string> {
  return (await store.check(folder)).status
}
