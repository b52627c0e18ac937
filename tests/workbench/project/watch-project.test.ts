import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProject, type Project } from '../../../src/workbench/project/folders/open-project.ts'
import {
  debounce,
  isWatched,
  type ProjectUpdate,
  type WatchOptions,
  watchProject,
  watchRoots,
} from '../../../src/workbench/project/watch-project.ts'
import { openTrustStore } from '../../../src/workbench/project/trust/trust-store.ts'
import { skillText, temporaryFolder, toolTree, writeTree } from './temporary-folder.ts'

describe('watch project', () => {
  /** A watch, and a way to wait for the reading that fits: nothing here waits for a time. */
  async function watching(paths: readonly string[], options: WatchOptions) {
    const watch = await watchProject(paths, { home: null, trusted: true, ...options })
    onTestFinished(() => watch.close())
    const until = (fits: (reading: ProjectUpdate) => boolean) =>
      new Promise<ProjectUpdate>((resolve) => {
        const end = watch.onChange((reading) => {
          if (!fits(reading)) return
          end()
          resolve(reading)
        })
      })
    const project = async (fits: (project: Project) => boolean) => {
      const reading = await until((one) => one.ok && fits(one.project))
      if (!reading.ok) throw new Error(reading.problem.message)
      return reading.project
    }
    return { watch, until, project }
  }

  const names = ({ catalog }: Project) => [...catalog.skills.keys()].join(' ')

  const instructions = ({ skills }: Project['catalog']) => skills.get('a')?.instructions

  /** As editors save: another file, moved over the first. */
  async function saveAtomically(path: string, text: string): Promise<void> {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }

  test('a tool in one file comes with its file, and changes with it', async () => {
    const tool = (description: string) => `import { defineTool } from 'loadout'
      export default defineTool({ name: 'pay', description: '${description}', inputSchema: {} })`
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    const { project } = await watching([root], {})
    const descriptionOf = ({ catalog }: Project) =>
      catalog.skillTools.get('a')?.map(({ tool: { description } }) => description)
    for (const text of ['Pays.', 'Pays back.']) {
      const read = project((one) => descriptionOf(one)?.[0] === text)
      await writeTree(root, { 'a/tools/pay.js': tool(text) })
      expect(descriptionOf(await read)).toEqual([text])
    }
  })

  test('handlers of a trusted folder go when it changes, and come when trust is given again', async () => {
    const root = await temporaryFolder({ ...toolTree('tools/pay'), 'lib/late.js': '1' })
    const trustStore = openTrustStore({ file: join(await temporaryFolder(), 'a/trust.json') })
    const options = { home: null, project: root, trustStore }
    const watch = await watchProject([root], options)
    onTestFinished(() => watch.close())
    const isBoundIn = ({ catalog }: Project) => catalog.globalTools[0]?.execute !== undefined
    const until = (isBound: boolean) =>
      new Promise<Project>((resolve) => {
        const end = watch.onChange((one) => {
          if (!one.ok || isBoundIn(one.project) !== isBound) return
          end()
          resolve(one.project)
        })
      })
    for (const text of ['2', '3']) {
      const bound = until(true)
      await trustStore.trust(root)
      await bound
      const unbound = until(false)
      await writeTree(root, { 'lib/late.js': text })
      await unbound
    }
    const bound = until(true)
    await trustStore.trust(root)
    expect((await bound).diagnostics.map(({ code }) => code)).not.toContain('trust-changed')
    const unbound = until(false)
    await trustStore.untrust(root)
    expect((await unbound).diagnostics.map(({ code }) => code)).toContain('handler-untrusted')
  })

  test('what changed between opening and watching is read without another change', async () => {
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    const known = await openProject([root], { home: null })
    await writeTree(root, { 'b/SKILL.md': skillText('b') })
    const { project } = await watching([root], { known })
    expect(names(await project(() => true))).toBe('a b')
  })

  test('a skill is edited again and again, in place and by atomic saves', async () => {
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    const { project } = await watching([root], {})
    const file = join(root, 'a/SKILL.md')
    await project(() => true)
    for (const [index, save] of [writeFile, saveAtomically, saveAtomically, writeFile].entries()) {
      const text = `Edit ${index}.`
      const changed = project(({ catalog }) => instructions(catalog)?.includes(text) ?? false)
      await save(file, `${skillText('a')}${text}\n`)
      expect(instructions((await changed).catalog)).toContain(text)
    }
  })

  test('skills come, are renamed and go', async () => {
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    const { project } = await watching([root], {})
    const added = project((one) => names(one) === 'a b')
    await writeTree(root, { 'b/SKILL.md': skillText('b'), ...toolTree('b/tools/look') })
    expect((await added).catalog.skillTools.get('b')).toMatchObject([{ tool: { name: 'look' } }])
    const renamed = project((one) => one.catalog.skills.get('b')?.path === join(root, 'c/SKILL.md'))
    await rename(join(root, 'b'), join(root, 'c'))
    await renamed
    const edited = project((one) => one.catalog.skills.get('b')?.license === 'MIT')
    await writeTree(root, { 'c/SKILL.md': skillText('b', 'license: MIT\n') })
    await edited
    const gone = project((one) => names(one) === 'a')
    await rm(join(root, 'c'), { recursive: true })
    expect(names(await gone)).toBe('a')
  })

  test('without paths, a usual place that appears later is read, and watched from then on', async () => {
    const folder = await temporaryFolder({ 'src/main.ts': '' })
    const { project } = await watching([], { project: folder })
    const appeared = project((one) => names(one) === 'a')
    await writeTree(folder, { '.claude/skills/a/SKILL.md': skillText('a') })
    await appeared
    const another = project((one) => names(one) === 'a b')
    await writeTree(folder, { '.claude/skills/b/SKILL.md': skillText('b') })
    expect(names(await another)).toBe('a b')
  })

  test('a configuration that appears is read, and the folders it names are watched', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillText('a') })
    const outside = await temporaryFolder({ 'b/SKILL.md': skillText('b') })
    const { project, until } = await watching([], { project: folder })
    const configured = project((one) => names(one) === 'a b')
    await writeTree(folder, { 'loadout.config.json': JSON.stringify({ skills: [outside] }) })
    await configured
    // The watch has moved, and what was written while it did is read.
    await until(() => true)
    const added = project((one) => names(one) === 'a b c')
    await writeTree(outside, { 'c/SKILL.md': skillText('c') })
    expect(names(await added)).toBe('a b c')
  })

  test('a folder that disappears is reported as a problem, and read again when it is back', async () => {
    const above = await temporaryFolder({ 'skills/a/SKILL.md': skillText('a') })
    const root = join(above, 'skills')
    const { until, project } = await watching([root], {})
    const problem = until(({ ok }) => !ok)
    await rename(root, join(above, 'away'))
    expect(await problem).toMatchObject({
      problem: { code: 'project-unreadable', message: expect.stringContaining('nothing to read') },
    })
    const back = project((one) => names(one) === 'b')
    await mkdir(root)
    await writeTree(root, { 'b/SKILL.md': skillText('b') })
    await back
  })

  test('a file that breaks is a finding of the reading, and the others are read', async () => {
    const root = await temporaryFolder({
      'a/SKILL.md': skillText('a'),
      'b/SKILL.md': skillText('b'),
    })
    const { project } = await watching([join(root, 'a/SKILL.md'), root], {})
    const broken = project((one) => names(one) === 'b')
    await writeTree(root, { 'a/SKILL.md': '---\nname: [\n---\n' })
    expect((await broken).diagnostics).toContainEqual(
      expect.objectContaining({ severity: 'error', file: join(root, 'a/SKILL.md') }),
    )
  })

  test('the code of a changed handler is imported again', async () => {
    const root = await temporaryFolder({
      'a/SKILL.md': skillText('a'),
      ...toolTree('a/tools/look'),
    })
    const { project } = await watching([root], {})
    const run = (one: Project) => one.catalog.skillTools.get('a')?.[0]?.tool.execute
    const first = run(await project(() => true))
    const changed = project((one) => run(one) !== first)
    await writeTree(root, toolTree('a/tools/look', 'export const execute = () => "again"\n'))
    expect(await run(await changed)?.({} as never, {} as never)).toBe('again')
  })

  test('nothing is reported after the watch was closed', async () => {
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    const { watch, project } = await watching([root], {})
    await project(() => true)
    let told = 0
    watch.onChange(() => void (told += 1))
    const closing = watch.close()
    await writeTree(root, { 'b/SKILL.md': skillText('b') })
    await closing
    const other = await watching([root], {})
    const seen = other.project((one) => names(one) === 'a b c')
    await writeTree(root, { 'c/SKILL.md': skillText('c') })
    await seen
    expect(told).toBe(0)
  })
})

