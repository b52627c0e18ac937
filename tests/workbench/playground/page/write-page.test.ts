import { hash } from 'node:crypto'
import { createCatalog, createMemoryLog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { html, htmlText } from '../../../../src/workbench/report/writers/html.ts'
import {
  createPageReader,
  type PageContent,
  type PageSession,
} from '../../../../src/workbench/playground/page/create-page-reader.ts'
import { PAGE_SCRIPT } from '../../../../src/workbench/playground/page/page-script.ts'
import { writePage } from '../../../../src/workbench/playground/page/write-page.ts'
import { WORDS } from '../words.ts'
import { aSession, HOSTILE } from './a-session.ts'

async function aPage(workspace: VirtualWorkspace, parts: Partial<PageSession> = {}) {
  onTestFinished(() => workspace.close())
  const read = createPageReader({ workspace, counter: WORDS, ...parts })
  return writePage(await read(), null)
}

/** The page that readers without JavaScript see. */
function withoutTemplates(page: string): string {
  return page.replace(/<template id="pieces">[^]*<\/template>/, '')
}

const times = (text: string, part: string) => text.split(part).length - 1

test('texts of skills, tools and models are text in the page, and hidden characters are visible', async () => {
  const page = await aPage(await aSession())
  expect(page).not.toContain('<img')
  expect(page).not.toContain('<!-- ')
  expect(page).not.toContain('\u202e')
  expect(page).toContain('&lt;img src=x onerror=&quot;globalThis.ran=1&quot;&gt;')
  expect(page).toContain('<U+202E>'.replace('<', '&lt;').replace('>', '&gt;'))
  expect(times(page, '<script')).toBe(2)
  expect(times(page, '</script>')).toBe(2)
})

test('a value in markup is escaped in elements and attributes', () => {
  expect(html`<a title="${'"><b>'}">${'<&>'}${html`<b>${'\u0007'}</b>`}</a>`.markup).toBe(
    '<a title="&quot;&gt;&lt;b&gt;">&lt;&amp;&gt;<b>&lt;U+0007&gt;</b></a>',
  )
})

test('the policy of a page allows its own script and style and nothing else', async () => {
  const page = await aPage(await aSession())
  const [, script] = /<script>([^]*)<\/script>/.exec(page) ?? []
  const [, style] = /<style>([^]*)<\/style>/.exec(page) ?? []
  const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
  expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash('sha256', script ?? '', 'base64')}'`,
    `style-src 'sha256-${hash('sha256', style ?? '', 'base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ])
  expect(page.replace(PAGE_SCRIPT, '')).not.toMatch(/<[a-z][^>]* (?:src|style|on\w+)=/)
  expect(() => new Script(PAGE_SCRIPT)).not.toThrow()
})

test('a text that many moments show is written once', async () => {
  const page = await aPage(await aSession())
  const [, data = ''] = /id="data">([^]*?)<\/script>/.exec(page) ?? []
  const { moments, lists } = JSON.parse(data) as {
    moments: { prompt: number }[]
    lists: number[][]
  }
  expect(moments.length).toBeGreaterThan(8)
  expect(new Set(moments.map(({ prompt }) => prompt)).size).toBe(5)
  expect(new Set(lists.map((list) => list.join(' '))).size).toBe(lists.length)
  expect(times(page, '<pre>## SKILL TOOLS: Owls')).toBe(1)
})

test('the difference of two versions of a section, and of the tools, is that of the screen', async () => {
  const page = await aPage(await aSession())
  expect(page).toContain('<p class="added">+ look</p>')
  expect(page).toContain('<p class="added">+ listen</p><p class="removed">- look</p>')
  expect(page).toMatch(/<p class="heading">Loaded skills \(changed\): \d+ to \d+ tokens/)
})

test('the parts of the next request say what is cached and where it is cut', async () => {
  const page = withoutTemplates(await aPage(await aSession()))
  expect(page).toMatch(/<h3>Tools \(\d+\) <i>\d+ tokens, \d+ cached<\/i><\/h3>/)
  expect(page).toMatch(/<th scope="row">✂ look<\/th>\s*<td>0<\/td>\s*<td>0<\/td>\s*<td>-\d+<\/td>/)
})

test('readers without JavaScript get the timeline and the newest moment with its definitions', async () => {
  const page = withoutTemplates(await aPage(await aSession()))
  expect(page).toContain('Without JavaScript, this page shows the newest moment only.')
  expect(page).toContain('turn 1 began')
  expect(page).toContain('<pre>## SKILL TOOLS: Mice')
  expect(page).not.toContain('<pre>## SKILL TOOLS: Owls')
  expect(page).toMatch(/<b>listen<\/b>\s*<span title="STATUS"\s*>sent<\/span[^]*?Input schema/)
})

test('an entry without a valid time is in the page', async () => {
  const catalog = await createCatalog({ skills: [] })
  const clock = { now: () => 8.64e15 + 1, monotonic: () => 0 }
  const workspace = await VirtualWorkspace.open({
    catalog,
    tokenCounter: WORDS,
    testing: { clock },
  })
  await workspace.beginTurn()
  expect(await aPage(workspace)).toContain('<time title="?"></time>')
})

test('--at ends a page at an entry', async () => {
  const page = withoutTemplates(await aPage(await aSession(), { at: 3 }))
  expect(page).toContain('<pre>## SKILL TOOLS: Owls')
  expect(page).not.toContain('step 1 began')
})

test('a reader that reads again reads the new entries, and shows what a new one shows', async () => {
  const workspace = await aSession()
  onTestFinished(() => workspace.close())
  const read = createPageReader({ workspace, counter: WORDS })
  const shown = ({ moments, parts, differences }: PageContent) => ({
    moments: moments.map(({ header, panels }) =>
      [header, ...Object.values(panels).flat()].map(parts.markup),
    ),
    differences: [...differences.values()].map(parts.markup),
  })
  const before = shown(await read())
  await workspace.activateSkill('owls', { by: 'user' })
  const after = shown(await read())
  expect(after.moments).toHaveLength(before.moments.length + 1)
  expect(after).toEqual(shown(await createPageReader({ workspace, counter: WORDS })()))
})

test('a page of a long session leaves out the earliest moments, and says so', async () => {
  const catalog = await createCatalog({ skills: [defineSkill({ name: 'owls', description: 'x' })] })
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: WORDS })
  for (let turn = 0; turn < 700; turn += 1) await workspace.beginTurn()
  const last = workspace.state.seq
  const page = await aPage(workspace)
  expect(page).toContain(`Not in this page: the moments before #${last - 499}.`)
  expect(page).toContain('turn 1 began')
})

