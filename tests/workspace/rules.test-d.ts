import type { PermissionRule, WorkspaceOptions } from 'loadout'
import { expectTypeOf, test } from 'vitest'

type Permissions = NonNullable<NonNullable<WorkspaceOptions['policy']>['permissions']>

test('a list of rules in a constant is a list of rules', () => {
  const rules = [
    { tool: 'read', where: { filePath: { path: '**/.env*' } }, ignoreCase: true },
    { tool: 'bash', where: { command: { command: 'rm -rf' } } },
    { tool: 'bash', where: { command: '*sudo*', cwd: '/etc*' } },
    { skill: 'billing', when: ({ amount }: { amount: number }) => amount > 100 && 'a large sum' },
    'deploy',
  ]
  expectTypeOf(rules).toExtend<NonNullable<Permissions['ask']>>()
  expectTypeOf({ ask: rules, deny: ['shell'] }).toExtend<Permissions>()
})

test('"satisfies" checks a list, and keeps the levels of risk', () => {
  const rules = [{ risk: 'destructive' }, { tool: 'a', risk: ['safe'] }] satisfies PermissionRule[]
  expectTypeOf(rules).toExtend<NonNullable<Permissions['ask']>>()
  // @ts-expect-error no such level
  const wrong = [{ risk: 'deadly' }] satisfies PermissionRule[]
  // @ts-expect-error no such member
  const misspelt = [{ tol: 'a' }] satisfies PermissionRule[]
  // @ts-expect-error a value has one kind of pattern
  const two = [{ where: { a: { path: 'x', command: 'y' } } }] satisfies PermissionRule[]
  void [wrong, misspelt, two]
})

test('a function gets arguments of unknown types, and names those that it expects', () => {
  const rule = {
    when: async (input, { principal, signal, caller, tool }) => {
      expectTypeOf(input).toEqualTypeOf<Readonly<Record<string, unknown>>>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(tool).toEqualTypeOf<string>()
      return principal?.id === 'ada' ? 'her own' : caller === 'model'
    },
  } satisfies PermissionRule
  expectTypeOf(rule).toExtend<PermissionRule>()
  // @ts-expect-error it answers with a boolean or a text
  const odd = { when: () => 1 } satisfies PermissionRule
  void odd
})
