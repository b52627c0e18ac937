import { expectTypeOf, test } from 'vitest'
import type { Diagnostic } from '../../src/kernel/diagnostic.ts'
import type {
  ActivationPlan,
  ActivationRefusal,
} from '../../src/skills/activation/plan-activation.ts'
import { defineAgent } from '../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import type { Skill } from '../../src/skills/definition/skill.ts'

test('a skill needs a name and a description, an agent only a name', () => {
  expectTypeOf(defineSkill({ name: 'a', description: 'Any.' })).toEqualTypeOf<Skill>()
  // @ts-expect-error a description is missing
  defineSkill({ name: 'a' })
  // @ts-expect-error a hash is worked out, never given
  defineSkill({ name: 'a', description: 'Any.', hash: 'sha256:0' })
  // @ts-expect-error a file has its text, or its size and hash
  defineSkill({ name: 'a', description: 'Any.', files: [{ path: 'a.md' }] })
  defineAgent({ name: 'a' })
  // @ts-expect-error every skill is '*', not 'all'
  defineAgent({ name: 'a', skills: 'all' })
})

test('hooks of a definition know their context', () => {
  defineSkill({
    name: 'a',
    description: 'Any.',
    onActivate: ({ signal, resumed }) => {
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(resumed).toEqualTypeOf<boolean>()
    },
  })
})

test('a definition can be changed by nobody who holds the skill', () => {
  expectTypeOf<Skill['requires']>().toEqualTypeOf<readonly string[]>()
  expectTypeOf<Skill['diagnostics']>().toEqualTypeOf<readonly Diagnostic[]>()
})

test('a plan says by `ok` what it is, and a refusal has a known code', () => {
  expectTypeOf<Extract<ActivationPlan, { ok: false }>>().toEqualTypeOf<ActivationRefusal>()
  expectTypeOf<ActivationRefusal['code']>().toEqualTypeOf<
    'missing-requirement' | 'requirement-cycle' | 'not-permitted' | 'conflicting'
  >()
})

test('a lifetime is the session, or one limit', () => {
  for (const lifetime of [{ uses: 1 }, { turns: 2 }, { idle: 3 }, 'session'] as const) {
    defineSkill({ name: 'a', description: 'Any.', lifetime })
  }
  // @ts-expect-error there is no other limit
  defineSkill({ name: 'a', description: 'Any.', lifetime: { days: 1 } })
  // @ts-expect-error what is found is called, or suggested
  defineAgent({ name: 'a', discovery: true })
})

test('unknown fields of skills and agents are type errors', () => {
  defineSkill({ name: 'a', description: 'Any.', instructions: 'Look.' })
  defineSkill({ name: 'a', description: 'Any.', workDirection: 'Look.' })
  // @ts-expect-error the field is instructions
  defineSkill({ name: 'a', description: 'Any.', prompt: 'Look.' })
  // @ts-expect-error the field is prompt
  defineAgent({ name: 'a', instructions: 'Look.' })
})
