import { expect, test } from 'vitest'
import { planDeactivation } from '../../../src/skills/activation/plan-deactivation.ts'
import { skillsOf } from '../skills-of.ts'

const skills = skillsOf({
  report: { requires: ['charts', 'writing'] },
  slides: { requires: ['charts'] },
  charts: { requires: ['data'] },
  writing: {},
  data: {},
})

/** Active skills; those in brackets were only brought by a requirement. */
function activeOf(...names: readonly string[]) {
  return names.map((name) => ({
    skill: name.replace(/^\((.*)\)$/, '$1'),
    requested: !name.startsWith('('),
  }))
}

test.each<[title: string, wanted: string, active: string[], cascade: boolean, leave: string[]]>([
  ['only itself', 'data', ['data', 'writing'], false, ['data']],
  [
    'the requirements that came with it, the latest first',
    'report',
    ['(data)', '(charts)', '(writing)', 'report'],
    false,
    ['report', 'writing', 'charts', 'data'],
  ],
  [
    'not those that were asked for, nor what these need',
    'report',
    ['(data)', 'charts', '(writing)', 'report'],
    false,
    ['report', 'writing'],
  ],
  [
    'not those that another skill needs',
    'report',
    ['(data)', '(charts)', '(writing)', 'report', 'slides'],
    false,
    ['report', 'writing'],
  ],
  [
    'with cascade, those that require it first',
    'charts',
    ['(data)', '(charts)', '(writing)', 'report', 'slides'],
    true,
    ['slides', 'report', 'charts', 'writing', 'data'],
  ],
  [
    'with cascade, in an order that holds even when they came in another',
    'data',
    ['report', 'charts', 'data'],
    true,
    ['report', 'charts', 'data'],
  ],
  ['not a requirement it never had', 'writing', ['(data)', 'writing'], false, ['writing']],
  ['only itself when it is gone from the catalog', 'gone', ['gone', 'data'], false, ['gone']],
])('%s leaves', (_, wanted, active, cascade, leave) => {
  expect(planDeactivation({ wanted, skills, active: activeOf(...active), cascade })).toEqual({
    ok: true,
    leave,
  })
})

test('a skill that others require is not deactivated, and all of them are named', () => {
  const active = activeOf('(data)', '(charts)', 'slides')
  expect(planDeactivation({ wanted: 'data', skills, active, cascade: false }))
    .toMatchInlineSnapshot(`
    {
      "code": "required-by",
      "facts": {
        "by": [
          "slides",
          "charts",
        ],
        "skill": "data",
      },
      "hint": "Deactivate "slides", "charts" first, or deactivate all of them at once with cascade.",
      "message": ""data" is required by "slides", "charts", still active.",
      "ok": false,
    }
  `)
})
