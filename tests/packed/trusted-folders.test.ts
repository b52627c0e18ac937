import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { skillText, toolTree, type Tree } from '../workbench/project/temporary-folder.ts'
import { homeAt, installed } from './installed.ts'

/** A tool that may change a file, and then loads it. */
const LATE = `
  import { writeFileSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  export const execute = async ({ text, inWorker }) => {
    const late = new URL('late.mjs', import.meta.url)
    if (text !== undefined) writeFileSync(late, text)
    if (inWorker !== true) return (await import(late)).default
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('worker.mjs', import.meta.url))
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  }
`

const SCHEMA = {
  toolId: 'late',
  description: 'Loads a file.',
  parameters: {
    type: 'object',
    properties: { text: { type: 'string' }, inWorker: { type: 'boolean' } },
  },
}

const GOOD = 'export default "good"\n'
const EVIL = 'export default "evil"\n'

const SKILL: Tree = {
  'skills/at-work/SKILL.md': skillText('at-work'),
  ...toolTree('skills/at-work/tools/late', LATE),
  'skills/at-work/tools/late/schema.json': JSON.stringify(SCHEMA),
  'skills/at-work/tools/late/late.mjs': GOOD,
  'skills/at-work/tools/late/worker.mjs': `
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage((await import('./late.mjs')).default)
  `,
  // A host that runs for long: each line is a call, or asks it to read its files again.
  'host.mjs': `
    import { createInterface } from 'node:readline'
    import { VirtualWorkspace } from 'loadout'
    import { openProject } from 'loadout/node'
    const { catalog } = await openProject('skills')
    const workspace = await VirtualWorkspace.open({ catalog })
    await workspace.activateSkill('at-work')
    for await (const line of createInterface(process.stdin)) {
      const { read, ...input } = JSON.parse(line)
      if (read === true) await workspace.takeCatalog((await openProject('skills')).catalog)
      const answer = await workspace.callTool('late', input)
      const { status, because, fix } = workspace.explain('late')
      const why = because.map(({ text }) => text).join(' ')
      console.log(JSON.stringify({ answer: answer.ok ? answer.data : answer.error.message, status, why, fix }))
    }
    await workspace.close()
  `,
}

test('a process that runs on loads nothing of a trusted folder that another one changed, and says why', async () => {
  const { folder, bin, node } = await installed([], SKILL)
  const skill = join(folder, 'skills/at-work')
  const trust = () => node(bin, 'trust', 'skills', '--skill', 'at-work', '--yes')
  expect(await trust()).toMatchObject({ code: 0 })
  const host = spawn(process.execPath, ['host.mjs'], {
    cwd: folder,
    env: homeAt(folder),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void host.kill())
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]()
  const call = async (input: object) => {
    host.stdin.write(`${JSON.stringify(input)}\n`)
    return JSON.parse(String((await lines.next()).value)) as Record<string, string>
  }
  const write = (path: string, text: string) => writeFile(join(skill, path), text)
  const unbound = (why: string) =>
    expect.objectContaining({
      answer: expect.stringContaining('(unbound)'),
      status: 'unbound',
      why: expect.stringContaining(why),
    })

  expect(await call({ inWorker: true })).toMatchObject({ answer: 'good', status: 'available' })
  // It changes while the call runs.
  const refused = 'is not loaded: it has changed since its folder was trusted'
  expect((await call({ text: EVIL, inWorker: true }))['answer']).toContain(refused)
  await write('tools/late/late.mjs', GOOD)
  expect((await call({ text: EVIL }))['answer']).toContain(refused)
  // It changed before the call.
  expect(await call({})).toEqual(
    unbound('A trusted folder has changed and its code was not run: tools/late/late.mjs.'),
  )
  await write('tools/late/late.mjs', GOOD)
  expect(await call({})).toMatchObject({ answer: 'good', status: 'available' })
  await write('notes.md', 'A file that was added.')
  expect(await call({})).toEqual(unbound('its code was not run: notes.md.'))
  expect((await call({}))['fix']).toContain(`loadout trust ${JSON.stringify(skill)}`)
  expect(await trust()).toMatchObject({ code: 0 })
  expect(await call({})).toEqual(
    unbound('was trusted again with other files than this process has loaded.'),
  )
  expect(await call({ read: true })).toMatchObject({ answer: 'good', status: 'available' })
  expect(await node(bin, 'trust', 'skills/at-work', '--remove')).toMatchObject({ code: 0 })
  expect(await call({})).toEqual(unbound('is no longer trusted.'))
})
