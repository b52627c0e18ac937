import { expect, test } from 'vitest'
import { RENAMED, type Renamed } from '../../scripts/upgrade/renamed.ts'
import { rewriteSource } from '../../scripts/upgrade/rewrite-source.ts'

const NAMES: readonly Renamed[] = [
  { kind: 'name', from: 'Old', to: 'New' },
  { kind: 'path', from: 'loadout/before', to: 'loadout/after' },
  { kind: 'member', of: 'VirtualWorkspace', from: 'metrics', to: 'figures.metrics' },
  { kind: 'member', of: 'VirtualWorkspace', from: 'log', to: 'log.read' },
  { kind: 'member', of: 'Catalog', from: 'size', to: 'count' },
]

/** Returns the sources, with `IMPORT` for one of the package, so that a row has one line. */
const source = (text: string) =>
  text.replace('IMPORT', "import { VirtualWorkspace } from 'loadout'\n")

test.each([
  ["import { Old } from 'loadout'\nnew Old()", "import { New } from 'loadout'\nnew New()"],
  [
    "import type { A, Old } from 'loadout/kit'\nlet x: Map<string, Old> = f<Old>(x.Old)",
    "import type { A, New } from 'loadout/kit'\nlet x: Map<string, New> = f<New>(x.Old)",
  ],
  ["import { Old as O } from 'loadout'\nO()", "import { New as O } from 'loadout'\nO()"],
  // What a host exports under a name stays.
  ["export { Old } from 'loadout'", "export { New as Old } from 'loadout'"],
  ["export { Old as O } from 'loadout'", "export { New as O } from 'loadout'"],
  [
    "import { Old } from 'loadout'\nconst New = 1\nOld()",
    "import { New as Old } from 'loadout'\nconst New = 1\nOld()",
  ],
  [
    "import { type Old } from 'loadout'\nconst o = { Old: 1 }",
    "import { type New as Old } from 'loadout'\nconst o = { Old: 1 }",
  ],
  [
    "import { Old } from 'loadout'\nexport { Old }",
    "import { New as Old } from 'loadout'\nexport { Old }",
  ],
  [
    "import { Old } from 'loadout'\nfunction f() { const Old = 1; return Old }",
    "import { New as Old } from 'loadout'\nfunction f() { const Old = 1; return Old }",
  ],
  [
    "import * as engine from 'loadout'\nengine.Old(other.Old)",
    "import * as engine from 'loadout'\nengine.New(other.Old)",
  ],
  ["type T = import('loadout').Old", "type T = import('loadout').New"],
  ["const { Old } = await import('loadout')", "const { New: Old } = await import('loadout')"],
  ["const { Old: o } = await import('loadout')", "const { New: o } = await import('loadout')"],
  // Comments, texts, patterns and templates are no code; what a template inserts is.
  [
    "import { Old } from 'loadout'\n// Old\nf('Old', /Old/, `Old ${Old} ${{ a: `${Old}` }} Old`) /* Old */",
    "import { New } from 'loadout'\n// Old\nf('Old', /Old/, `Old ${New} ${{ a: `${New}` }} Old`) /* Old */",
  ],
  [
    "import { Old } from 'loadout'\nconst a = <p>don't</p>\nconst b = a / 2 / Old",
    "import { New } from 'loadout'\nconst a = <p>don't</p>\nconst b = a / 2 / New",
  ],
  ["import { Old } from 'other'\nOld()", "import { Old } from 'other'\nOld()"],
  ["import { a } from 'loadouts'\nOld()", "import { a } from 'loadouts'\nOld()"],
  [
    "import 'loadout/before'\nimport('loadout/before')\nf('loadout/before')",
    "import 'loadout/after'\nimport('loadout/after')\nf('loadout/before')",
  ],
  ['IMPORTworkspace.metrics()', 'IMPORTworkspace.figures.metrics()'],
  ['IMPORTthis.workspace?.metrics()', 'IMPORTthis.workspace?.figures.metrics()'],
  ['IMPORTworkspace\n  .metrics()', 'IMPORTworkspace\n  .figures.metrics()'],
  [
    'IMPORTconst shop = await VirtualWorkspace.open({})\nconst c = await shop.child({})\nc.metrics()',
    'IMPORTconst shop = await VirtualWorkspace.open({})\nconst c = await shop.child({})\nc.figures.metrics()',
  ],
  [
    'IMPORTfunction f(shop: VirtualWorkspace) { shop.metrics() }',
    'IMPORTfunction f(shop: VirtualWorkspace) { shop.figures.metrics() }',
  ],
  [
    'IMPORTasync function make(a): Promise<VirtualWorkspace> {}\nconst shop = await make(1)\nshop.metrics()',
    'IMPORTasync function make(a): Promise<VirtualWorkspace> {}\nconst shop = await make(1)\nshop.figures.metrics()',
  ],
  [
    "IMPORTtype M = VirtualWorkspace['metrics']",
    "IMPORTtype M = VirtualWorkspace['figures']['metrics']",
  ],
  ['IMPORTworkspace.log()', 'IMPORTworkspace.log.read()'],
  ['IMPORTconst c: Catalog = x\nc.size', 'IMPORTconst c: Catalog = x\nc.count'],
  ['IMPORTworkspace.metricsOfAll()', 'IMPORTworkspace.metricsOfAll()'],
])('%s becomes %s, and stays so', (text, expected) => {
  const written = rewriteSource(source(text), NAMES)
  expect(written.text).toBe(source(expected))
  const again = rewriteSource(written.text, NAMES)
  expect(again.text).toBe(written.text)
})

test.each([
  [
    'IMPORTconst { metrics } = workspace',
    'metrics of workspace was not changed. It is figures.metrics.',
  ],
  [
    'IMPORTshop.metrics()',
    'shop.metrics(…) was not changed. Of VirtualWorkspace it is figures.metrics.',
  ],
  [
    "IMPORTtype P = Pick<VirtualWorkspace, 'metrics'>",
    "'metrics' of VirtualWorkspace was not changed. It is figures.metrics.",
  ],
])('%s is left to a person: %s', (text, question) => {
  const { text: written, questions } = rewriteSource(source(text), NAMES)
  expect(written).toBe(source(text))
  expect(questions).toEqual([{ line: 2, text: question }])
})

test('a change has its line', () => {
  const { changes } = rewriteSource("import { Old } from 'loadout'\n\nOld()\n", NAMES)
  expect(changes).toEqual([
    { line: 1, text: 'Old -> New' },
    { line: 3, text: 'Old -> New' },
  ])
})

test('the names of the table differ, and none is a new name of another one', () => {
  expect(RENAMED.length).toBeGreaterThan(0)
  const old = RENAMED.map(({ kind, of, from }) => [kind, of, from].join(' '))
  expect(new Set(old).size).toBe(old.length)
  expect(RENAMED.filter(({ kind, of, to }) => old.includes([kind, of, to].join(' ')))).toEqual([])
})
