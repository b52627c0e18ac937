import { expect, test } from 'vitest'
import { skillText, toolTree } from '../workbench/project/temporary-folder.ts'
import { installed } from './installed.ts'

const TOOLS = Array.from({ length: 9 }, (_, at) => `job_${at}`)

const project = (config: string) => ({
  'loadout.config.js': `export default { ${config} }\n`,
  'skills/alpha/SKILL.md': skillText('alpha'),
  ...toolTree('skills/alpha/tools/echo'),
  'skills/beta/SKILL.md': skillText('beta'),
  ...toolTree('skills/beta/tools/other'),
  ...Object.assign({}, ...TOOLS.map((name) => toolTree(`tools/${name}`))),
})

test.each([
  {
    config: "discovery: { pinned: ['job_0'] }",
    heading: '7 sent, 8 by search, 1 inactive',
    words: {
      tool_search: 'sent',
      job_0: 'sent',
      job_1: 'by search',
      echo: 'sent',
      other: 'inactive',
    },
  },
  {
    config: '',
    heading: '13 sent, 1 inactive',
    words: { job_0: 'sent', job_1: 'sent', echo: 'sent', other: 'inactive' },
  },
])(
  'the command lists each tool by what the next request carries ($heading), and the playground counts the same',
  async ({ config, heading, words }) => {
    const { node, bin } = await installed([], project(config))
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await node(bin, ...args, '--trust', '--activate', 'alpha')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return stdout
    }
    const listed = (await run('tools')).split('\n').map((line) => line.split(/ {2,}/))
    const shown = listed.map(([name, , status]) => [name, status] as const)
    expect(Object.fromEntries(shown)).toMatchObject(words)

    const tools = JSON.parse(await run('tools', '--json')) as { name: string; reach: string }[]
    const sent = tools.filter(({ reach }) => reach === 'sent').length
    expect(heading.startsWith(`${sent} sent`)).toBe(true)
    expect(await run('play')).toContain(`Tools (${heading})`)
    expect(await run('play', '--snapshot', 'text', '--columns', '200')).toMatch(
      new RegExp(`2 Tools ─* ${heading} ─`),
    )
  },
)
