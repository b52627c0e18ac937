import { expect, test } from 'vitest'
import { confirmationAttacks } from '../../scripts/torture/confirmations/confirmation-attacks.ts'
import { holds } from './holds.ts'

test('no forged consent is accepted, and an approved call runs once, also when several processes race for it', async () => {
  const { figures } = await holds(confirmationAttacks, 1)
  expect(figures).toMatchObject({ 'races of two processes': 100 })
})
