import type { ApprovalStore, ApprovedTool, VirtualWorkspace } from 'loadout'
import type { ApproveOptions } from '../../../src/workspace/calls/approve.ts'
import { expectTypeOf, test } from 'vitest'

test('an approval holds for a call, a session or a digest, and for nothing else', () => {
  expectTypeOf<ApproveOptions['remember']>().toEqualTypeOf<
    'call' | 'session' | 'digest' | undefined
  >()
  expectTypeOf<VirtualWorkspace['approve']>().toBeCallableWith('id', { remember: 'session' })
  // @ts-expect-error there is no approval for ever, whatever the tool becomes
  expectTypeOf<VirtualWorkspace['approve']>().toBeCallableWith('id', { remember: 'forever' })
})

test('a store is asked for one definition, and forgets all of a tool', () => {
  expectTypeOf<Parameters<ApprovalStore['has']>[0]>().toHaveProperty('hash')
  expectTypeOf<Parameters<ApprovalStore['remove']>[0]>().toEqualTypeOf<Omit<ApprovedTool, 'hash'>>()
})
