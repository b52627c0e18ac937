import { expect, test } from 'vitest'
import type { LintKind } from '../../../../src/catalog/lint/checks/lint-input.ts'
import { type Tree, skillText } from '../temporary-folder.ts'
import { lintTree } from './lint-tree.ts'

const TOOL = { toolId: 'find', description: 'd', parameters: { type: 'object' } }

/** Files of which one cannot be loaded, as an item of what kind, and why. */
interface Case {
  readonly code: string
  readonly kind: LintKind
  readonly tree: Tree
  readonly trusted?: boolean
  /** False where only a part was not loaded. */
  readonly whole?: false
}

test.each<Case>([
  { code: 'front-matter-missing', kind: 'skill', tree: { 'bad/SKILL.md': '# No' } },
  { code: 'yaml-invalid', kind: 'skill', tree: { 'bad/SKILL.md': '---\nname: [\n---\n' } },
  { code: 'json-invalid', kind: 'tool', tree: { 'tools/bad/schema.json': '{' } },
  {
    code: 'tool-invalid',
    kind: 'tool',
    tree: { 'tools/bad/schema.json': JSON.stringify({ ...TOOL, parameters: { type: 'nothing' } }) },
  },
  {
    code: 'toolset-invalid',
    kind: 'toolset',
    tree: { 'toolsets/bad/TOOLSET.md': '---\nname: bad\ndescription: d\ntools: a@@1\n---\n' },
  },
  {
    code: 'agent-invalid',
    kind: 'agent',
    tree: {
      'agents/bad/AGENT.md':
        '---\nname: bad\ndescription: d\nmetadata:\n  loadout.versions: x@@\n---\n',
    },
  },
  { code: 'rules-empty', kind: 'rules', tree: { 'rules/bad.md': '\n' } },
  {
    code: 'config-field',
    kind: 'config',
    whole: false,
    tree: { 'loadout.config.json': '{"permissions":1}' },
  },
  {
    code: 'config-failed',
    kind: 'config',
    trusted: true,
    tree: { 'loadout.config.mjs': 'throw new Error("no")' },
  },
  {
    code: 'handler-failed',
    kind: 'tool',
    trusted: true,
    whole: false,
    tree: { 'tools/find/schema.json': JSON.stringify(TOOL), 'tools/find/handler.js': 'throw 1' },
  },
])(
  '$code makes a $kind an error, and no other item',
  async ({ code, kind, tree, trusted, whole }) => {
    const good = { 'good/SKILL.md': skillText('good') }
    const { items, ok } = await lintTree({ ...tree, ...good }, 'native', trusted)
    expect(ok).toBe(false)
    const errors = items.filter(({ status }) => status === 'error')
    expect(errors).toMatchObject([{ kind }])
    expect(errors[0]?.diagnostics.map((one) => one.code)).toContain(code)
    if (whole !== false) expect(errors[0]?.name).toBe(null)
    expect(items.some(({ name, status }) => name === 'good' && status !== 'error')).toBe(true)
  },
)

test.each([
  ['an entry that is wrong', { skills: { a: { name: 1 } } }, 'manifest-field'],
  [
    'an entry that cannot be defined',
    { tools: { a: { name: '!!!', description: 'd', content: '' } } },
    'manifest-entry',
  ],
])('a Carnet manifest with %s is an error', async (_what, manifest, code) => {
  const text = JSON.stringify({ version: 1, ...manifest })
  const { items, ok } = await lintTree({ 'carnet.manifest.json': text })
  expect(ok).toBe(false)
  expect(items.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([{ code }])
})

test('a summary of one line is a remark, and leaves the tool as it should be', async () => {
  const { items } = await lintTree({
    'tools/find/schema.json': JSON.stringify({
      ...TOOL,
      parameters: { type: 'object', additionalProperties: false },
      phrases: ['find it'],
    }),
    'tools/find/doc_summary.md': 'Finds.\n',
    'tools/find/handler.js': 'export const execute = () => 1',
  })
  expect(items).toMatchObject([{ status: 'ok', diagnostics: [{ code: 'summary-short' }] }])
})
