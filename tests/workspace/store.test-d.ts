import type { VirtualWorkspace } from 'loadout'
import { expectTypeOf, test } from 'vitest'

test('a view reads the store and follows it, and cannot write to it', () => {
  type Store = VirtualWorkspace['store']
  expectTypeOf<keyof Store>().toEqualTypeOf<'getState' | 'getInitialState' | 'subscribe'>()
})