describe('watched places', () => {
  const places = {
    folders: ['/p/.agents/skills', '/p/skills', '/p/node_modules/shop/skills', '/h/.agents/skills'],
    configFolders: ['/p', '/p/skills'],
    maxDepth: 2,
  }

  test.each([
    ['/', true],
    ['/p', true],
    ['/p/.agents', true],
    ['/p/.agents/skills', true],
    ['/p/.agents/cache', false],
    ['/p/skills', true],
    ['/p/skills/a/SKILL.md', true],
    ['/p/skills/a/tools/b', true],
    ['/p/skills/a/b/c/d', false],
    ['/p/skills-old', false],
    ['/p/skills/.git/HEAD', false],
    ['/p/skills/a/node_modules', false],
    ['/p/node_modules', true],
    ['/p/node_modules/other', false],
    ['/p/node_modules/shop/skills/x', true],
    ['/p/loadout.config.ts', true],
    ['/p/carnet.config.json', true],
    ['/p/carnet.manifest.json', true],
    ['/p/carnet.config.yaml', false],
    ['/p/package.json', false],
    ['/p/src', false],
    ['/h/.agents/skills/a', true],
    ['/h/notes.md', false],
  ])('%s is watched: %s', (path, expected) => {
    expect(isWatched(path, places)).toBe(expected)
  })

  test('the outermost folders above the places are watched, so that a place may appear', () => {
    expect(watchRoots(places)).toEqual(['/p', '/h/.agents'])
    expect(
      watchRoots({ folders: ['/a/skills'], configFolders: ['/a/skills'], maxDepth: 1 }),
    ).toEqual(['/a'])
  })
})