test('a page of large prompts is bounded, and has the newest moment', async () => {
  const name = (index: number) => `skill-${index}`
  const skills = Array.from({ length: 60 }, (_, index) =>
    defineSkill({ name: name(index), description: 'x', instructions: `${index} `.repeat(30_000) }),
  )
  const catalog = await createCatalog({ skills })
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: WORDS })
  for (const { name } of skills) {
    await workspace.activateSkill(name, { by: 'user' })
    await workspace.deactivateSkill(name, { by: 'user' })
  }
  await workspace.activateSkill(name(7), { by: 'user' })
  const page = await aPage(workspace)
  expect(page.length).toBeLessThan(9_000_000)
  expect(page).toMatch(/Not in this page: the moments before #\d+\./)
  expect(withoutTemplates(page)).toContain('7 7 7 7')
})

test('a very long text is cut, and the page says by how much', () => {
  expect(htmlText('x'.repeat(100_010)).markup).toContain('10 more letters are not in this page.')
  expect(htmlText(HOSTILE).markup).not.toContain('more letters')
})

test('a skill that is broken says why, be it its file or its hook', async () => {
  const finding = {
    code: 'yaml-invalid',
    severity: 'error',
    message: 'Not valid YAML.',
    hint: 'Put values in quotes.',
    file: '/skills/mice/SKILL.md',
    line: 4,
  } as const
  const log = createMemoryLog()
  let down = false
  const owls = defineSkill({
    name: 'owls',
    description: 'Know owls.',
    tools: [defineTool({ name: 'look', description: 'Look.', execute: () => 'owl' })],
    onActivate() {
      if (down) throw new Error('It is day.')
    },
  })
  const catalog = await createCatalog({ skills: [owls], diagnostics: [finding] })
  const options = { catalog, log, session: 'night', tokenCounter: WORDS }
  const first = await VirtualWorkspace.open(options)
  await first.activateSkill('owls')
  await first.close()
  down = true
  const workspace = await VirtualWorkspace.open(options)
  await workspace.callTool('look', {})
  const page = await aPage(workspace)
  expect(page).toContain('It could not be loaded: Not valid YAML. (/skills/mice/SKILL.md:4)')
  expect(page).toContain('Its onActivate hook failed after a resume: It is day.')
})