describe('when quiet', () => {
  beforeEach(() => void vi.useFakeTimers())

  afterEach(() => void vi.useRealTimers())

  /** A task that ends on demand and counts its runs. */
  function aTask() {
    const ends: (() => void)[] = []
    const task = () => new Promise<void>((end) => void ends.push(end))
    return { task, ends }
  }

  test('a task runs once when it has been quiet, however often it was poked', async () => {
    const { task, ends } = aTask()
    const quiet = debounce(task, 100, 2_000)
    for (let poke = 0; poke < 5; poke += 1) {
      quiet.poke()
      await vi.advanceTimersByTimeAsync(99)
    }
    expect(ends).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(ends).toHaveLength(1)
  })

  test('it does not wait for ever while things go on', async () => {
    const { task, ends } = aTask()
    const quiet = debounce(task, 100, 250)
    for (let poke = 0; poke < 6; poke += 1) {
      quiet.poke()
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(ends).toHaveLength(1)
  })

  test('what happens while it runs makes it run once more, after it', async () => {
    const { task, ends } = aTask()
    const quiet = debounce(task, 100, 2_000)
    quiet.poke()
    await vi.advanceTimersByTimeAsync(100)
    quiet.poke()
    quiet.poke()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(100)
    expect(ends).toHaveLength(2)
  })

  test('closing waits for the task that runs and begins no other', async () => {
    const { task, ends } = aTask()
    const quiet = debounce(task, 100, 2_000)
    quiet.poke()
    await vi.advanceTimersByTimeAsync(100)
    quiet.poke()
    let closed = false
    const closing = quiet.close().then(() => {
      closed = true
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(closed).toBe(false)
    ends[0]?.()
    await closing
    await vi.advanceTimersByTimeAsync(5_000)
    expect(ends).toHaveLength(1)
  })
})
